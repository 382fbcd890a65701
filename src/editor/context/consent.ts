import * as vscode from "vscode";

/** Asks before files that usually hold keys or passwords are attached. */
export function askSensitive(paths: readonly string[]): Promise<boolean> {
  const [first = ""] = paths;
  const message =
    paths.length === 1
      ? vscode.l10n.t("{0} may hold keys or passwords. Attach it to the chat?", first)
      : vscode.l10n.t("{0} files may hold keys or passwords. Attach them to the chat?", paths.length);
  return ask(message, paths.length === 1 ? [] : paths.slice(0, 10));
}

/** Asks before a file that is not of the workspace is attached. */
export function askOutside(name: string): Promise<boolean> {
  return ask(vscode.l10n.t("{0} is outside of this workspace. Attach it to the chat?", name), []);
}

/** Asks before an image is attached for a model of which it is not known whether it takes any. */
export function askImage(model: string): Promise<boolean> {
  return ask(
    vscode.l10n.t("It is not known whether the model {0} takes images. Attach it anyway?", model),
    [],
  );
}

async function ask(message: string, paths: readonly string[]): Promise<boolean> {
  const attach = vscode.l10n.t("Attach");
  const detail = [
    ...paths,
    vscode.l10n.t("What is attached goes to the service with your next question."),
  ].join("\n");
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, attach)) === attach;
}
