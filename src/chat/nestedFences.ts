import { readFenceInfo } from "./fenceInfo.ts";
import { closesFence, type Fence } from "./markdownLines.ts";

/** Markdown in Markdown in Markdown: nobody means more. */
const mostNested = 8;
const markdownNames = /^(?:commonmark|gfm|markdown|md|mdown|mdx|mkd|qmd|rmd)$/i;

/** Marks of list items, which a fence in a Markdown block may stand behind. */
const itemMarks = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])*[ \t]*/;
const fenceMark = /^(`{3,}(?=[^`]*$)|~{3,}(?!~))(.*)$/;
const bareMark = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
const mayBecomeFence = /^(?:[-*+]|\d{1,9}[.)]?|`*|~*|`{3,}[^`]*|~{3,}.*)$/;

/** A fence whose block has not ended. */
export interface OpenFence extends Fence {
  readonly holdsMarkdown: boolean;
}

export function openFence(fence: Fence): OpenFence {
  const { language, path = "" } = readFenceInfo(fence.info);
  const names = [language, path.slice(path.lastIndexOf(".") + 1)];
  return { ...fence, holdsMarkdown: names.some((name) => markdownNames.test(name)) };
}

/**
 * The fences that are open behind a line of a code block, from its own to the innermost; none if the line ends the
 * block. Models put Markdown with code between fences of one length. There CommonMark ends the block with the first
 * code in it. So in a Markdown block a fence with an info string opens a block, and a bare fence ends the newest.
 */
export function followFences(fences: readonly OpenFence[], line: string): readonly OpenFence[] {
  const innermost = fences.at(-1);
  if (innermost === undefined) return fences;
  const isEnd =
    fences.length === 1
      ? closesFence(line, innermost)
      : bareMark.exec(line)?.[1]?.startsWith(innermost.mark) === true;
  if (isEnd) return fences.slice(0, -1);
  if (!innermost.holdsMarkdown || fences.length > mostNested) return fences;
  const [, mark = "", info = ""] = fenceMark.exec(line.slice(readItemMarks(line).length)) ?? [];
  const isNested = mark.startsWith(innermost.mark) && info.trim() !== "";
  return isNested ? [...fences, openFence({ indent: 0, mark, info: info.trim() })] : fences;
}

/** The indent ahead of a line's words, with the marks of list items that begin on it. */
export function readItemMarks(line: string): string {
  return itemMarks.exec(line)?.[0] ?? "";
}

/** True while more text could turn a line of a code block into a fence that counts. */
export function mayBeFence(fences: readonly OpenFence[], line: string): boolean {
  if (fences.length === 1 && /^ {0,3}(?:`*|~*) *$/.test(line)) return true;
  return fences[0]?.holdsMarkdown === true && mayBecomeFence.test(line.slice(readItemMarks(line).length));
}
