import * as vscode from "vscode";
import { ActiveLine } from "../shared/activeLine.ts";

interface FoundItem<T> extends vscode.QuickPickItem {
  readonly value: T;
}

interface PickOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /**
   * Called when the list opens and after the typed text changes (debounced). Results of an outdated call are dropped.
   */
  readonly find: (typed: string) => Promise<readonly FoundItem<T>[]>;
}

/** Debounce of a search, in milliseconds. */
const quietTime = 120;

/** Shows a quick pick that searches while the user types. Resolves to undefined on Escape. Rejects if `find` does. */
export function pickWhileTyping<T>({ title, placeholder, find }: PickOptions<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const pick = vscode.window.createQuickPick<FoundItem<T>>();
    pick.title = title;
    pick.placeholder = placeholder;
    const line = new ActiveLine(pick);
    let timer: NodeJS.Timeout | undefined;
    let searches = 0;
    const search = async (): Promise<void> => {
      const own = (searches += 1);
      pick.busy = true;
      const items = await find(pick.value.trim());
      if (own !== searches) return;
      // Show all results. Otherwise, the quick pick filters them again by the typed text.
      line.replace(items.map((item) => ({ ...item, alwaysShow: true })));
      pick.busy = false;
    };
    const fail = (error: unknown): void => {
      reject(error instanceof Error ? error : new Error(String(error)));
      pick.hide();
    };
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void search().catch(fail), quietTime);
    });
    pick.onDidAccept(() => {
      if (line.item === undefined) return;
      resolve(line.item.value);
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      searches += 1;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    search().catch(fail);
  });
}
