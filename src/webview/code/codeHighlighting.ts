import { StringStream, type StreamParser } from "@codemirror/streamparser";
import type { CodeKind } from "../../chat/page/codeColors.ts";
import { parserOf } from "./codeLanguages.ts";

/** Maximum length of a line to color, in UTF-16 units. */
const maxLineLength = 2000;
/** Maximum number of steps without progress before the parser counts as stuck. */
const maxIdleSteps = 20;
const indent = 2;
const tabSize = 4;

/** A piece of a line with its kind, such as `keyword`; null if the kind is unknown. */
export interface CodeToken {
  readonly text: string;
  readonly kind: CodeKind | null;
}

/** Splits lines into colored tokens. Pass the lines in order, because the state carries over. */
export interface LineTokenizer {
  /** `line` has no line break. */
  tokenize(line: string): readonly CodeToken[];
}

/** Returns undefined if the language is unknown. */
export function createLineTokenizer(language: string): LineTokenizer | undefined {
  const parser = parserOf(language.toLowerCase());
  return parser === undefined ? undefined : new ParserTokenizer(parser);
}

class ParserTokenizer implements LineTokenizer {
  readonly #parser: StreamParser<unknown>;
  readonly #state: unknown;

  constructor(parser: StreamParser<unknown>) {
    this.#parser = parser;
    this.#state = parser.startState?.(indent);
  }

  tokenize(line: string): readonly CodeToken[] {
    if (line.length > maxLineLength) return [{ text: line, kind: null }];
    try {
      return this.#read(line);
    } catch {
      // Some parsers throw on text that is not code of their language.
      return [{ text: line, kind: null }];
    }
  }

  #read(line: string): CodeToken[] {
    if (line === "") {
      this.#parser.blankLine?.(this.#state, indent);
      return [];
    }
    const stream = new StringStream(line, tabSize, indent);
    const tokens: CodeToken[] = [];
    let idle = 0;
    while (!stream.eol() && idle < maxIdleSteps) {
      stream.start = stream.pos;
      const style = this.#parser.token(stream, this.#state);
      idle = stream.pos === stream.start ? idle + 1 : 0;
      if (stream.pos > stream.start) {
        push(
          tokens,
          stream.current(),
          kindOf(style, stream.current(), line.slice(stream.pos, stream.pos + 2)),
        );
      }
    }
    if (!stream.eol()) push(tokens, line.slice(stream.pos), null);
    return tokens;
  }
}

function push(tokens: CodeToken[], text: string, kind: CodeKind | null): void {
  const last = tokens.at(-1);
  if (last !== undefined && last.kind === kind) tokens.splice(-1, 1, { text: last.text + text, kind });
  else tokens.push({ text, kind });
}

/** Control-flow and import keywords. Themes color them differently from other keywords. */
const control =
  /^(?:as|async|await|break|case|catch|continue|default|do|elif|else|elseif|end|esac|except|export|fi|finally|for|from|goto|if|import|in|match|package|pass|raise|rescue|return|switch|then|throw|try|unless|until|use|when|where|while|with|yield)$/;

const kinds: Readonly<Record<string, CodeKind>> = {
  keyword: "keyword",
  controlKeyword: "keyword",
  definitionKeyword: "keyword",
  moduleKeyword: "keyword",
  operatorKeyword: "keyword",
  modifier: "keyword",
  self: "keyword",
  atom: "constant",
  bool: "constant",
  null: "constant",
  number: "number",
  integer: "number",
  float: "number",
  unit: "number",
  color: "number",
  string: "string",
  string2: "string",
  character: "string",
  regexp: "string",
  escape: "string",
  url: "string",
  link: "string",
  attributeValue: "string",
  comment: "comment",
  lineComment: "comment",
  blockComment: "comment",
  docComment: "comment",
  typeName: "type",
  type: "type",
  className: "type",
  namespace: "type",
  macroName: "function",
  tagName: "tag",
  tag: "tag",
  heading: "tag",
  attributeName: "attribute",
  attribute: "attribute",
  propertyName: "property",
  property: "property",
  qualifier: "property",
  labelName: "property",
  meta: "meta",
  documentMeta: "meta",
  annotation: "meta",
  processingInstruction: "meta",
  builtin: "function",
  inserted: "inserted",
  positive: "inserted",
  deleted: "deleted",
  negative: "deleted",
};

/** The first kind with a color in a style such as `variableName.definition` or `string property`. */
function kindOf(style: string | null, text: string, next: string): CodeKind | null {
  for (const name of style?.split(" ") ?? []) {
    const [tag = "", ...modifiers] = name.split(".");
    if (tag === "def" || modifiers.includes("definition")) return kindOfName(text, next);
    if (tag.startsWith("variable")) {
      if (modifiers.some((modifier) => ["function", "standard"].includes(modifier))) return "function";
      if (tag === "variable-2" || modifiers.includes("special")) return "property";
      if (tag === "variable-3") return "type";
      if (next.startsWith("(")) return "function";
    }
    const kind = kinds[tag];
    if (kind === "property" && next.startsWith("(")) return "function";
    if (kind === "keyword" && control.test(text)) return "control";
    if (kind !== undefined) return kind;
  }
  return null;
}

/** The kind of a name in its definition, by the text after it or by its first letter. */
function kindOfName(text: string, next: string): CodeKind {
  if (/^ ?[(<]/.test(next)) return "function";
  return /^\p{Lu}/u.test(text) ? "type" : "variable";
}
