import * as vscode from "vscode";
import type { NotShown } from "../../chat/commit/commitRequest.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import type { CommitBox } from "./commitBox.ts";
import type { GatheredCommit } from "./gatherCommit.ts";

/** Names that one notice holds; more are counted. */
const mostNames = 5;

export function tellNoChanges(): void {
  void showInformation(vscode.l10n.t("There are no changes to write a message for."));
}

export function tellCut(): void {
  void showWarning(
    vscode.l10n.t("The commit message was cut at the answer's token limit (inference.maxTokens)."),
  );
}

/** What the user typed meanwhile stays; what becomes of the message is theirs to say. */
export async function tellTyped(box: CommitBox, message: string): Promise<void> {
  const below = vscode.l10n.t("Insert Below");
  const replace = vscode.l10n.t("Replace");
  const copy = vscode.l10n.t("Copy");
  const chosen = await showInformation(
    vscode.l10n.t("You changed the box while the commit message was written, so it was left to you."),
    below,
    replace,
    copy,
  );
  const now = box.text;
  if (chosen === below) await box.replace(now, textAbove(now) + message);
  if (chosen === replace) await box.replace(now, message);
  if (chosen === copy) await vscode.env.clipboard.writeText(message);
}

/** The message stands below a text that was there before. */
export async function tellOwnText(
  box: CommitBox,
  { before, shown, message }: { readonly before: string; readonly shown: string; readonly message: string },
): Promise<void> {
  const alone = vscode.l10n.t("Use Message Alone");
  const undo = vscode.l10n.t("Undo");
  const chosen = await showInformation(
    vscode.l10n.t("The commit message stands below what was in the box."),
    alone,
    undo,
  );
  // Where it was edited since, the box is the user's.
  if (chosen === alone) await box.replace(shown, message);
  if (chosen === undo) await box.replace(shown, before);
}

/** What stays of a text above a message that is put below it. */
export function textAbove(text: string): string {
  return text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
}

/** What the message could not take into account. Lock files and the like are no loss, and not told. */
export function tellLeftOut({ diff, withheldPaths }: GatheredCommit): void {
  const byName = diff.named.filter(({ reason }) => isLoss(reason)).map(({ path }) => path);
  const sentences = [
    ...(withheldPaths.length === 0
      ? []
      : [vscode.l10n.t("Not sent, since they are excluded or may hold keys: {0}.", namesOf(withheldPaths))]),
    ...(diff.cut.length === 0
      ? []
      : [vscode.l10n.t("Sent only in part, since the changes are large: {0}.", namesOf(diff.cut))]),
    ...(byName.length === 0 ? [] : [vscode.l10n.t("Sent only by name: {0}.", namesOf(byName))]),
  ];
  if (sentences.length === 0) return;
  const message = vscode.l10n.t("The commit message was written without all of the changes.");
  void showInformation([message, ...sentences].join(" "));
}

/** Whether the message could have been better with the file's lines. */
function isLoss(reason: NotShown): boolean {
  return reason === "no-room" || reason === "too-large" || reason === "unread";
}

function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, mostNames).join(", ");
  const more = paths.length - mostNames;
  return more > 0 ? vscode.l10n.t("{0} and {1} more", names, more) : names;
}
