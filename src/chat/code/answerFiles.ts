import { readFenceInfo, namedFiles, type CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";
import { type MarkdownPiece, MarkdownSplitter, sourceOf } from "../../text/markdown/markdownBlocks.ts";

/** Of the text above a block, as much as a sentence that names a file needs. */
const maxAboveLength = 1000;
/** After so many the clock is looked at. */
const linesAtOnce = 32;

/** The code blocks of an answer, read by the page's own code: as the page would hand them over one by one. */
export function readCodeBlocks(answer: string): readonly CodeBlockText[] {
  return [...walkCodeBlocks(answer)].flat();
}

/** Finds out whether an answer has code for more than one file; a long one is read a part at a time. */
export class SeveralFilesSearch {
  readonly #blocks: Iterator<readonly CodeBlockText[]>;
  readonly #names = new Set<string>();

  constructor(answer: string) {
    this.#blocks = walkCodeBlocks(answer);
  }

  /** Reads on; undefined where the time was up before the answer was known. */
  readOn(isTimeUp: () => boolean): boolean | undefined {
    for (let line = 1; ; line += 1) {
      const next = this.#blocks.next();
      if (next.done === true) return false;
      for (const block of next.value) this.#take(block);
      if (this.#names.size > 1) return true;
      if (line % linesAtOnce === 0 && isTimeUp()) return undefined;
    }
  }

  #take(block: CodeBlockText): void {
    const [name] = namedFiles(block);
    if (name !== undefined) this.#names.add(name);
  }
}

/** Yields behind each line the blocks that it ends. */
function* walkCodeBlocks(answer: string): Generator<readonly CodeBlockText[], void> {
  const splitter = new MarkdownSplitter();
  const collector = new CodeCollector();
  for (const line of linesOf(answer)) yield collector.take(splitter.push(line));
  yield collector.take(splitter.end());
}

class CodeCollector {
  #info = "";
  #code: string[] = [];
  #above = "";

  /** The blocks that end with these pieces. */
  take(pieces: readonly MarkdownPiece[]): readonly CodeBlockText[] {
    return pieces.map((piece) => this.#takeOne(piece)).filter((block) => block !== undefined);
  }

  #takeOne(piece: MarkdownPiece): CodeBlockText | undefined {
    switch (piece.type) {
      case "code-start":
        this.#info = piece.info;
        this.#code = [];
        return undefined;
      case "code-text":
        this.#code.push(piece.text);
        return undefined;
      case "code-end":
        return this.#endBlock();
      case "block":
      case "list-item":
      case "table-rows":
        if (sourceOf(piece) !== "") this.#above = sourceOf(piece);
        return undefined;
      case "quote-start":
      case "container-end":
      case "loosen":
        return undefined;
    }
  }

  #endBlock(): CodeBlockText {
    const above = this.#above
      .slice(-maxAboveLength)
      .split("\n")
      .map((line) => line.trim());
    this.#above = "";
    return {
      text: this.#code.join(""),
      info: this.#info.slice(0, maxAboveLength),
      language: readFenceInfo(this.#info).language.slice(0, 100),
      above: above.join(" "),
    };
  }
}

/** Each with its line break, one after the other, so that a long text is not cut up at once. */
function* linesOf(text: string): Generator<string, void> {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, end + 1);
    start = end + 1;
  }
  yield text.slice(start);
}
