import type { AnswerTurn } from "../../chat/transcript/transcript.ts";
import type { UsageWords } from "../../chat/transcript/usage.ts";

type EndedAnswer = Pick<AnswerTurn, "state" | "text" | "reasoning" | "usage">;

/** How the token limit has cut an answer: one without any text has nothing to go on from. */
export function cutOf({
  state,
  text,
}: Pick<AnswerTurn, "state" | "text">): "in-text" | "before-text" | undefined {
  if (state.kind !== "complete" || state.reason !== "length") return undefined;
  return text.trim() === "" ? "before-text" : "in-text";
}

/** What is to be said, quietly, about how the answer ended. */
export function answerNotice(answer: EndedAnswer, words: UsageWords): string | undefined {
  const { state, text } = answer;
  const { t } = words;
  if (state.kind === "stopped") return t("Stopped.");
  if (state.kind === "interrupted") return t("Interrupted: the editor closed before the answer ended.");
  if (state.kind !== "complete") return undefined;
  const { reason } = state;
  switch (cutOf(answer)) {
    case "before-text":
      return [cutBeforeText(answer, words), t("Raise the token limit, then retry.")].join(" ");
    case "in-text":
      return t("The answer was cut at its token limit.");
    case undefined:
  }
  if (reason === "content-filter") return t("The service's content filter cut the answer.");
  if (text.trim() !== "") return undefined;
  return reason === "tool-calls"
    ? t("The model asked for a tool, but this chat has none.")
    : t("The answer holds no text.");
}

function cutBeforeText({ reasoning, usage }: EndedAnswer, { t, language }: UsageWords): string {
  if (reasoning.trim() === "") return t("The answer was cut at its token limit before any text came.");
  const tokens = usage?.outputTokens;
  return tokens === undefined
    ? t("The answer was cut at its token limit while the model was still reasoning.")
    : t(
        "The answer was cut at {0} tokens while the model was still reasoning.",
        new Intl.NumberFormat(language).format(tokens),
      );
}
