import * as vscode from "vscode";
import { holdsKey } from "../../client/http/keyShape.ts";
import { reportError } from "./notices.ts";

export interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /**
   * Checks the text; an error prevents the box from closing. An empty text is checked only on Enter, so that the box
   * does not open with an error.
   */
  readonly validate: (text: string) => vscode.InputBoxValidationMessage | undefined;
  /** A button in the title of the box, for another way to answer. */
  readonly button?: PromptButton;
}

interface PromptButton extends vscode.QuickInputButton {
  /** Receives the text in the box. Resolves to a message to show. With undefined, the box closes without a text. */
  readonly run: (text: string) => Promise<vscode.InputBoxValidationMessage | undefined>;
}

/**
 * Prompts for a line of text. Resolves to undefined on Escape. The box stays open when it loses the focus. A key that
 * does not belong here is hidden when it is refused: browsers remember texts of fields that are not for passwords.
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
      box.password = question.password ?? (isError(message) && holdsKey(text));
      box.validationMessage = message;
    });
    box.onDidAccept(() => {
      const message = question.validate(box.value);
      box.validationMessage = message;
      if (isError(message)) return;
      resolve(box.value);
      box.hide();
    });
    const { button } = question;
    box.buttons = button === undefined ? [] : [button];
    box.onDidTriggerButton(() => {
      if (button !== undefined) reportError(press(button, box));
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

async function press(button: PromptButton, box: vscode.InputBox): Promise<void> {
  const message = await button.run(box.value);
  box.validationMessage = message;
  if (message === undefined) box.hide();
}

function isError(message: vscode.InputBoxValidationMessage | undefined): boolean {
  return message?.severity === vscode.InputBoxValidationSeverity.Error;
}
