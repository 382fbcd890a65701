import { hasWrittenCall } from "../../chat/agent/loopGuard.ts";
import { partsOf } from "../../chat/transcript/steps.ts";
import { toolNames } from "./callTexts.ts";
import type { AnswerTurn, RetryingState } from "../../chat/transcript/transcript.ts";
import type { UsageWords } from "../../chat/transcript/usage.ts";
import type { StopReason } from "../../protocol/conversation/conversation.ts";
import type { Translate } from "../../text/translate.ts";

type EndedAnswer = Pick<AnswerTurn, "state" | "text" | "reasoning" | "usage" | "steps">;

/** Whether the model wrote a call as text again after it was asked not to. */
function writesCalls(answer: EndedAnswer): boolean {
  const { steps = [] } = answer;
  const wasAsked = steps.some(({ messages = [] }) => messages.some(({ by }) => by === "written-call"));
  return wasAsked && hasWrittenCall(partsOf(answer).at(-1)?.text ?? "", toolNames);
}

function writtenCallText(t: Translate): string {
  return t("The model wrote a tool call as text instead of calling the tool. Select another model.");
}

/**
 * Whether the token limit cut the answer in or before its text; undefined if it did not. An answer without text cannot
 * be continued.
 */
export function cutOf({
  state,
  text,
}: Pick<AnswerTurn, "state" | "text">): "in-text" | "before-text" | undefined {
  if (state.kind !== "complete" || state.reason !== "length") return undefined;
  return text.trim() === "" ? "before-text" : "in-text";
}

/** A notice about how the answer ended; undefined if there is nothing to say. */
export function answerNotice(answer: EndedAnswer, words: UsageWords): string | undefined {
  const { state } = answer;
  const { t } = words;
  switch (state.kind) {
    case "stopped":
      return t("Stopped.");
    case "interrupted":
      return t("Interrupted: VS Code closed before the answer was complete.");
    case "complete":
      return writesCalls(answer) ? writtenCallText(t) : completeNotice(answer, state.reason, words);
    case "failed":
    case "waiting":
    case "streaming":
    case "retrying":
    case "working":
    case "paused":
      return undefined;
  }
}

function completeNotice(answer: EndedAnswer, reason: StopReason, words: UsageWords): string | undefined {
  const { t } = words;
  const isEmpty = answer.text.trim() === "";
  switch (reason) {
    case "length":
      return isEmpty
        ? [cutBeforeText(answer, words), t("Raise the token limit, then retry.")].join(" ")
        : t("The answer reached its token limit.");
    case "content-filter":
      return t("The service's content filter cut off the answer.");
    case "tool-calls":
      return isEmpty ? t("The model called a tool, but this chat has no tools.") : undefined;
    case "stop":
    case "other":
      return isEmpty ? t("The answer is empty.") : undefined;
  }
}

function cutBeforeText({ reasoning, usage }: EndedAnswer, { t, language }: UsageWords): string {
  if (reasoning.trim() === "") return t("The answer reached its token limit before any text arrived.");
  const tokens = usage?.outputTokens;
  return tokens === undefined
    ? t("The answer reached its token limit while the model was still reasoning.")
    : t(
        "The answer reached its limit of {0} tokens while the model was still reasoning.",
        new Intl.NumberFormat(language).format(tokens),
      );
}

/** Names the failure and the time until the next try. With 0 seconds left, says that the request is being retried. */
export function retryText({ title, attempt, of }: RetryingState, seconds: number, t: Translate): string {
  return seconds === 0
    ? t("{0}. Trying again ({1} of {2})", title, attempt, of)
    : t("{0}. Trying again in {1} s ({2} of {3})", title, seconds, attempt, of);
}

/** Says for how many seconds no data has arrived. */
export function silenceText(seconds: number, t: Translate): string {
  return t("No data received for {0} s.", seconds);
}
