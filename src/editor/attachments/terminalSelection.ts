import type * as vscode from "vscode";

/**
 * Reads the active terminal's selection. VS Code offers only its copy command for this.
 * The clipboard's text is restored afterwards. An image in the clipboard is lost.
 */
export class TerminalSelection {
  readonly #clipboard: vscode.Clipboard;
  readonly #copy: () => Thenable<unknown>;
  /** Serializes reads. Two concurrent reads would restore each other's clipboard content. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param copy copies the selection, if any */
  constructor(clipboard: vscode.Clipboard, copy: () => Thenable<unknown>) {
    this.#clipboard = clipboard;
    this.#copy = copy;
  }

  /** Resolves to undefined if nothing was copied. */
  read(): Promise<string | undefined> {
    const text = this.#last.then(() => this.#read());
    this.#last = text.catch(() => undefined);
    return text;
  }

  async #read(): Promise<string | undefined> {
    const before = await this.#clipboard.readText();
    const mark = crypto.randomUUID();
    try {
      await this.#clipboard.writeText(mark);
      await this.#copy();
      const copied = await this.#clipboard.readText();
      return copied === mark ? undefined : copied;
    } finally {
      await this.#clipboard.writeText(before);
    }
  }
}
