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

  dispose(): void {
    Object.assign(vscode.window, this.#own);
  }
}
