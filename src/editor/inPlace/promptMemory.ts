import * as v from "valibot";
import type * as vscode from "vscode";

const stateKey = "inference.editPrompts";
const most = 20;

/** What was asked of edits in this workspace, the newest first. */
export class PromptMemory {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly string[] {
    const parsed = v.safeParse(v.array(v.string()), this.#state.get<unknown>(stateKey));
    return parsed.success ? parsed.output : [];
  }

  /** To be called with texts that no key is in. */
  async add(prompt: string): Promise<void> {
    const others = this.all.filter((each) => each !== prompt);
    await this.#state.update(stateKey, [prompt, ...others].slice(0, most));
  }

  async remove(prompt: string): Promise<void> {
    await this.#state.update(
      stateKey,
      this.all.filter((each) => each !== prompt),
    );
  }
}
