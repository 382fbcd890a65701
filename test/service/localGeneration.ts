import { randomUUID } from "node:crypto";
import { type Directions, readDirections } from "./directions.ts";
import type { AnswerCall, AnswerSource, Ask, GenerationPart } from "./generation.ts";
import { generateText } from "./generator.ts";
import { callTools, makeCall, obey } from "./obedience.ts";
import type { Pacing } from "./pacing.ts";
import { splitIntoTokens } from "./tokens.ts";

/** Returns the tool calls to make, with arguments as JSON text. `undefined`: the message decides. */
export type PlannedCalls = (
  ask: Ask,
) => readonly { readonly name: string; readonly arguments: string }[] | undefined;

/** Options that override what the message asks for. */
export interface LocalManner {
  readonly answers?: (message: string) => string | undefined;
  readonly calls?: PlannedCalls;
  /** Whether the model reasons if the request offers tools. */
  readonly thinks?: () => boolean;
}

/**
 * Generates answers locally, one token per piece. The message may set the pace; the default is the pace of `pacing`. A
 * text from `answers` replaces the generated text.
 */
export function createLocalSource(pacing: Pacing, manner: LocalManner = {}): AnswerSource {
  const { answers = () => undefined, calls = () => undefined, thinks = () => false } = manner;
  return {
    open(ask, signal) {
      const message = lastUserText(ask);
      const directions = readDirections(message);
      const planned = calls(ask)?.map((call) => makeCall(call.name, call.arguments));
      const called = planned ?? callTools(ask);
      const isThinking = ask.thinks || (thinks() && ask.tools.length > 0);
      if (called.length > 0)
        return Promise.resolve(isThinking ? answerByThoughtCalls(called) : answerByCalls(called));
      const given = answers(message);
      const texts = given === undefined ? (obey(ask) ?? generateText(directions)) : [given];
      const answer = generate(texts, ask.maxTokens, directions, pacing.begin(signal, directions.pace));
      return Promise.resolve(isThinking ? thinkAhead(answer) : answer);
    },
  };
}

async function* answerByCalls(calls: readonly AnswerCall[]): AsyncGenerator<GenerationPart, void, undefined> {
  for (const call of calls) yield { type: "tool-call", ...call };
  yield { type: "end", stopReason: "tool-calls" };
}

/** Reasons before each call, with text between two thoughts: covers every order that a client must preserve. */
async function* answerByThoughtCalls(
  calls: readonly AnswerCall[],
): AsyncGenerator<GenerationPart, void, undefined> {
  for (const [index, call] of calls.entries()) {
    yield { type: "reasoning", text: `Step ${index + 1}: I need ${call.name} (${randomUUID()}).\n` };
    if (index === 0) {
      yield { type: "piece", text: "Let me look." };
      yield { type: "reasoning", text: "It is secret why.", isRedacted: true };
    }
    yield { type: "tool-call", ...call };
  }
  yield { type: "end", stopReason: "tool-calls" };
}

async function* thinkAhead(
  answer: AsyncIterable<GenerationPart>,
): AsyncGenerator<GenerationPart, void, undefined> {
  yield { type: "reasoning", text: "I can answer now." };
  yield* answer;
}

function lastUserText({ messages }: Ask): string {
  return messages.findLast(({ role }) => role === "user")?.text ?? "";
}

async function* generate(
  texts: Iterable<string>,
  maxTokens: number | undefined,
  { ending }: Directions,
  pause: () => Promise<void>,
): AsyncGenerator<GenerationPart, void, undefined> {
  let count = 0;
  for (const text of texts) {
    for (const piece of splitIntoTokens(text)) {
      if (count === maxTokens) {
        yield { type: "end", stopReason: "length" };
        return;
      }
      await pause();
      count += 1;
      yield { type: "piece", text: piece };
    }
  }
  if (ending === "cut") yield { type: "cut" };
  else yield { type: "end", stopReason: ending === "filter" ? "content-filter" : "stop" };
}
