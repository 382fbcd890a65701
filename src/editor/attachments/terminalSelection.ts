import type * as vscode from "vscode";

/**
 * What is selected in the active terminal. There is no way to ask for it but the editor's copy command: the text of the
 * clipboard is put back afterwards; a picture in it is lost.
 */
export class TerminalSelection {
  readonly #clipboard: vscode.Clipboard;
  readonly #copy: () => Thenable<unknown>;
  /** One copy after the other: of two at once each would put back what it found of the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param copy copies the selection, where there is one */
  constructor(clipboard: vscode.Clipboard, copy: () => Thenable<unknown>) {
    this.#clipboard = clipboard;
    this.#copy = copy;
  }

  /** Undefined where nothing was copied. */
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
