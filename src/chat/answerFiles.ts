import { FenceReader } from "./codeFences.ts";
import { namedFiles } from "./namedFiles.ts";
import type { CodeBlockText } from "./panelProtocol.ts";

/** Of the text above a block, as much as a sentence that names a file needs. */
const longestAbove = 1000;
/** After so many the clock is looked at. */
const linesAtOnce = 32;

/** The code blocks of an answer, as the page would hand them over one by one. */
export function readCodeBlocks(answer: string): readonly CodeBlockText[] {
  return [...walkCodeBlocks(answer)].filter((block) => block !== undefined);
}

/** Finds out whether an answer has code for more than one file; a long one is read a part at a time. */
export class SeveralFilesSearch {
  readonly #blocks: Iterator<CodeBlockText | undefined>;
  readonly #names = new Set<string>();

  constructor(answer: string) {
    this.#blocks = walkCodeBlocks(answer);
  }

  /** Reads on; undefined where the time was up before the answer was known. */
  readOn(isTimeUp: () => boolean): boolean | undefined {
    for (let line = 1; ; line += 1) {
      const next = this.#blocks.next();
      if (next.done === true) return false;
      if (next.value !== undefined) this.#take(next.value);
      if (this.#names.size > 1) return true;
      if (line % linesAtOnce === 0 && isTimeUp()) return undefined;
    }
  }

  #take(block: CodeBlockText): void {
    const [name] = namedFiles(block);
    if (name !== undefined) this.#names.add(name);
  }
}

/** Yields behind each line: the block that it ends, if it does. */
function* walkCodeBlocks(answer: string): Generator<CodeBlockText | undefined, void> {
  const fences = new FenceReader();
  let info = "";
  let code: string[] = [];
  let above: string[] = [];
  const finish = (): CodeBlockText => {
    const language = /^[\w+#-]*/.exec(info)?.[0] ?? "";
    const sentence = above.slice(-longestAbove).join(" ").slice(-longestAbove);
    const block = { text: code.join("\n"), info: info.slice(0, longestAbove), language, above: sentence };
    [info, code, above] = ["", [], []];
    return block;
  };
  let isOpen = false;
  let isParagraphOver = false;
  for (const line of linesOf(answer)) {
    const read = fences.read(line);
    if (read.kind === "opening") [info, isOpen] = [read.info, true];
    else if (read.kind === "code") code.push(read.text);
    else if (read.kind === "closing") isOpen = false;
    else if (line.trim() === "") isParagraphOver = true;
    else {
      // Only the last paragraph is about the block.
      if (isParagraphOver) above = [];
      above.push(line.trim());
      isParagraphOver = false;
    }
    yield read.kind === "closing" ? finish() : undefined;
  }
  if (isOpen) yield finish();
}

/** One after the other, so that a long text is not cut up at once. */
function* linesOf(text: string): Generator<string, void> {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}
