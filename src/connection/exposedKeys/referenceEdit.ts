import type { KeyRange } from "../../client/key/keyText.ts";
import type { ExposedKey } from "./exposedKeys.ts";

/** A range of a text and its replacement. */
export interface TextEdit extends KeyRange {
  readonly text: string;
}

/**
 * Returns edits that replace a key with a reference to the environment variable. In code, the reference is outside of
 * the string literal and is joined with the rest of the literal. Empty if the language does not allow that.
 */
export function referenceEdits(text: string, found: ExposedKey, languageId: string): readonly TextEdit[] {
  const syntax = referenceSyntaxOf(languageId);
  const reference = syntax.reference(found.variable);
  if (syntax.kind === "text") return [inPlace(textReference(text, found, reference, languageId), found)];
  const quote = quoteAround(text, found);
  const imports = languageId === "python" ? importOs(text) : [];
  if (quote === undefined) return [inPlace(reference, found), ...imports];
  if (quote === "`") return [templateEdit(text, found, reference)];
  const literal = literalEdit(text, found, quote, reference, syntax.join, languageId);
  return literal === undefined ? [] : [literal, ...imports];
}

function inPlace(text: string, { start, end }: KeyRange): TextEdit {
  return { start, end, text };
}

/** Closes single quotes around the reference, because a shell does not expand variables inside them. */
function textReference(text: string, found: KeyRange, reference: string, languageId: string): string {
  const single = languageId === "shellscript" && quoteAround(text, found) === "'";
  return single ? `'"${reference}"'` : reference;
}

function templateEdit(text: string, { start, end }: KeyRange, reference: string): TextEdit {
  if (text[start - 1] === "`" && text[end] === "`")
    return { start: start - 1, end: end + 1, text: reference };
  return { start, end, text: `\${${reference}}` };
}

function literalEdit(
  text: string,
  { start, end }: KeyRange,
  quote: string,
  reference: string,
  join: string | undefined,
  languageId: string,
): TextEdit | undefined {
  const triple = quote.repeat(3);
  const marks = text.slice(start - 3, start) === triple && text.startsWith(triple, end) ? triple : quote;
  const opens = text.slice(start - marks.length, start) === marks;
  const closes = text.startsWith(marks, end);
  const prefix = languageId === "python" ? pythonPrefix(text, text.lastIndexOf(quote, start - 1)) : "";
  if (opens && closes) {
    const from = start - marks.length - prefix.length;
    const expression = isAttribute(text, from, languageId) ? `{${reference}}` : reference;
    return { start: from, end: end + marks.length, text: expression };
  }
  if (/f/i.test(prefix)) {
    const other = quote === '"' ? reference.replaceAll('"', "'") : reference;
    return { start, end, text: `{${other}}` };
  }
  if (join === undefined || prefix !== "") return undefined;
  return {
    start: opens ? start - 1 : start,
    end: closes ? end + 1 : end,
    text: `${opens ? "" : quote + join}${reference}${closes ? "" : join + quote}`,
  };
}

function pythonPrefix(text: string, quoteAt: number): string {
  return /(?<![\p{L}\p{N}_])[rubf]{1,2}$/iu.exec(text.slice(Math.max(0, quoteAt - 3), quoteAt))?.[0] ?? "";
}

/** A JSX attribute needs braces around a value that is not a literal. */
function isAttribute(text: string, at: number, languageId: string): boolean {
  if (!languageId.endsWith("react")) return false;
  return /(?:^\s*|<[A-Za-z][^<>]*\s)[\w-]+=$/.test(text.slice(lineStartOf(text, at), at));
}

