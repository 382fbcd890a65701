import * as vscode from "vscode";
import { InferenceError } from "../../client/failure/failure.ts";
import { showError } from "./notices.ts";
import { describeReason, isCancelled } from "./reasonWords.ts";

/** Says that something failed, and why; `say` puts the reason into its sentence. */
export function tellError(thrown: unknown, say: (reason: string) => string): void {
  const told = reasonOf(thrown).then((reason) => showError(say(reason)));
  told.then(undefined, () => undefined);
}

/** The same where there is no better sentence. */
export function tellProblem(thrown: unknown): void {
  tellError(thrown, (reason) => vscode.l10n.t("Inference Chat: {0}", reason));
}

/** Leaves work to itself that nobody waits for, such as a notice that stands; that it failed is said. */
export function leave(work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => {
    if (!isCancelled(error)) tellProblem(error);
  });
}

/** Why something failed, in the user's language. */
async function reasonOf(thrown: unknown): Promise<string> {
  if (thrown instanceof InferenceError) {
    const [{ causeOf }, { nameOfCause }] = await Promise.all([
      import("../../client/failure/causeOf.ts"),
      import("../../connection/diagnosis/causeNames.ts"),
    ]);
    return nameOfCause(causeOf(thrown.failure), vscode.l10n.t);
  }
  return localReasonOf(thrown);
}

/** The same for what cannot come from a service. */
export function localReasonOf(thrown: unknown): string {
  return describeReason(thrown, vscode.l10n.t);
}
