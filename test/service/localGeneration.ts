import { type Directions, readDirections } from "./directions.ts";
import type { AnswerCall, AnswerSource, Ask, GenerationPart } from "./generation.ts";
import { generateText } from "./generator.ts";
import { callTools, makeCall, obey } from "./obedience.ts";
import type { Pacing } from "./pacing.ts";
import { splitIntoTokens } from "./tokens.ts";

/** Calls of tools, their arguments as text; undefined leaves it to the message's own words. */
export type PlannedCalls = (
  ask: Ask,
) => readonly { readonly name: string; readonly arguments: string }[] | undefined;

/**
 * Answers made by the service itself, one token a piece, at the pace that the message asks for or else
 * that of `pacing`. What `answers` knows takes the place of what is made.
 */
export function createLocalSource(
  pacing: Pacing,
  answers: (message: string) => string | undefined = () => undefined,
  calls: PlannedCalls = () => undefined,
): AnswerSource {
  return {
    open(ask, signal) {
      const message = lastUserText(ask);
      const directions = readDirections(message);
      const planned = calls(ask)?.map((call) => makeCall(call.name, call.arguments));
      const called = planned ?? callTools(ask);
      if (called.length > 0) return Promise.resolve(answerByCalls(called));
      const given = answers(message);
      const texts = given === undefined ? (obey(ask) ?? generateText(directions)) : [given];
      return Promise.resolve(
        generate(texts, ask.maxTokens, directions, pacing.begin(signal, directions.pace)),
      );
    },
  };
}

async function* answerByCalls(calls: readonly AnswerCall[]): AsyncGenerator<GenerationPart, void, undefined> {
  for (const call of calls) yield { type: "tool-call", ...call };
  yield { type: "end", stopReason: "tool-calls" };
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
