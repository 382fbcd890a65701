/** Matches C0 and C1 control characters. */
const control = new RegExp(String.raw`[\0-\x1f\x7f-\x9f]`, "g");
const controlSequence = new RegExp(String.raw`(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])`, "y");
/** Matches the start of an operating system command or another sequence that holds a text. */
const stringStart = new RegExp(String.raw`\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]`, "y");
/** No such text of a real program spans lines. Binary output must not swallow all that follows. */
const stringEnd = new RegExp(String.raw`[\x07\x9c\n]|\x1b\\?`, "g");
const otherEscape = new RegExp(String.raw`\x1b[ -/]*[0-~]`, "y");
/** Matches a sequence that the next chunk can complete. */
const openSequence = new RegExp(
  String.raw`(?:\x1b(?:\[[0-?]{0,256}[ -/]{0,8}|[ -/]{0,8})|\x9b[0-?]{0,256}[ -/]{0,8})$`,
  "y",
);
/** Matches what plain lines do not hold: control characters other than tabs and line ends. */
const notPlain = new RegExp(String.raw`[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]|\r(?!\n)`, "g");
/** Matches the mark that zsh sets before its prompt if the output does not end with a line break. */
const promptMark = new RegExp(String.raw`\x1b\[1m\x1b\[7m[%#]\x1b\[27m\x1b\[1m\x1b\[0m {10,}\r \r`, "g");
const lineEnds = new Set(["\n", "\v", "\f"]);
const alternateScreens = new Set(["?47", "?1047", "?1049"]);

/** Rows that a program can still redraw. */
const maxRows = 400;
/** UTF-16 code units of plain lines that are read at once. */
const plainLength = 16_384;
/** UTF-16 code units of a row. The start of a longer row is final. */
const maxRowLength = 65_536;

/**
 * Reads the output of a terminal as text, chunk by chunk: leaves out escape sequences, follows redraws, and ignores
 * what a program draws on the alternate screen.
 */
export class TerminalText {
  #rows = [""];
  #row = 0;
  #column = 0;
  #final = "";
  #open = "";
  #isInString = false;
  #isOnAlternateScreen = false;
  #usesAlternateScreen = false;
  #unreadable = 0;

  /** Whether a program has drawn on the alternate screen, as full-screen programs do. */
  get usesAlternateScreen(): boolean {
    return this.#usesAlternateScreen;
  }

  /** Characters that no text has: null characters and replacement characters. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The rows after the final text, which can still change. */
  get openRows(): string {
    return this.#rows.join("\n");
  }

  /** Reads a chunk. Returns the text that has become final. */
  push(chunk: string): string {
    const text = this.#open + chunk.replace(promptMark, "");
    this.#open = "";
    let at = 0;
    let next = 0;
    while (at < text.length) {
      if (at >= next && text.length - at > plainLength) {
        at = this.#readPlainLines(text, at);
        next = at + plainLength;
      }
      at = this.#isInString ? this.#skipString(text, at) : this.#read(text, at);
    }
    const final = this.#final;
    this.#final = "";
    return final;
  }

