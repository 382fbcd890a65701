import * as vscode from "vscode";
import { InferenceError } from "../../client/failure/failure.ts";
import { describeReason, isCancelled } from "./errorReason.ts";

/** Buttons, after the options of a modal dialog if there are any. */
type Rest = readonly string[] | readonly [vscode.MessageOptions, ...string[]];
type Show = (
  message: string,
  options: vscode.MessageOptions,
  ...buttons: readonly string[]
) => Thenable<string | undefined>;

/** VS Code's notices. Text from elsewhere never becomes a link in them. */
export const showInformation = noticeBy((...shown) => vscode.window.showInformationMessage(...shown));
export const showWarning = noticeBy((...shown) => vscode.window.showWarningMessage(...shown));
export const showError = noticeBy((...shown) => vscode.window.showErrorMessage(...shown));

/** Shows a modal dialog with an outcome and one action. Resolves to true if the user selects the action. */
export async function showSummary(message: string, detail: string, action: string): Promise<boolean> {
  const chosen: vscode.MessageItem = { title: action };
  const close: vscode.MessageItem = { title: vscode.l10n.t("Close"), isCloseAffordance: true };
  return (
    (await vscode.window.showInformationMessage(message, { modal: true, detail }, chosen, close)) === chosen
  );
}

/** Shows progress for pending work, as a notice or elsewhere. */
export function showProgress<Result>(
  options: vscode.ProgressOptions,
  work: (
    progress: vscode.Progress<{ readonly message: string; readonly increment?: number }>,
    token: vscode.CancellationToken,
  ) => Thenable<Result>,
): Thenable<Result> {
  const { title } = options;
  const shown = title === undefined ? options : { ...options, title: withoutLinks(title) };
  return vscode.window.withProgress(shown, (progress, token) =>
    work(
      { report: ({ message, ...step }) => progress.report({ ...step, message: withoutLinks(message) }) },
      token,
    ),
  );
}

function noticeBy(show: Show) {
  return (message: string, ...rest: Rest): Thenable<string | undefined> => {
    const all: readonly (vscode.MessageOptions | string)[] = rest;
    const options = all.find((each) => typeof each === "object");
    return show(withoutLinks(message), options ?? {}, ...all.filter((each) => typeof each === "string"));
  };
}

/** A notice turns `[text](command:...)` into a link that runs the command. A name or a server's text must not do so. */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** Shows that something failed, and why. `say` puts the reason into a sentence. */
export function showErrorReason(thrown: unknown, say: (reason: string) => string): void {
  const told = reasonOf(thrown).then((reason) => showError(say(reason)));
  told.then(undefined, () => undefined);
}

/** Like `showErrorReason`, if there is no better sentence. */
export function showThrown(thrown: unknown): void {
  showErrorReason(thrown, (reason) => vscode.l10n.t("Inference Chat: {0}", reason));
}

/** Lets work continue in the background, such as a notice that stays open. Shows an error if the work fails. */
export function reportError(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => {
    if (!isCancelled(error)) showThrown(error);
  });
}

/** The reason of a failure, in the user's language. */
async function reasonOf(thrown: unknown): Promise<string> {
  if (thrown instanceof InferenceError) {
    const { causeTable } = await import("../../connection/diagnosis/causeTable.ts");
    return causeTable[thrown.cause].name(vscode.l10n.t);
  }
  return localReasonOf(thrown);
}

/** Like `reasonOf`, for errors that can't come from a service. */
export function localReasonOf(thrown: unknown): string {
  return describeReason(thrown, vscode.l10n.t);
}
