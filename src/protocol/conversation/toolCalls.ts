import type { ReasoningPart, ToolArguments, ToolCall } from "./conversation.ts";
import { isFields, parseJson, splitObjects, encodeJson } from "./json.ts";
import type { Fields } from "./json.ts";
import { UnreadableStreamError } from "./wireStyle.ts";

/** What is kept of the arguments of all calls in one answer; characters. */
export const maxArgumentCharacters = 16 * 1024 * 1024;

/** What is kept beside one call; characters of its JSON. More is not kept at all. */
const maxExtraCharacters = 1024 * 1024;

/** A piece of a tool call. Later pieces may repeat id and name, leave them out, or have them empty. */
export interface ToolCallPiece {
  /** Tells calls that arrive at once apart; some servers send none, some the same for all. */
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** The whole arguments ahead of those that are streamed; of no account where these are an object. */
  readonly initialArguments?: string;
  /** What goes back with the call as it came. */
  readonly extra?: Fields;
}

/** What tells calls, or blocks, apart; some gateways send it as a text. */
export function readIndex(index: unknown): number | undefined {
  if (typeof index === "string" && /^\d{1,4}$/.test(index)) return Number(index);
  return typeof index === "number" ? index : undefined;
}

interface OpenCall {
  readonly initialArguments: string;
  readonly index: number | undefined;
  id: string;
  name: string;
  text: string;
  /** The text where each piece repeats those before it. */
  latest: string;
  extra: Fields | undefined;
}

/**
 * Joins the tool calls of one stream from their pieces; each is found at once, however many a hostile service sends.
 * Throws UnreadableStreamError where their arguments do not end.
 */
export class ToolCallCollector {
  /** In the order they were begun. */
  #begun: OpenCall[] = [];
  /** Those that are open under an index, the last begun at the end. */
  readonly #byIndex = new Map<number | undefined, OpenCall[]>();
  /** The first with this id. */
  readonly #byId = new Map<string, OpenCall>();
  #made = 0;
  #characters = 0;
  #mark: string | undefined;
  #extras: ReasoningPart[] = [];

  /** Of the arguments of all calls so far. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * A piece with a name begins a call, unless it has the id of one that is open or adds to one without.
   * False where it is of no call.
   */
  take(piece: ToolCallPiece): boolean {
    const call = this.#continued(piece);
    if (call === undefined) {
      const begins = piece.id !== "" || piece.name !== "";
      if (begins) this.begin(piece);
      return begins;
    }
    if (call.id === "") {
      call.id = piece.id;
      this.#noteId(call);
    }
    if (call.name === "") call.name = piece.name;
    if (piece.extra !== undefined) call.extra = piece.extra;
    this.#extend(call, piece.text);
    return true;
  }

  begin({ index, id, name, text, initialArguments = "", extra }: ToolCallPiece): void {
    const call = { index, id, name, text: "", latest: "", initialArguments, extra };
    this.#countCharacters(initialArguments);
    this.#extend(call, text);
    this.#begun.push(call);
    const same = this.#byIndex.get(index);
    if (same === undefined) this.#byIndex.set(index, [call]);
    else same.push(call);
    this.#noteId(call);
  }

  #noteId(call: OpenCall): void {
    if (call.id !== "" && !this.#byId.has(call.id)) this.#byId.set(call.id, call);
  }

  /** Adds to the arguments of the call under this index; false where there is none. */
  add(index: number | undefined, text: string): boolean {
    const call = this.#byIndex.get(index)?.at(-1);
    if (call !== undefined) this.#extend(call, text);
    return call !== undefined;
  }

  #extend(call: OpenCall, text: string): void {
    call.text += text;
    call.latest = text.startsWith(call.latest) ? text : call.latest + text;
    this.#countCharacters(text);
  }

  #countCharacters(text: string): void {
    this.#characters += text.length;
    if (this.#characters > maxArgumentCharacters) throw new UnreadableStreamError("too-large", "");
  }

  /** Every call is over; in the order they were begun. */
  closeAll(): readonly ToolCall[] {
    const calls = this.#begun;
    this.#begun = [];
    this.#byIndex.clear();
    this.#byId.clear();
    return calls.map((call) => this.#finish(call));
  }

  #continued(piece: ToolCallPiece): OpenCall | undefined {
    const { index, id, name } = piece;
    const call =
      index === undefined ? (this.#byId.get(id) ?? this.#begun.at(-1)) : this.#byIndex.get(index)?.at(-1);
    if (call === undefined || name === "" || (id !== "" && id === call.id)) return call;
    return beginsOtherCall(call, piece) ? undefined : call;
  }

  /** What came beside the calls that are over, since it was asked for last. */
  takeExtras(): readonly ReasoningPart[] {
    const extras = this.#extras;
    this.#extras = [];
    return extras;
  }

  #finish(call: OpenCall): ToolCall {
    const { name, extra } = call;
    this.#made += 1;
    const id = call.id === "" ? this.#madeUpId() : call.id;
    if (extra !== undefined && JSON.stringify(extra).length <= maxExtraCharacters)
      this.#extras.push({ type: "reasoning", form: "call", callId: id, extra });
    return {
      type: "tool-call",
      id,
      name,
      arguments: argumentsOf(call),
    };
  }

  /** Unlike those of the answers before, which go back to the service together. */
  #madeUpId(): string {
    this.#mark ??= crypto.randomUUID().slice(0, 8);
    return `call_${this.#mark}_${this.#made}`;
  }
}

/** Whether a piece with a name, under a call's index, begins another call. */
function beginsOtherCall(call: OpenCall, { index, id, name, text }: ToolCallPiece): boolean {
  if (id !== "") return call.id !== "";
  if (index === undefined || (call.name !== "" && name !== call.name)) return true;
  // Some servers say the name with every piece; arguments that are whole are not gone on with.
  return text.startsWith("{") && isFields(parseJson(call.text));
}

function argumentsOf({ text, latest, initialArguments }: OpenCall): ToolArguments {
  if (text === "") return readToolArguments(initialArguments);
  const readings = [
    readToolArguments(text),
    ...(initialArguments === "" ? [] : [readToolArguments(initialArguments)]),
  ];
  const streamed = readings.find(({ kind }) => kind === "object");
  return streamed ?? readRepeated(text, latest) ?? { kind: "invalid", text };
}

/** Some gateways write an empty object first, or the same arguments again. */
function readRepeated(text: string, latest: string): ToolArguments | undefined {
  const restated = readToolArguments(latest);
  if (restated.kind === "object") return restated;
  const objects = (splitObjects(text) ?? []).filter((each) => Object.keys(each).length > 0);
  const [value] = objects;
  const isOne = objects.every((each) => JSON.stringify(each) === JSON.stringify(value));
  return value !== undefined && isOne ? { kind: "object", value } : undefined;
}

/** Reads arguments, given as JSON in a text or as an object. No text at all means that none are needed. */
export function readToolArguments(given: unknown): ToolArguments {
  if (typeof given !== "string") {
    return isFields(given)
      ? { kind: "object", value: given }
      : { kind: "invalid", text: JSON.stringify(given ?? null) };
  }
  const json = given.trim() === "" ? {} : parseJson(given);
  // Some servers encode them twice.
  const read = typeof json === "string" ? parseJson(json) : json;
  return isFields(read) ? { kind: "object", value: read } : { kind: "invalid", text: given };
}

/** The arguments as the JSON text that they came as, or would come as. */
export function toolArgumentsText(given: ToolArguments): string {
  return given.kind === "object" ? encodeJson(given.value) : given.text;
}
