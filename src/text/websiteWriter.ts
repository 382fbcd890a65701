/** UTF-16 units of a text. More of a page is not kept. */
export const maxWebsiteText = 200_000;
/** Levels of lists and quotes that indent a line. */
const maxIndents = 8;
/** Links and code within each other that have marks. */
const maxMarks = 2;

/** Replaces white space of HTML, and the space that does not break, by one space. */
export function collapseSpace(text: string): string {
  return text.replaceAll(/[ \t\n\r\f\u00a0]+/g, " ");
}

interface Table {
  /** Whether the cells only place content. */
  isLayout: boolean;
  rows: number;
  cells: number;
  hasHeads: boolean;
  /** Number of open headings and other one-line elements around the table. */
  readonly inLine: number;
}

/** Writes lines until the text is full. */
export class WebsiteWriter {
  readonly #lines: string[] = [];
  #length = 0;
  #isFull = false;
  /** The line so far. */
  #pieces: string[] = [];
  #hasText = false;
  #wantsSpace = false;
  /** White space at the start of a line or link is left out. */
  #isAtStart = true;
  #hasLostSpace = false;
  #lineLength = 0;
  /** Open elements with marks around them. */
  #marks = 0;
  #wantsEmptyLine = false;
  /** Open elements in which a block does not begin a line: headings, links and cells. */
  #inLine = 0;
  #heading = "";
  readonly #indents: { first: string | undefined; readonly others: string }[] = [];
  readonly #lists: { next: number | undefined }[] = [];
  readonly #tables: Table[] = [];
  #fence: { language: string; readonly pieces: string[]; length: number } | undefined;

  get isFull(): boolean {
    return this.#isFull;
  }

  end(): string {
    this.endLine();
    return this.#lines.join("\n");
  }

