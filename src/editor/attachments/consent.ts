import * as vscode from "vscode";
import { showWarning } from "../shared/notices.ts";
import { quotePattern } from "../files/faultyExcludes.ts";

/** Maximum number of paths that a dialog lists. Its message states the total. */
const maxListed = 10;

/** Asks before attaching files that usually hold keys or passwords. */
export function confirmSensitiveFiles(paths: readonly string[]): Promise<boolean> {
  const [first = ""] = paths;
  const message =
    paths.length === 1
      ? vscode.l10n.t("'{0}' might contain keys or passwords. Attach it to the chat?", first)
      : vscode.l10n.t("{0} files might contain keys or passwords. Attach them to the chat?", paths.length);
  return confirmAttach(message, paths.length === 1 ? [] : paths.slice(0, maxListed));
}

/** Asks before attaching files outside the workspace. */
export function confirmOutsideFiles(names: readonly string[]): Promise<boolean> {
  const [first = ""] = names;
  const message =
    names.length === 1
      ? vscode.l10n.t("'{0}' is outside this workspace. Attach it to the chat?", first)
      : vscode.l10n.t("{0} files are outside this workspace. Attach them to the chat?", names.length);
  return confirmAttach(message, names.length === 1 ? [] : names.slice(0, maxListed));
}

/** Asks before attaching files that an unreadable exclude pattern might match. */
export function confirmFaultyPattern(paths: readonly string[], pattern: string): Promise<boolean> {
  const [first = ""] = paths;
  const quoted = quotePattern(pattern);
  const message =
    paths.length === 1
      ? vscode.l10n.t(
          "'{0}' might match the exclude pattern '{1}', which can't be read. Attach the file to the chat?",
          first,
          quoted,
        )
      : vscode.l10n.t(
          "{0} files might match the exclude pattern '{1}', which can't be read. Attach the files to the chat?",
          paths.length,
          quoted,
        );
  return confirmAttach(message, paths.length === 1 ? [] : paths.slice(0, maxListed));
}

/** Asks before attaching an image if it is unknown whether the model accepts images. */
export function confirmImage(model: string): Promise<boolean> {
  return confirmAttach(
    vscode.l10n.t("It's unknown whether '{0}' accepts images. Attach this image anyway?", model),
    [],
  );
}

async function confirmAttach(message: string, paths: readonly string[]): Promise<boolean> {
  const attach = vscode.l10n.t("Attach");
  const detail = [
    ...paths,
    vscode.l10n.t("Attachments are sent to the service with your next question."),
  ].join("\n");
  return (await showWarning(message, { modal: true, detail }, attach)) === attach;
}
