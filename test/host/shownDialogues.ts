import * as vscode from "vscode";

/** A dialog or notice. */
interface ShownDialogue {
  readonly message: string;
  readonly detail: string | undefined;
  readonly buttons: readonly string[];
}

export type AnswerDialogue = (shown: ShownDialogue) => string | undefined | Promise<string | undefined>;

/** Answers VS Code's dialogs and notices in place of a user, and records them. */
export class ShownDialogues {
  readonly all: ShownDialogue[] = [];
  readonly #shown = new vscode.EventEmitter<ShownDialogue>();
  readonly #own = {
    showInformationMessage: vscode.window.showInformationMessage,
    showWarningMessage: vscode.window.showWarningMessage,
    showErrorMessage: vscode.window.showErrorMessage,
  };

  /** @param answer returns the button to press; by default the first */
  constructor(answer: AnswerDialogue = ({ buttons }) => buttons[0]) {
    const show = async (
      message: string,
      { detail }: vscode.MessageOptions,
      ...items: readonly (string | vscode.MessageItem)[]
    ): Promise<string | vscode.MessageItem | undefined> => {
      const shown = { message, detail, buttons: items.map(titleOf) };
      this.all.push(shown);
      this.#shown.fire(shown);
      const pressed = await answer(shown);
      return items.find((item) => titleOf(item) === pressed);
    };
    Object.assign(vscode.window, {
      showInformationMessage: show,
      showWarningMessage: show,
      showErrorMessage: show,
    });
  }

  get messages(): readonly string[] {
    return this.all.map(({ message }) => message);
  }

  /** Resolves with the first dialog that contains these words, including earlier ones. */
  async until(words: string | RegExp): Promise<ShownDialogue> {
    for (;;) {
      const shown = this.all.find(({ message }) =>
        typeof words === "string" ? message.includes(words) : words.test(message),
      );
      if (shown !== undefined) return shown;
      await this.next();
    }
  }

  /** Resolves with the next dialog. */
  next(): Promise<ShownDialogue> {
    return new Promise((resolve) => {
      const subscription = this.#shown.event((shown) => {
        subscription.dispose();
        resolve(shown);
      });
    });
  }

  dispose(): void {
    Object.assign(vscode.window, this.#own);
    this.#shown.dispose();
  }
}

function titleOf(item: string | vscode.MessageItem): string {
  return typeof item === "string" ? item : item.title;
}