  add(text: string): void {
    if (this.#isFull) return;
    if (this.#fence !== undefined) {
      if (this.#fence.length < maxWebsiteText) this.#fence.pieces.push(text);
      this.#fence.length += text.length;
      return;
    }
    const collapsed = collapseSpace(text);
    const shown = this.#inCell ? collapsed.replaceAll("|", String.raw`\|`) : collapsed;
    const words = shown.trim();
    if (shown.startsWith(" ")) {
      if (this.#isAtStart) this.#hasLostSpace = true;
      else this.#wantsSpace = true;
    }
    if (words === "") return;
    this.#write(words);
    this.#hasText = true;
    this.#wantsSpace = shown.endsWith(" ");
  }

  /** Ends the line. In a heading, link or cell the line goes on after a space. */
  endLine(): void {
    if (this.#fence !== undefined) {
      this.#fence.pieces.push("\n");
      return;
    }
    if (this.#inLine > 0) {
      this.#wantsSpace ||= !this.#isAtStart;
      return;
    }
    if (this.#hasText) this.#push(`${this.#indent()}${this.#heading}${this.#pieces.join("").trimEnd()}`);
    this.#clearLine();
  }

  endBlock(): void {
    if (this.#fence !== undefined) return;
    this.endLine();
    if (this.#inLine === 0 && this.#lists.length === 0) this.#wantsEmptyLine = true;
  }

  beginBlock(isBlock: boolean, isLine: boolean): (() => void) | undefined {
    if (!isBlock && !isLine) return undefined;
    const end = (): void => {
      if (this.#fence !== undefined) return;
      if (isBlock) this.endBlock();
      else this.endLine();
    };
    end();
    return end;
  }

  beginHeading(level: number): () => void {
    this.endBlock();
    if (this.#inLine > 0 || this.#fence !== undefined) return () => this.endBlock();
    this.#heading = `${"#".repeat(level)} `;
    this.#inLine += 1;
    return () => {
      this.#inLine -= 1;
      this.endBlock();
      this.#heading = "";
    };
  }

  /** @param target is not called for a link without a text */
  beginLink(target: () => string | undefined): (() => void) | undefined {
    return this.#beginMarked("[", () => {
      const url = this.#isFull ? undefined : target();
      return url === undefined ? undefined : `](${url})`;
    });
  }

  beginCode(): (() => void) | undefined {
    return this.#beginMarked("`", () => "`");
  }

  /** Puts marks around a text. Without a text or an end there are no marks. */
  #beginMarked(start: string, findEnd: () => string | undefined): (() => void) | undefined {
    if (this.#fence !== undefined || this.#isFull || this.#marks === maxMarks) return undefined;
    const hadText = this.#hasText;
    const before = { pieces: this.#pieces, wantsSpace: this.#wantsSpace, isAtStart: this.#isAtStart };
    this.#pieces = [];
    this.#hasText = false;
    this.#wantsSpace = false;
    this.#isAtStart = true;
    this.#hasLostSpace = false;
    this.#inLine += 1;
    this.#marks += 1;
    return () => {
      this.#inLine -= 1;
      this.#marks -= 1;
      const [inner, wantsSpace, isEmpty] = [this.#pieces, this.#wantsSpace, !this.#hasText];
      this.#pieces = before.pieces;
      this.#wantsSpace = before.wantsSpace || (this.#hasLostSpace && !before.isAtStart);
      this.#isAtStart = before.isAtStart;
      this.#hasText = hadText || !isEmpty;
      if (isEmpty) return;
      const end = findEnd();
      this.#write(end === undefined ? inner.join("") : `${start}${inner.join("")}${end}`);
      this.#wantsSpace = wantsSpace;
    };
  }

  addImage(description: string): void {
    const words = collapseSpace(description).trim();
    if (words !== "") this.add(`(Image: ${words})`);
  }

  nameLanguage(language: string): void {
    if (this.#fence?.language === "") this.#fence.language = language;
  }

  beginFence(language: string): (() => void) | undefined {
    if (this.#fence !== undefined || this.#inLine > 0) return this.beginBlock(true, true);
    this.endBlock();
    const fence = { language, pieces: [], length: 0 };
    this.#fence = fence;
    return () => {
      this.#fence = undefined;
      const text = fence.pieces
        .join("")
        .replace(/^\r?\n/, "")
        .trimEnd();
      if (text !== "") {
        const longest = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 2) ?? 2;
        const mark = "`".repeat(longest + 1);
        this.#push(`${mark}${fence.language}\n${text}\n${mark}`);
      }
      this.endBlock();
    };
  }

  /** @param first stands before the first line, `others` before the others */
  beginIndent(first: string, others: string): () => void {
    this.endBlock();
    const indents = this.#inLine === 0 && this.#fence === undefined && this.#indents.length < maxIndents;
    if (indents) this.#indents.push({ first, others });
    return () => {
      this.endBlock();
      if (indents) this.#indents.pop();
    };
  }

  /** @param start the first number; undefined for a list without numbers */
  beginList(start: number | undefined): () => void {
    this.endBlock();
    this.#lists.push({ next: start });
    return () => {
      this.endLine();
      this.#lists.pop();
      this.endBlock();
    };
  }

  beginItem(): () => void {
    this.endLine();
    const list = this.#lists.at(-1);
    const mark = list?.next === undefined ? "- " : `${list.next}. `;
    if (list?.next !== undefined) list.next += 1;
    const indents = this.#inLine === 0 && this.#fence === undefined && this.#indents.length < maxIndents;
    if (indents) this.#indents.push({ first: mark, others: "  " });
    return () => {
      this.endLine();
      if (indents) this.#indents.pop();
    };
  }

  beginTable(isLayout: boolean): () => void {
    // A cell that holds a table only places it.
    const outer = this.#tables.at(-1);
    if (outer !== undefined) outer.isLayout = true;
    const table = { isLayout, rows: 0, cells: 0, hasHeads: false, inLine: this.#inLine };
    this.#inLine = 0;
    this.endBlock();
    this.#tables.push(table);
    return () => {
      this.endBlock();
      this.#tables.pop();
      this.#inLine = table.inLine;
    };
  }

  beginRow(): (() => void) | undefined {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout) return this.beginBlock(false, true);
    this.endLine();
    table.cells = 0;
    table.hasHeads = false;
    return () => {
      const { cells, hasHeads, isLayout, rows } = table;
      const isRow = this.#hasText && !isLayout;
      this.endLine();
      if (!isRow) return;
      table.rows += 1;
      if (rows === 0 && hasHeads) this.#push(`${this.#indent()}|${" --- |".repeat(Math.min(cells, 100))}`);
    };
  }

  beginCell(isHead: boolean): (() => void) | undefined {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout || this.#fence !== undefined)
      return this.beginBlock(false, true);
    table.cells += 1;
    table.hasHeads ||= isHead;
    if (table.cells === 1) this.#pieces.push("| ");
    this.#wantsSpace = false;
    this.#isAtStart = true;
    this.#inLine += 1;
    return () => {
      this.#inLine -= 1;
      this.#wantsSpace = false;
      // A table in the cell has ended the row.
      if (table.isLayout) this.endLine();
      else this.#pieces.push(" | ");
    };
  }

  get #inCell(): boolean {
    const table = this.#tables.at(-1);
    return table !== undefined && !table.isLayout && table.cells > 0;
  }

  #write(text: string): void {
    this.#lineLength += text.length;
    if (this.#lineLength > maxWebsiteText) this.#isFull = true;
    this.#pieces.push(this.#wantsSpace ? ` ${text}` : text);
    this.#wantsSpace = false;
    this.#isAtStart = false;
  }

  #clearLine(): void {
    this.#pieces = [];
    this.#lineLength = 0;
    this.#hasText = false;
    this.#wantsSpace = false;
    this.#isAtStart = true;
  }

  /** The start of the line. An item has its mark before its first line only. */
  #indent(): string {
    let indent = "";
    for (const each of this.#indents) {
      indent += each.first ?? each.others;
      if (each.first !== undefined) each.first = undefined;
    }
    return indent;
  }

  #push(line: string): void {
    const room = maxWebsiteText - this.#length;
    if (line.length > room) this.#isFull = true;
    if (room <= 0) return;
    if (this.#wantsEmptyLine && this.#lines.length > 0) this.#lines.push("");
    this.#wantsEmptyLine = false;
    this.#lines.push(line.slice(0, room));
    this.#length += line.length + 2;
  }
}
