import type { AnswerTurn } from "../chat/transcript.ts";
import type { Translate } from "../l10n.ts";

/** What is to be said, quietly, about how the answer ended. */
export function answerNotice(
  { state, text }: Pick<AnswerTurn, "state" | "text">,
  t: Translate,
): string | undefined {
  if (state.kind === "stopped") return t("Stopped.");
  if (state.kind === "interrupted") return t("Interrupted: the editor closed before the answer ended.");
  if (state.kind !== "complete") return undefined;
  const { reason } = state;
  if (reason === "length") return t("The answer was cut at its token limit.");
  if (reason === "content-filter") return t("The service's content filter cut the answer.");
  if (text.trim() !== "") return undefined;
  return reason === "tool-calls"
    ? t("The model asked for a tool, but this chat has none.")
    : t("The answer holds no text.");
}