/** Returns the quote of the string literal around the key, if the literal ends on the same line. */
function quoteAround(text: string, { start, end }: KeyRange): string | undefined {
  let quote: string | undefined;
  for (let at = lineStartOf(text, start); at < start; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (quote === undefined && /["'`]/.test(character)) quote = character;
    else if (character === quote) quote = undefined;
  }
  const lineEnd = /[\r\n]|$/.exec(text.slice(end))?.index ?? 0;
  return quote !== undefined && text.slice(end, end + lineEnd).includes(quote) ? quote : undefined;
}

function lineStartOf(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Inserts a missing `import os` before the first import, but after imports of `__future__`. */
function importOs(text: string): readonly TextEdit[] {
  if (/^import +(?:[\w.]+ *, *)*os\b(?![.\w])/m.test(text)) return [];
  const first = /^(?:import|from) +(?!__future__)/m.exec(text);
  const future = [...text.matchAll(/^from +__future__ .*(?:\r?\n|$)/gm)].at(-1);
  const comments = /^(?:#.*(?:\r?\n|$))*/.exec(text)?.[0].length ?? 0;
  const at = first?.index ?? (future === undefined ? comments : future.index + future[0].length);
  return [{ start: at, end: at, text: "import os\n" }];
}

/** How a language reads an environment variable and joins strings. */
type ReferenceSyntax =
  /** Code: the reference is outside of string literals, joined with the operator `join`. */
  | {
      readonly kind: "expression";
      readonly reference: (variable: string) => string;
      /** Absent if no operator joins string literals. */
      readonly join?: string;
    }
  /** Text: the reference directly replaces the key. */
  | { readonly kind: "text"; readonly reference: (variable: string) => string };

const javaScript: ReferenceSyntax = {
  kind: "expression",
  reference: (variable) => `process.env.${variable}`,
  join: " + ",
};
const java: ReferenceSyntax = {
  kind: "expression",
  reference: (variable) => `System.getenv("${variable}")`,
  join: " + ",
};
const cLike: ReferenceSyntax = { kind: "expression", reference: (variable) => `getenv("${variable}")` };

/** `${X}`: shells, .env, YAML, JSON templates, Dockerfiles, and unknown languages. */
const text: ReferenceSyntax = { kind: "text", reference: (variable) => `\${${variable}}` };

/** By VS Code's language IDs. */
const syntaxes: ReadonlyMap<string, ReferenceSyntax> = new Map<string, ReferenceSyntax>([
  ["javascript", javaScript],
  ["javascriptreact", javaScript],
  ["typescript", javaScript],
  ["typescriptreact", javaScript],
  ["vue", javaScript],
  ["svelte", javaScript],
  ["coffeescript", javaScript],
  ["python", { kind: "expression", reference: (variable) => `os.environ["${variable}"]`, join: " + " }],
  ["powershell", { kind: "expression", reference: (variable) => `$env:${variable}`, join: " + " }],
  ["java", java],
  ["kotlin", java],
  ["groovy", java],
  ["scala", { kind: "expression", reference: (variable) => `sys.env("${variable}")`, join: " + " }],
  [
    "csharp",
    {
      kind: "expression",
      reference: (variable) => `System.Environment.GetEnvironmentVariable("${variable}")`,
      join: " + ",
    },
  ],
  ["go", { kind: "expression", reference: (variable) => `os.Getenv("${variable}")`, join: " + " }],
  ["rust", { kind: "expression", reference: (variable) => `std::env::var("${variable}").unwrap()` }],
  ["ruby", { kind: "expression", reference: (variable) => `ENV["${variable}"]`, join: " + " }],
  ["php", { kind: "expression", reference: (variable) => `getenv("${variable}")`, join: " . " }],
  ["perl", { kind: "expression", reference: (variable) => `$ENV{${variable}}`, join: " . " }],
  ["lua", { kind: "expression", reference: (variable) => `os.getenv("${variable}")`, join: " .. " }],
  ["julia", { kind: "expression", reference: (variable) => `ENV["${variable}"]`, join: " * " }],
  ["r", { kind: "expression", reference: (variable) => `Sys.getenv("${variable}")` }],
  ["c", cLike],
  ["cpp", cLike],
  ["bat", { kind: "text", reference: (variable) => `%${variable}%` }],
]);

function referenceSyntaxOf(languageId: string): ReferenceSyntax {
  return syntaxes.get(languageId) ?? text;
}