  #skipString(text: string, at: number): number {
    stringEnd.lastIndex = at;
    const end = stringEnd.exec(text);
    if (end === null) return text.length;
    if (end[0] === "\x1b" && stringEnd.lastIndex === text.length) {
      this.#open = "\x1b";
      return text.length;
    }
    this.#isInString = false;
    return end[0] === "\x1b" || end[0] === "\n" ? end.index : stringEnd.lastIndex;
  }

  #read(text: string, at: number): number {
    control.lastIndex = at;
    const index = control.exec(text)?.index ?? text.length;
    if (index > at) this.#write(text.slice(at, index));
    const character = text[index];
    if (character === undefined) return index;
    if (character === "\x1b" || (character >= "\x80" && character <= "\x9f"))
      return this.#readSequence(text, index);
    this.#apply(character);
    return index + 1;
  }

  #readSequence(text: string, at: number): number {
    for (const pattern of [controlSequence, stringStart, openSequence, otherEscape]) {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found === null) continue;
      if (pattern === controlSequence) this.#applySequence(found[2] ?? "", found[1] ?? "");
      if (pattern === stringStart) this.#isInString = true;
      if (pattern === openSequence) this.#open = found[0];
      return pattern.lastIndex;
    }
    return at + 1;
  }

  /** Reads many plain lines at once, which makes a flood of them cheap. The last ones can still be redrawn. */
  #readPlainLines(text: string, start: number): number {
    const isAtEnd = this.#row === this.#rows.length - 1 && this.#column === this.#rows.at(-1)?.length;
    if (!isAtEnd || this.#isInString || this.#isOnAlternateScreen) return start;
    notPlain.lastIndex = start;
    let end = (notPlain.exec(text)?.index ?? text.length) + 1;
    for (let count = 0; count <= maxRows / 2 && end > start; count += 1)
      end = text.lastIndexOf("\n", end - 2) + 1;
    if (end <= start) return start;
    const lines = text.slice(start, end);
    if (lines.includes("\ufffd")) this.#unreadable += lines.split("\ufffd").length - 1;
    this.#finish();
    this.#final += lines.replaceAll("\r", "");
    return end;
  }

  #write(text: string): void {
    if (text.includes("\ufffd")) this.#unreadable += text.split("\ufffd").length - 1;
    if (this.#isOnAlternateScreen) return;
    const row = this.#rows[this.#row] ?? "";
    const start = this.#column <= row.length ? row.slice(0, this.#column) : row.padEnd(this.#column);
    this.#rows[this.#row] = start + text + row.slice(this.#column + text.length);
    this.#column += text.length;
    if (this.#column > maxRowLength) this.#finish();
  }

  /** Makes all rows final, without a line break at their end. */
  #finish(): void {
    this.#final += this.openRows;
    this.#rows = [""];
    [this.#row, this.#column] = [0, 0];
  }

  #apply(character: string): void {
    if (character === "\0") this.#unreadable += 1;
    if (this.#isOnAlternateScreen) return;
    if (lineEnds.has(character)) this.#nextRow();
    else if (character === "\r") this.#column = 0;
    else if (character === "\b") this.#column = Math.max(0, this.#column - 1);
    else if (character === "\t") this.#applyTab();
  }

  #applyTab(): void {
    if (this.#column < (this.#rows[this.#row] ?? "").length) this.#column += 1;
    else this.#write("\t");
  }

  #nextRow(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row < this.#rows.length) return;
    this.#rows.push("");
    if (this.#rows.length <= maxRows) return;
    const count = maxRows / 2;
    this.#final += `${this.#rows.splice(0, count).join("\n")}\n`;
    this.#row -= count;
  }

  #applySequence(name: string, parameters: string): void {
    if (name === "h" || name === "l") {
      if (!alternateScreens.has(parameters)) return;
      this.#isOnAlternateScreen = name === "h";
      this.#usesAlternateScreen = true;
      return;
    }
    if (this.#isOnAlternateScreen) return;
    const given = Number.parseInt(parameters, 10);
    const count = Math.min(Math.max(given || 1, 1), maxRows);
    if (name === "K") this.#eraseRow(given || 0);
    else if (name === "J") this.#eraseRows(given || 0);
    // The height of the screen is not known here, so what is drawn elsewhere becomes rows of its own.
    else if (name === "H" || name === "f" || name === "d") this.#beginRow();
    else this.#moveCursor(name, count);
  }

  #moveCursor(name: string, count: number): void {
    if (name === "A" || name === "F") this.#row = Math.max(0, this.#row - count);
    else if (name === "B") this.#row = Math.min(this.#rows.length - 1, this.#row + count);
    else if (name === "C") this.#column = Math.min(this.#column + count, maxRowLength);
    else if (name === "D") this.#column = Math.max(0, this.#column - count);
    else if (name === "E") for (let index = 0; index < count; index += 1) this.#nextRow();
    else if (name === "G") this.#column = count - 1;
    if (name === "F") this.#column = 0;
  }

  #eraseRow(part: number): void {
    const row = this.#rows[this.#row] ?? "";
    const start = part === 0 ? row.slice(0, this.#column) : "";
    const end = part === 1 ? " ".repeat(Math.min(this.#column, row.length)) + row.slice(this.#column) : "";
    this.#rows[this.#row] = start + end;
  }

  /** Text that a program clears from the screen was output all the same, so it stays. */
  #eraseRows(part: number): void {
    if (part !== 0) return this.#beginRow();
    this.#eraseRow(0);
    this.#rows.length = this.#row + 1;
  }

  #beginRow(): void {
    if (this.#rows.at(-1) !== "") this.#rows.push("");
    this.#final += this.#rows
      .splice(0, this.#rows.length - 1)
      .map((row) => `${row}\n`)
      .join("");
    [this.#row, this.#column] = [0, 0];
  }
}
