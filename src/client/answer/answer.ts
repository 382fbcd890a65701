import type { StreamPart } from "../../protocol/conversation/conversation.ts";
import type { WireStyle } from "../../protocol/conversation/wireStyle.ts";
import { AnswerReader } from "./answerReader.ts";
import type { AnswerHead } from "./answerReader.ts";
import { InferenceError } from "../failure/failure.ts";
import type { Failure } from "../failure/failure.ts";
import { readRequestId } from "../http/requestId.ts";
import { isAbortError, readThrown } from "../failure/thrown.ts";
import { readThrownFacts } from "../failure/thrownFacts.ts";

/**
 * Reads the answer to a request for a conversation's next turn, streamed or whole, in the shape the
 * server chose. Yields the parts of one network read at a time, in order, none of them `error`.
 * Returns once the answer is complete; leaving the loop early closes the body.
 *
 * @param answer a head with a success status, and its body
 * @param nowMs the clock, for dates in headers
 * @param onRead called at each read of the body, also where it holds no part, with whether nothing more is to be waited
 *   for, and whether it held something of the answer
 * @throws InferenceError `stream-error`, `interrupted`, `unreadable`, `refused` or `timeout`, after
 *   the parts that came before; an abort passes through as it was thrown
 */
export async function* readAnswer(
  style: WireStyle,
  answer: AnswerHead & { readonly body: AsyncIterable<Uint8Array> },
  nowMs: number = Date.now(),
  onRead?: (isClosing: boolean, hasProgressed: boolean) => void,
): AsyncGenerator<readonly StreamPart[], void, undefined> {
  const reader = new AnswerReader(style, answer, nowMs);
  let failure: Failure | undefined;
  try {
    for await (const chunk of answer.body) {
      const step = reader.feed(chunk);
      onRead?.(reader.isClosing, reader.hasProgressed);
      if (step.parts.length > 0) yield step.parts;
      ({ failure } = step);
      if (failure !== undefined || reader.isTooLarge) break;
    }
  } catch (error) {
    // After its end an answer is whole, whatever ended the connection.
    if (failure === undefined && !reader.isOver) failure = readBreak(error, answer.headers);
  }
  if (failure === undefined) {
    const last = reader.end();
    if (last.parts.length > 0) yield last.parts;
    ({ failure } = last);
  }
  if (failure !== undefined) throw new InferenceError(failure);
}

/**
 * What a body that broke off means: silence beyond the limit, or an interruption. Keeps no text.
 * @throws the error itself where it is an abort
 */
export function readBreak(error: unknown, headers: AnswerHead["headers"]): Failure {
  if (isAbortError(error)) throw error;
  const thrown = readThrown(error);
  // Shorter than it said it would be is a body whose connection was closed.
  const isShort = readThrownFacts(error).codes.includes("UND_ERR_RES_CONTENT_LENGTH_MISMATCH");
  if (thrown.kind === "unreadable" && !isShort) return thrown;
  const requestId = readRequestId(headers);
  const id = requestId === undefined ? {} : { requestId };
  if (thrown.kind === "timeout") return { kind: "timeout", phase: "idle", ...id };
  const code = "code" in thrown ? { code: thrown.code } : {};
  return { kind: "interrupted", ...code, ...id };
}
