import type { ReasoningPart, ToolArguments, ToolCall } from "./conversation.ts";
import { encodeJson, isFields, isNestedTooDeep, maxNesting, parseJson, splitObjects } from "./json.ts";
import type { Fields } from "./json.ts";
import { UnreadableStreamError } from "./wireStyle.ts";

/** Maximum length of the arguments of all calls in one answer, in UTF-16 code units. */
export const maxArgumentCharacters = 16 * 1024 * 1024;

/** Maximum length of the extra content of one call, in characters of JSON. Longer content is dropped. */
const maxExtraCharacters = 1024 * 1024;

/** A piece of a tool call. In later pieces, ID and name may be repeated, absent or empty. */
export interface ToolCallPiece {
  /** Distinguishes calls that arrive interleaved. Some servers send no index, others the same index for all calls. */
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Complete arguments sent before the streamed ones. Ignored if the streamed ones are an object. */
  readonly initialArguments?: string;
  /** Content that must be sent back unchanged with the call. */
  readonly extra?: Fields;
}

/** Reads the index of a call or block. Some gateways send it as a string. */
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
  /** The arguments, for services whose pieces repeat the text of all earlier pieces. */
  latest: string;
  extra: Fields | undefined;
}

/**
 * Assembles the tool calls of one stream from pieces. Finds each call by map lookup, because a hostile service may send
 * very many. Throws UnreadableStreamError (`too-large`) if the arguments exceed `maxArgumentCharacters`.
 */
export class ToolCallCollector {
  /** Open calls, in the order they began. */
  #begun: OpenCall[] = [];
  /** Open calls by index; the newest is last. */
  readonly #byIndex = new Map<number | undefined, OpenCall[]>();
  /** The first open call with each ID. */
  readonly #byId = new Map<string, OpenCall>();
  #made = 0;
  #characters = 0;
  #mark: string | undefined;
  #extras: ReasoningPart[] = [];

  /** Number of characters in the arguments of all calls so far. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Adds a piece to its call. A piece with an ID or name that continues no open call begins a new one. Returns false if
   * the piece belongs to no call.
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

  /** Adds to the arguments of the newest call with this index. Returns false if there is none. */
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

  /** Ends all calls and returns them in the order they began. */
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

  /** Returns the extra content of calls that ended since the last time this was called. */
  takeExtras(): readonly ReasoningPart[] {
    const extras = this.#extras;
    this.#extras = [];
    return extras;
  }

  #finish(call: OpenCall): ToolCall {
    const { name, extra } = call;
    this.#made += 1;
    const id = call.id === "" ? this.#madeUpId() : call.id;
    const isKept = extra !== undefined && !isNestedTooDeep(extra);
    if (isKept && JSON.stringify(extra).length <= maxExtraCharacters)
      this.#extras.push({ type: "reasoning", form: "call", callId: id, extra });
    return {
      type: "tool-call",
      id,
      name,
      arguments: argumentsOf(call),
    };
  }

  /** Returns an ID that is unique across answers, because requests contain the calls of earlier answers. */
  #madeUpId(): string {
    this.#mark ??= crypto.randomUUID().slice(0, 8);
    return `call_${this.#mark}_${this.#made}`;
  }
}

/** Whether a piece with a name begins another call instead of continuing `call`. */
function beginsOtherCall(call: OpenCall, { index, id, name, text }: ToolCallPiece): boolean {
  if (id !== "") return call.id !== "";
  if (index === undefined || (call.name !== "" && name !== call.name)) return true;
  // Some servers repeat the name in every piece. After complete arguments, the piece begins a new call.
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

/** Reads repeated arguments. Some gateways send an empty object first, or send the arguments twice. */
function readRepeated(text: string, latest: string): ToolArguments | undefined {
  const restated = readToolArguments(latest);
  if (restated.kind === "object") return restated;
  const objects = (splitObjects(text) ?? []).filter((each) => Object.keys(each).length > 0);
  const [value] = objects;
  if (objects.some(isNestedTooDeep)) return undefined;
  const isOne = objects.every((each) => JSON.stringify(each) === JSON.stringify(value));
  return value !== undefined && isOne ? { kind: "object", value } : undefined;
}

/** Stands for arguments that arrived as an object and are nested too deep to be written as JSON. */
const tooDeepText = `(Arguments nested more than ${maxNesting} levels deep)`;

/** Returns arguments that arrived as a value as JSON text. If they are nested too deep, the text is no JSON. */
export function writeGivenArguments(given: unknown): string {
  return isNestedTooDeep(given) ? tooDeepText : JSON.stringify(given ?? null);
}

/**
 * Reads arguments given as JSON text or as an object. An empty text means no arguments. Arguments nested more than
 * `maxNesting` levels deep are invalid.
 */
export function readToolArguments(given: unknown): ToolArguments {
  if (typeof given !== "string") {
    return isFields(given) && !isNestedTooDeep(given)
      ? { kind: "object", value: given }
      : { kind: "invalid", text: writeGivenArguments(given) };
  }
  const read = parseArguments(given);
  return isFields(read) && !isNestedTooDeep(read)
    ? { kind: "object", value: read }
    : { kind: "invalid", text: given };
}

function parseArguments(given: string): unknown {
  const json = given.trim() === "" ? {} : parseJson(given);
  // Some servers encode the arguments twice.
  return typeof json === "string" ? parseJson(json) : json;
}

/** Says what is wrong with invalid arguments, for the model. */
export function describeInvalidArguments(text: string): string {
  return text === tooDeepText || isFields(parseArguments(text))
    ? `The arguments are nested more than ${maxNesting} levels deep.`
    : "The arguments are not a JSON object.";
}

/** Returns the arguments as JSON text. Invalid arguments are returned as received. */
export function toolArgumentsText(given: ToolArguments): string {
  return given.kind === "object" ? encodeJson(given.value) : given.text;
}
