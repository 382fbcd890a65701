import * as vscode from "vscode";
import { convertUsageToText } from "../../chat/transcript/usage.ts";
import { showWarning } from "../shared/notices.ts";
import type { InPlaceAnswer } from "./inPlaceAnswers.ts";

/** Who answered and what it took. */
export function answerFacts({ model, usage, price, state }: InPlaceAnswer): string {
  return `${model} · ${convertUsageToText(usage, price, state.kind === "complete", { t: vscode.l10n.t, language: vscode.env.language })}`;
}

/** Said while nothing arrives. */
export function waitText(wait: { readonly seconds: number; readonly reason?: string }): string {
  return wait.reason === undefined
    ? vscode.l10n.t("Nothing has arrived for {0} seconds.", wait.seconds)
    : vscode.l10n.t("{0}. Trying again in {1} seconds.", wait.reason, wait.seconds);
}

export function warnCut(): void {
  void showWarning(
    vscode.l10n.t(
      "The answer was cut at its token limit (inference.maxTokens). What had not come yet stays as it was.",
    ),
  );
}
