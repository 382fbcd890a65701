import * as vscode from "vscode";

/** A dialogue or notice. */
interface ShownDialogue {
  readonly message: string;
  readonly detail: string | undefined;
  readonly buttons: readonly string[];
}

export type AnswerDialogue = (shown: ShownDialogue) => string | undefined | Promise<string | undefined>;

/** Answers the editor's dialogues and notices in the place of a person, and takes down what they said. */
export class ShownDialogues {
  readonly all: ShownDialogue[] = [];
  readonly #waiting = new Set<(shown: ShownDialogue) => void>();
  readonly #own = {
    showInformationMessage: vscode.window.showInformationMessage,
    showWarningMessage: vscode.window.showWarningMessage,
    showErrorMessage: vscode.window.showErrorMessage,
  };

  /** @param answer the button that is pressed; by default the first */
  constructor(answer: AnswerDialogue = ({ buttons }) => buttons[0]) {
    const show = async (
      message: string,
      { detail }: vscode.MessageOptions,
      ...buttons: readonly string[]
    ): Promise<string | undefined> => {
      const shown = { message, detail, buttons };
      this.all.push(shown);
      for (const hear of this.#waiting) hear(shown);
      return answer(shown);
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

  /** Resolves with the first that says so, whether it has been shown or is yet to come. */
  until(words: RegExp): Promise<ShownDialogue> {
    const says = ({ message }: ShownDialogue): boolean => words.test(message);
    const present = this.all.find(says);
    if (present !== undefined) return Promise.resolve(present);
    return new Promise((resolve) => {
      const hear = (shown: ShownDialogue): void => {
        if (!says(shown)) return;
        this.#waiting.delete(hear);
        resolve(shown);
      };
      this.#waiting.add(hear);
    });
  }

  dispose(): void {
    Object.assign(vscode.window, this.#own);
  }
}
