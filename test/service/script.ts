import * as v from "valibot";
import { Refusal } from "./errorAnswers.ts";
import type { AnswerSource, Ask, GenerationPart, StopReason } from "./generation.ts";
import { makeCall } from "./obedience.ts";
import type { Pacing } from "./pacing.ts";
import { splitIntoTokens } from "./tokens.ts";

const stopReasons = [
  "stop",
  "length",
  "tool-calls",
  "content-filter",
] as const satisfies readonly StopReason[];

const partSchema = v.union([
  v.strictObject({ text: v.string() }),
  v.strictObject({ reasoning: v.string() }),
  /** `arguments`: a value that is sent as JSON, or a text that is sent as it is. `id` overrides the made one. */
  v.strictObject({
    call: v.string(),
    arguments: v.union([v.string(), v.record(v.string(), v.unknown())]),
    id: v.exactOptional(v.string()),
  }),
  /** Breaks the connection. */
  v.strictObject({ cut: v.literal(true) }),
  v.strictObject({ end: v.picklist(stopReasons) }),
]);

const stepSchema = v.strictObject({
  /** Conditions on the request. If one does not hold, the service refuses the request and names the condition. */
  expect: v.exactOptional(
    v.strictObject({
      /** Names of all tools that the request offers, in any order. */
      tools: v.exactOptional(v.array(v.string())),
      /** Parts of the newest results, in order: each result contains its part. */
      results: v.exactOptional(v.array(v.string())),
      /** The number of images beside the newest results. */
      images: v.exactOptional(v.number()),
      /** A part of the last message of the user. */
      user: v.exactOptional(v.string()),
      /** A part of the system text. */
      system: v.exactOptional(v.string()),
    }),
  ),
  send: v.array(partSchema),
});

export type ScriptStep = v.InferOutput<typeof stepSchema>;
export type ScriptPart = ScriptStep["send"][number];

/** Reads a script from JSON. @throws ValiError */
export function readScript(json: string): readonly ScriptStep[] {
  return v.parse(v.array(stepSchema), JSON.parse(json));
}

/** Plays scripts to requests that offer tools, one step a request. All other requests go to another source. */
export class ScriptPlayer implements AnswerSource {
  readonly #pacing: Pacing;
  readonly #other: AnswerSource;
  readonly #ahead: ScriptStep[];
  #played = 0;

  constructor(pacing: Pacing, other: AnswerSource, script: readonly ScriptStep[]) {
    this.#pacing = pacing;
    this.#other = other;
    this.#ahead = [...script];
  }

  /** Adds steps at the end. */
  add(script: readonly ScriptStep[]): void {
    this.#ahead.push(...script);
  }

  /** Removes the steps that no request has taken. */
  clear(): void {
    this.#ahead.length = 0;
  }

  /** Steps that no request has taken. */
  get left(): number {
    return this.#ahead.length;
  }

  async open(ask: Ask, signal: AbortSignal): Promise<AsyncIterable<GenerationPart>> {
    const [step] = this.#ahead;
    if (step === undefined || ask.tools.length === 0) return this.#other.open(ask, signal);
    this.#played += 1;
    const fault = findFault(step, ask);
    if (fault !== undefined) throw new Refusal("out-of-range", `Script step ${this.#played}: ${fault}`);
    this.#ahead.shift();
    return paced(play(step.send), this.#pacing.begin(signal));
  }
}

function findFault({ expect = {} }: ScriptStep, ask: Ask): string | undefined {
  const { tools, results, images, user, system } = expect;
  const offered = ask.tools.map(({ name }) => name);
  if (tools !== undefined && tools.toSorted().join() !== offered.toSorted().join()) {
    return `expected the tools ${tools.join(", ")}, but got ${offered.join(", ")}.`;
  }
  const lastAnswer = ask.messages.findLastIndex(({ role }) => role === "assistant");
  const newest = ask.messages.slice(lastAnswer + 1);
  const seen = newest.flatMap((message) => message.images).length;
  if (images !== undefined && images !== seen) return `expected ${images} images, but got ${seen}.`;
  const given = newest.filter(({ role }) => role === "tool");
  if (results !== undefined && results.length !== given.length) {
    return `expected ${results.length} results, but got ${given.length}.`;
  }
  const wrong = (results ?? []).findIndex((part, index) => given[index]?.text.includes(part) !== true);
  if (wrong >= 0)
    return `result ${wrong + 1} lacks "${results?.[wrong]}". It is: ${given[wrong]?.text.slice(0, 300)}`;
  const texts = (role: string): string =>
    ask.messages.findLast((message) => message.role === role)?.text ?? "";
  if (user !== undefined && !texts("user").includes(user)) return `the last message lacks "${user}".`;
  if (system !== undefined && !texts("system").includes(system)) return `the system text lacks "${system}".`;
  return undefined;
}

async function* paced(
  parts: AsyncIterable<GenerationPart>,
  pause: () => Promise<void>,
): AsyncGenerator<GenerationPart, void, undefined> {
  for await (const part of parts) {
    await pause();
    yield part;
  }
}

async function* play(parts: readonly ScriptPart[]): AsyncGenerator<GenerationPart, void, undefined> {
  let end: StopReason = "stop";
  for (const part of parts) {
    if ("text" in part) for (const text of splitIntoTokens(part.text)) yield { type: "piece", text };
    else if ("reasoning" in part) yield { type: "reasoning", text: part.reasoning };
    else if ("cut" in part) {
      yield { type: "cut" };
      return;
    } else if ("end" in part) end = part.end;
    else {
      const given = typeof part.arguments === "string" ? part.arguments : JSON.stringify(part.arguments);
      const call = makeCall(part.call, given);
      yield { type: "tool-call", ...call, ...(part.id === undefined ? {} : { id: part.id }) };
      end = "tool-calls";
    }
  }
  yield { type: "end", stopReason: end };
}
