import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";

/**
 * The active line of a list. VS Code identifies a line by its position. After new items are set, VS Code still reports
 * positions of the old items for a moment. Such a position may belong to another line now.
 */
export class ActiveLine<Item extends vscode.QuickPickItem> {
  readonly #picker: vscode.QuickPick<Item>;
  #item: Item | undefined;
  #isReported = false;

  /** @param picker its items are set only by `replace`; `item` is reliable only if the picker filters no items */
  constructor(picker: vscode.QuickPick<Item>) {
    this.#picker = picker;
    picker.onDidChangeActive(([item]) => {
      if (item === undefined) return;
      this.#item = item;
      this.#isReported = true;
    });
  }

  /**
   * The line that Enter accepts. After `replace`, it is `active` or the first line, until VS Code reports another. VS
   * Code may sort the lines.
   */
  get item(): Item | undefined {
    return this.#item;
  }

  /** The line that VS Code reported or that `replace` made active; undefined if there is none. */
  get reported(): Item | undefined {
    return this.#isReported ? this.#item : undefined;
  }

  /** Sets other items and makes `active` the active line. */
  replace(items: readonly Item[], active?: Item): void {
    this.#picker.items = items;
    if (active !== undefined) this.#picker.activeItems = [active];
    this.#isReported = active !== undefined;
    this.#item = active ?? items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
  }

  /**
   * Like `replace`, but does nothing if the list has these items already. If VS Code gets the same items again, it
   * reports the position of its first line again. By then, the user's typing may have moved another line there.
   */
  renew(items: readonly Item[], active: Item | undefined): void {
    if (!isDeepStrictEqual(items, this.#picker.items)) this.replace(items, active);
  }
}
