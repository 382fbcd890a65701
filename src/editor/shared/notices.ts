import * as vscode from "vscode";
import { InferenceError } from "../../client/failure/failure.ts";
import { describeReason, isCancelled } from "./errorReason.ts";

/** Buttons; of a dialogue that waits for an answer its options come first. */
type Rest = readonly string[] | readonly [vscode.MessageOptions, ...string[]];
type Show = (
  message: string,
  options: vscode.MessageOptions,
  ...buttons: readonly string[]
) => Thenable<string | undefined>;

/** The editor's notices. Nothing that was put into them by others is a link. */
export const showInformation = noticeBy((...shown) => vscode.window.showInformationMessage(...shown));
export const showWarning = noticeBy((...shown) => vscode.window.showWarningMessage(...shown));
export const showError = noticeBy((...shown) => vscode.window.showErrorMessage(...shown));

/** A dialogue that tells how something ended, with one thing to do about it; true where that was chosen. */
export async function showSummary(message: string, detail: string, action: string): Promise<boolean> {
  const chosen: vscode.MessageItem = { title: action };
  const close: vscode.MessageItem = { title: vscode.l10n.t("Close"), isCloseAffordance: true };
  return (
    (await vscode.window.showInformationMessage(message, { modal: true, detail }, chosen, close)) === chosen
  );
}

/** Work that goes on, with its title in a notice or elsewhere. */
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

/** Notices read `[text](command:...)` as a link that runs the command: a name or a server's words must not be one. */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** Says that something failed, and why; `say` puts the reason into its sentence. */
export function showErrorReason(thrown: unknown, say: (reason: string) => string): void {
  const told = reasonOf(thrown).then((reason) => showError(say(reason)));
  told.then(undefined, () => undefined);
}

/** The same where there is no better sentence. */
export function showThrown(thrown: unknown): void {
  showErrorReason(thrown, (reason) => vscode.l10n.t("Inference Chat: {0}", reason));
}

/** Leaves work to itself that nobody waits for, such as a notice that stands; that it failed is said. */
export function reportError(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => {
    if (!isCancelled(error)) showThrown(error);
  });
}

/** Why something failed, in the user's language. */
async function reasonOf(thrown: unknown): Promise<string> {
  if (thrown instanceof InferenceError) {
    const { causeTable } = await import("../../connection/diagnosis/causeTable.ts");
    return causeTable[thrown.cause].name(vscode.l10n.t);
  }
  return localReasonOf(thrown);
}

/** The same for what cannot come from a service. */
export function localReasonOf(thrown: unknown): string {
  return describeReason(thrown, vscode.l10n.t);
}
