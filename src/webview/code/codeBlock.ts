import type { Translate } from "../../text/translate.ts";
import { createCodeHeader, type CodeHeader } from "./codeHeader.ts";
import type { CodeToken, LineTokenizer } from "./codeHighlighting.ts";
import { type AppendCode, CodePart } from "./codePart.ts";
import { readFenceInfo } from "../../text/markdown/codeBlockInfo.ts";
import { watchOverflow } from "../scrolling/scrollStops.ts";

/**
 * Maximum number of lines and UTF-16 units per part of a code block. New text changes the layout of the last part only.
 */
const linesPerPart = 40;
const maxPartLength = 8192;
/** A longer line wraps and continues in further parts. Nobody scrolls that far, and layout time grows with the line. */
const maxLineLength = 2048;
/** Further parts are not colored. */
const maxColouredParts = 250;

/** A code block of an answer. Its text streams in; colors follow line by line. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly language: string;
  /** The info string: the text after the opening fence. */
  readonly info: string;
  readonly #code: HTMLElement;
  readonly #header: CodeHeader;
  readonly #append: AppendCode;
  readonly #source: string[] = [];
  readonly #parts: CodePart[] = [];
  /** Number of lines and UTF-16 units in the last part. */
  #lines = 0;
  #length = 0;
  /** Length of the last line. */
  #lineLength = 0;
  #invisible = 0;
  #coloured = 0;
  #ended = false;
  #tokenizer: LineTokenizer | undefined;

  constructor(info: string, append: AppendCode, translate: Translate) {
    const read = readFenceInfo(info);
    this.info = info;
    this.language = read.language;
    this.#append = append;
    this.element = document.createElement("div");
    this.element.className = "code-block";
    this.#header = createCodeHeader(read, translate);
    const block = document.createElement("pre");
    this.#code = document.createElement("code");
    // Code reads from left to right in every language.
    block.dir = "ltr";
    block.append(this.#code);
    watchOverflow(block, translate("Code"));
    this.element.append(this.#header.element, block);
  }

  /** The exact text, even if marks or replacement characters are shown for parts of it. */
  get text(): string {
    return this.#source.join("");
  }

  append(text: string): void {
    this.#source.push(text);
    const before = this.#invisible;
    for (const line of text.split(/(?<=\n)/)) {
      for (let start = 0; start < line.length; start += maxLineLength) {
        this.#appendPiece(line.slice(start, start + maxLineLength));
      }
    }
    this.#showInvisibleCount(before);
  }

  end(): void {
    const before = this.#invisible;
    this.#invisible += this.#parts.at(-1)?.end() ?? 0;
    this.#showInvisibleCount(before);
    this.#ended = true;
  }

  /** Sets the tokenizer that colors the existing and all further text. */
  setTokenizer(tokenizer: LineTokenizer | undefined): void {
    this.#tokenizer = tokenizer;
  }

  /** Colors whole lines until `deadline`. Returns true when no line is left. */
  colour(deadline: number): boolean {
    const last = Math.min(this.#parts.length, maxColouredParts) - 1;
    while (this.#tokenizer !== undefined && this.#coloured <= last) {
      const part = this.#parts[this.#coloured];
      if (part === undefined) return true;
      const isOpen = this.#coloured === this.#parts.length - 1 && !this.#ended;
      if (!colourPart(part, this.#tokenizer, isOpen, deadline)) return false;
      if (isOpen) return true;
      this.#coloured += 1;
    }
    return true;
  }

  #appendPiece(text: string): void {
    this.#lineLength += text.length;
    const isLong = this.#lineLength > maxLineLength;
    const room = isLong ? maxLineLength : maxPartLength;
    let part = this.#parts.at(-1);
    let open = "";
    if (part === undefined || this.#lines >= linesPerPart || this.#length + text.length > room) {
      open = part?.consumeOpen() ?? "";
      part = new CodePart(this.#append);
      this.#parts.push(part);
      this.#code.append(part.element);
      this.#lines = 0;
      this.#length = 0;
    }
    if (isLong) part.wrap();
    this.#invisible += part.append(open + text);
    this.#length += text.length;
    if (text.endsWith("\n")) {
      // Start a new part after a wrapped line, so that the next line does not wrap.
      this.#lines = isLong ? linesPerPart : this.#lines + 1;
      this.#lineLength = 0;
    }
  }

  #showInvisibleCount(before: number): void {
    if (this.#invisible > before) this.#header.showInvisibleCount(this.#invisible);
  }
}

/** Returns false if the deadline has passed before the end. */
function colourPart(part: CodePart, tokenizer: LineTokenizer, isOpen: boolean, deadline: number): boolean {
  const { rest, isWrapped } = part;
  if (isWrapped) return true;
  const end = isOpen ? rest.lastIndexOf("\n") + 1 : rest.length;
  const tokens: CodeToken[] = [];
  let start = 0;
  while (start < end && performance.now() < deadline) {
    const lineEnd = rest.indexOf("\n", start);
    const stop = lineEnd < 0 ? end : lineEnd;
    for (const token of tokenizer.tokenize(rest.slice(start, stop))) tokens.push(token);
    if (lineEnd >= 0) tokens.push({ text: "\n", kind: null });
    start = lineEnd < 0 ? end : lineEnd + 1;
  }
  if (start > 0) part.colour(tokens, start);
  return start >= end;
}
