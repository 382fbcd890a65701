import * as vscode from "vscode";
import { looksLikeKey } from "../../client/http/keyShape.ts";

export interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /**
   * What is to be said of the text; an error keeps the box open. Where nothing was typed yet it is
   * asked only on Enter, so that an empty box does not open with a complaint.
   */
  readonly validate: (text: string) => vscode.InputBoxValidationMessage | undefined;
}

/**
 * Asks for a line of text. Resolves to undefined on Escape; losing the focus loses nothing. A key where none
 * belongs is hidden as it is refused: a browser also keeps what stands in a field that is not for a password.
 */
export function promptForText(question: TextPrompt): Promise<string | undefined> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    box.title = question.title;
    box.prompt = question.prompt;
    box.placeholder = question.placeholder;
    box.value = question.value ?? "";
    box.password = question.password ?? false;
    box.ignoreFocusOut = true;
    box.onDidChangeValue((text) => {
      const message = text === "" ? undefined : question.validate(text);
      box.password = question.password ?? (isError(message) && looksLikeKey(text));
      box.validationMessage = message;
    });
    box.onDidAccept(() => {
      const message = question.validate(box.value);
      box.validationMessage = message;
      if (isError(message)) return;
      resolve(box.value);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function isError(message: vscode.InputBoxValidationMessage | undefined): boolean {
  return message?.severity === vscode.InputBoxValidationSeverity.Error;
}
