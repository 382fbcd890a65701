import { createHash } from "node:crypto";
import { literal, looseObject, optional, picklist, safeParse } from "valibot";
import { Refusal } from "./errorAnswers.ts";
import { countTokens } from "./tokens.ts";

/** Number of input tokens of a request that were read from the cache, and number that were written to it. */
export interface CachedTokens {
  readonly read: number;
  readonly written: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** A piece of the prompt. The messages style caches tools first, then system, then messages. */
interface Piece {
  readonly path: string;
  readonly role: string;
  readonly block: Fields;
}

const mostMarks = 4;
const markSchema = looseObject({
  type: literal("ephemeral"),
  ttl: optional(picklist(["5m", "1h"])),
});

/** Remembers prompts up to each cache mark, per key and model, as the messages style does. */
export class PromptCache {
  readonly #kept = new Set<string>();

  /**
   * Counts a request's cached tokens and stores its prompts; undefined if nothing is marked. Throws a `Refusal` if
   * a mark is invalid.
   */
  take(body: unknown, owner: string): CachedTokens | undefined {
    const pieces = piecesOf(body);
    const marked = pieces.filter(({ block }) => "cache_control" in block);
    for (const piece of marked) checkMark(piece);
    if (marked.length > mostMarks)
      throw wrongMark(`A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`);
    const last = pieces.findLastIndex((piece) => marked.includes(piece));
    if (last === -1) return undefined;
    const hash = createHash("sha256").update(owner);
    let tokens = 0;
    let read = 0;
    const made: string[] = [];
    for (const { role, block } of pieces.slice(0, last + 1)) {
      const { cache_control: mark, ...plain } = block;
      hash.update(JSON.stringify([role, plain]));
      tokens += countTokens(typeof plain["text"] === "string" ? plain["text"] : JSON.stringify(plain));
      const name = hash.copy().digest("hex");
      if (this.#kept.has(name)) read = tokens;
      if (mark !== undefined) made.push(name);
    }
    for (const name of made) this.#kept.add(name);
    return { read, written: tokens - read };
  }
}

export function countMarks(body: unknown): number {
  return piecesOf(body).filter(({ block }) => "cache_control" in block).length;
}

/** Returns the path of the first mark, such as `tools.0.cache_control`; undefined if there is no mark. */
export function firstMark(body: unknown): string | undefined {
  const marked = piecesOf(body).find(({ block }) => "cache_control" in block);
  return marked === undefined ? undefined : `${marked.path}.cache_control`;
}

function checkMark({ path, block }: Piece): void {
  const place = `${path}.cache_control`;
  if (block["type"] === "thinking" || block["type"] === "redacted_thinking")
    throw wrongMark(`${place}: cache_control cannot be set for thinking blocks`);
  if (!safeParse(markSchema, block["cache_control"]).success)
    throw wrongMark(`${place}.type: Input should be 'ephemeral'`);
}

function wrongMark(sentence: string): Refusal {
  return new Refusal("out-of-range", sentence, "cache_control");
}

function piecesOf(body: unknown): readonly Piece[] {
  if (!isFields(body)) return [];
  const messages = listOf(body["messages"]).flatMap((message, index) => {
    const { role, content } = isFields(message) ? message : {};
    return blocksOf(content).map((block, at) =>
      toPiece(`messages.${index}.content.${at}`, String(role), block),
    );
  });
  return [
    ...listOf(body["tools"]).map((tool, index) => toPiece(`tools.${index}`, "tool", tool)),
    ...blocksOf(body["system"]).map((block, index) => toPiece(`system.${index}`, "system", block)),
    ...messages,
  ];
}

function toPiece(path: string, role: string, block: unknown): Piece {
  return { path, role, block: isFields(block) ? block : {} };
}

/** Converts a string into one text block. */
function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
