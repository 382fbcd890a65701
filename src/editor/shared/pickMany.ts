import * as vscode from "vscode";

/** One row of a list in which several may be checked. */
interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly detail: string;
  readonly checked: boolean;
}

export interface PickManyOptions<T> {
  /** Says what the checked rows come to; asked again with each change. */
  readonly title: (checked: readonly T[]) => string;
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** A button beside the title, that ends the list without a choice. */
  readonly button?: vscode.QuickInputButton & { readonly press: () => void };
}

/** Lets the user check rows of a list; undefined on Escape, on the button, and where none is checked. */
export async function pickMany<T>(options: PickManyOptions<T>): Promise<readonly T[] | undefined> {
  const { choices, placeholder, button } = options;
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: T }>();
  const checked = (): readonly T[] => picker.selectedItems.map(({ value }) => value);
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.placeholder = placeholder;
  picker.items = choices.map(({ value, label, detail }) => ({ value, label, detail }));
  picker.selectedItems = picker.items.filter((_item, index) => choices[index]?.checked === true);
  picker.title = options.title(checked());
  picker.onDidChangeSelection(() => {
    picker.title = options.title(checked());
  });
  if (button !== undefined) picker.buttons = [button];
  try {
    return await new Promise<readonly T[] | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems.length === 0 ? undefined : checked()));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidTriggerButton(() => {
        resolve(undefined);
        button?.press();
      });
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}
