import assert from "node:assert/strict";
import * as vscode from "vscode";

type List = vscode.QuickPick<vscode.QuickPickItem>;

/** VS Code's own function, read before any test replaces it. */
const { createQuickPick: createOwn } = vscode.window;

/** A quick pick of VS Code, and a user's actions on it. */
export class HandledList {
  readonly #list: List;
  readonly #pressed = new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>();
  readonly #changed: vscode.Event<void>;

  private constructor(list: List) {
    this.#list = list;
    this.#changed = watchRows(list);
    // VS Code reports a pressed button only if a user presses it.
    Object.assign(list, { onDidTriggerItemButton: this.#pressed.event });
  }

  /** Resolves with the list that `act` opens, when the list is shown. */
  static async openedBy(act: () => unknown): Promise<HandledList> {
    const { createQuickPick } = vscode.window;
    const opened = Promise.withResolvers<HandledList>();
    Object.assign(vscode.window, {
      createQuickPick: () => {
        const list = createOwn();
        const handled = new HandledList(list);
        const show = list.show.bind(list);
        list.show = () => {
          show();
          opened.resolve(handled);
        };
        Object.assign(vscode.window, { createQuickPick });
        return list;
      },
    });
    act();
    return opened.promise;
  }

  /** Label, description and detail of each row, joined by ` · `. */
  get rows(): readonly string[] {
    return this.#list.items.map(rowOf);
  }

  get value(): string {
    return this.#list.value;
  }

  /** The row that Enter accepts; empty if no row is active. */
  get active(): string {
    const [row] = this.#list.activeItems;
    return row === undefined ? "" : rowOf(row);
  }

  /** Resolves when a row contains this part. */
  async row(part: string): Promise<vscode.QuickPickItem> {
    await this.#until(() => this.#find(part) !== undefined);
    return this.#find(part) ?? assert.fail();
  }

  /** Resolves when no row contains this part. */
  without(part: string): Promise<void> {
    return this.#until(() => this.#find(part) === undefined);
  }

  async type(text: string): Promise<void> {
    const told = new Promise((resolve) => this.#list.onDidChangeValue(resolve));
    this.#list.value = text;
    await told;
  }

  /** Presses a button of a row, by its tooltip. */
  async press(tooltip: string, part: string): Promise<void> {
    const item = await this.row(part);
    const button = item.buttons?.find((each) => each.tooltip === tooltip);
    this.#pressed.fire({ item, button: button ?? assert.fail(`${part} has no button ${tooltip}`) });
  }

  /** Activates a row and presses Enter. */
  async accept(part: string): Promise<void> {
    const item = await this.row(part);
    if (this.#list.activeItems[0] !== item) {
      const active = new Promise((resolve) => this.#list.onDidChangeActive(resolve));
      this.#list.activeItems = [item];
      await active;
    }
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
  }

  /** Presses Escape. */
  hide(): void {
    this.#list.hide();
  }

  #find(part: string): vscode.QuickPickItem | undefined {
    return this.#list.items.find((item) => rowOf(item).includes(part));
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#changed(resolve));
  }
}

/** Returns an event that fires when the rows of a list change. VS Code itself has no such event. */
export function watchRows(list: List): vscode.Event<void> {
  const changed = new vscode.EventEmitter<void>();
  const own: object = Object.getPrototypeOf(list);
  Object.defineProperty(list, "items", {
    configurable: true,
    get: () => Reflect.get(own, "items", list),
    set: (items: readonly vscode.QuickPickItem[]) => {
      Reflect.set(own, "items", items, list);
      changed.fire();
    },
  });
  return changed.event;
}

/** A row as a user reads it. */
export function rowOf({ label, description, detail }: vscode.QuickPickItem): string {
  return [label, description, detail].filter((text) => text !== undefined && text !== "").join(" · ");
}
