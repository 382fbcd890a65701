import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";

/**
 * The line of a list that its user is on. The editor tells a line by its place, and shows the lines of before for a
 * moment once it was given others: what it calls chosen then is whatever has come to stand in that place.
 */
export class ActiveLine<Item extends vscode.QuickPickItem> {
  readonly #picker: vscode.QuickPick<Item>;
  #item: Item | undefined;
  #isReported = false;

  /** @param picker whose items are set by `replace` alone; for `item`, all are shown, whatever is typed */
  constructor(picker: vscode.QuickPick<Item>) {
    this.#picker = picker;
    picker.onDidChangeActive(([item]) => {
      if (item === undefined) return;
      this.#item = item;
      this.#isReported = true;
    });
  }

  /** What Enter takes: the first line until the editor, which may sort them, has told another. */
  get item(): Item | undefined {
    return this.#item;
  }

  /** The line that the editor has told, or was told. */
  get reported(): Item | undefined {
    return this.#isReported ? this.#item : undefined;
  }

  /** Gives the list other lines, and leads its user to `active`. */
  replace(items: readonly Item[], active?: Item): void {
    this.#picker.items = items;
    if (active !== undefined) this.#picker.activeItems = [active];
    this.#isReported = active !== undefined;
    this.#item = active ?? items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  }

  /**
   * The same where the list may have these lines already. One that is given them again tells once more, by its
   * place, which line it made the first, and what is typed meanwhile has other lines stand there.
   */
  renew(items: readonly Item[], active: Item | undefined): void {
    if (!isDeepStrictEqual(items, this.#picker.items)) this.replace(items, active);
  }
}
