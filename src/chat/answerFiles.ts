import { FenceReader } from "./codeFences.ts";
import { namedFiles } from "./namedFiles.ts";
import type { CodeBlockText } from "./panelProtocol.ts";

/** Of the text above a block, as much as a sentence that names a file needs. */
const longestAbove = 1000;

/** The code blocks of an answer, as the page would hand them over one by one. */
export function readCodeBlocks(answer: string): readonly CodeBlockText[] {
  const fences = new FenceReader();
  const blocks: CodeBlockText[] = [];
  let info = "";
  let code: string[] = [];
  let above: string[] = [];
  const finish = (): void => {
    const language = /^[\w+#-]*/.exec(info)?.[0] ?? "";
    const sentence = above.join(" ").slice(-longestAbove);
    blocks.push({ text: code.join("\n"), info: info.slice(0, longestAbove), language, above: sentence });
    [info, code, above] = ["", [], []];
  };
  let isOpen = false;
  let isParagraphOver = false;
  for (const line of answer.split("\n")) {
    const read = fences.read(line);
    if (read.kind === "opening") [info, isOpen] = [read.info, true];
    else if (read.kind === "code") code.push(read.text);
    else if (read.kind === "closing") {
      finish();
      isOpen = false;
    } else if (line.trim() === "") isParagraphOver = true;
    else {
      // Only the last paragraph is about the block.
      above = isParagraphOver ? [line.trim()] : [...above, line.trim()];
      isParagraphOver = false;
    }
  }
  if (isOpen) finish();
  return blocks;
}

/** Whether an answer has code for more than one file. */
export function namesSeveralFiles(answer: string): boolean {
  const names = readCodeBlocks(answer).flatMap((block) => namedFiles(block).slice(0, 1));
  return new Set(names).size > 1;
}
