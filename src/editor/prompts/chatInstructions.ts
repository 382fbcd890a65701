import * as vscode from "vscode";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { settingSection } from "../../contributions.ts";
import type { ChatPrompts } from "./chatPrompts.ts";
import { isInstructionsFile } from "./instructionFiles.ts";

/** Tells a page what its next question will be sent with, for as long as the page is there. */
export class ChatInstructions implements vscode.Disposable {
  readonly #prompts: ChatPrompts;
  readonly #onRead: (instructions: readonly Attachment[]) => void;
  readonly #subscription: vscode.Disposable;
  #attached: readonly Attachment[] | undefined;
  #reading = 0;

  constructor(prompts: ChatPrompts, onRead: (instructions: readonly Attachment[]) => void) {
    this.#prompts = prompts;
    this.#onRead = onRead;
    const readAgain = (): void => {
      if (this.#attached !== undefined) this.read(this.#attached);
    };
    // No watcher: what is sent is read when it is sent, and this is for the meter only.
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(readAgain),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isInstructionsFile(uri)) readAgain();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingSection)) readAgain();
      }),
    );
  }

  /** Reads them for a question with these attachments; the newest reading counts. */
  read(attached: readonly Attachment[]): void {
    this.#attached = attached;
    this.#reading += 1;
    const reading = this.#reading;
    // The question itself says what cannot be read.
    this.#read(attached, reading).catch(() => undefined);
  }

  async #read(attached: readonly Attachment[], reading: number): Promise<void> {
    const instructions = await this.#prompts.instructionsFor(attached);
    if (reading === this.#reading) this.#onRead(instructions);
  }

  dispose(): void {
    this.#reading += 1;
    this.#subscription.dispose();
  }
}
