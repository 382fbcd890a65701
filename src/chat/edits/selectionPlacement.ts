import { indentCode } from "../../text/indentation.ts";

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The text with code in the place of what is selected, indented like that. */
export function replaceSelection(
  before: string,
  code: string,
  { start, end }: { readonly start: Position; readonly end: Position },
): string {
  const lines = before.split("\n");
  const line = lines[start.line] ?? "";
  const ahead = line.slice(0, start.character);
  const behind = (lines[end.line] ?? "").slice(end.character);
  // Whole lines have their indent and their last line break in the selection.
  const indent = ahead === "" ? (/^[ \t]*/.exec(line)?.[0] ?? "") : "";
  const lastBreak = end.character === 0 && end.line > start.line ? "\n" : "";
  const text = indentCode(code, ahead === "" ? indent : ahead);
  const fresh = `${ahead}${indent}${text}${lastBreak}${behind}`;
  return [...lines.slice(0, start.line), fresh, ...lines.slice(end.line + 1)].join("\n");
}
