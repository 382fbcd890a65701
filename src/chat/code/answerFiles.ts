import { readFenceInfo, namedFiles, type CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";
import { type MarkdownPiece, MarkdownSplitter, sourceOf } from "../../text/markdown/markdownBlocks.ts";

/** Maximum characters of the text above a block: enough for a sentence that names a file. */
const maxAboveLength = 1000;
/** Lines between two checks of the time. */
const linesAtOnce = 32;

/** Reads all code blocks of an answer. The page uses the same parser, so it finds the same blocks. */
export function readCodeBlocks(answer: string): readonly CodeBlockText[] {
  return [...walkCodeBlocks(answer)].flat();
}

/** Finds out whether an answer has code for more than one file. A long answer can be read in several calls. */
export class SeveralFilesSearch {
  readonly #blocks: Iterator<readonly CodeBlockText[]>;
  readonly #names = new Set<string>();

  constructor(answer: string) {
    this.#blocks = walkCodeBlocks(answer);
  }

  /** Continues reading. Returns undefined if the time is up before the result is known. */
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

/** After each line, yields the code blocks that end there. */
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

  /** Returns the blocks that end with these pieces. */
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
      case "formula":
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

/** Yields each line with its line break, one at a time. Splitting a long text at once would be slow. */
function* linesOf(text: string): Generator<string, void> {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, end + 1);
    start = end + 1;
  }
  yield text.slice(start);
}
