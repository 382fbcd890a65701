import { isFields, parseJson } from "../../protocol/conversation/json.ts";
import type { ToolCall } from "../../protocol/conversation/conversation.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import type { CallResult } from "../transcript/steps.ts";
import type { PauseReason } from "../transcript/transcript.ts";

/** A call with the same result: the model is told at the second time, the user is asked at the third. */
const toldAt = 2;
const askedAt = 3;
/** Failed calls in a row. */
const maxFailures = 3;

const repeatedNote =
  "You made this same call before, with the same result. Do not repeat it. Try something else, or answer with what you know.";

/** Notices an answer that goes round in circles. */
export class LoopGuard {
  readonly #seen = new Map<string, { readonly text: string; readonly count: number }>();
  #failures = 0;
  #pause: PauseReason | undefined;

  /** The result as the model gets it. */
  note(call: ToolCall, result: CallResult): CallResult {
    this.#failures = result.outcome === "failed" || result.outcome === "invalid" ? this.#failures + 1 : 0;
    if (this.#failures >= maxFailures) this.#pause ??= { type: "failures", count: this.#failures };
    const key = `${call.name} ${argumentsOf(call)}`;
    const before = this.#seen.get(key);
    const count = before?.text === result.text ? before.count + 1 : 1;
    this.#seen.set(key, { text: result.text, count });
    if (count >= askedAt) this.#pause = { type: "loop", tool: call.name, count };
    return count < toldAt ? result : { ...result, text: `${result.text}\n\n${repeatedNote}` };
  }

  /** Why the user is asked now. Counting starts again. */
  takePause(): PauseReason | undefined {
    const pause = this.#pause;
    if (pause === undefined) return undefined;
    this.#pause = undefined;
    this.#failures = 0;
    this.#seen.clear();
    return pause;
  }
}

function argumentsOf({ arguments: given }: ToolCall): string {
  return given.kind === "object" ? canonicalJson(given.value) : toolArgumentsText(given);
}

/** JSON with sorted keys: the same text for the same value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => sortKeys(each)) ?? "null";
}

function sortKeys(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Elements that models write for a call if they do not make one. */
const elements =
  /<(?:tool_call|function_call|function|invoke|tool_use)\b|<\|tool_calls?(?:_begin)?\|>|\[TOOL_CALLS\]/i;
const fences = /```[\w-]*\n([\s\S]*?)```/g;

/** Whether a text holds the call of one of these tools, written out instead of made. */
export function hasWrittenCall(text: string, toolNames: readonly string[]): boolean {
  const names = toolNames.filter((name) => text.includes(name));
  if (names.length === 0) return false;
  if (elements.test(text)) return true;
  if (names.some((name) => text.includes(`<${name}>`))) return true;
  const blocks = [text, ...Array.from(text.matchAll(fences), ([, block = ""]) => block)];
  const values = blocks.flatMap((block) => parseJson(block.trim()));
  return values.some((value) => names.some((name) => isCallOf(name, value)));
}

function isCallOf(name: string, value: unknown): boolean {
  if (!isFields(value)) return false;
  const inner = value["function"];
  return value["name"] === name || value["tool"] === name || (isFields(inner) && inner["name"] === name);
}
