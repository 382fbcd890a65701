import * as v from "valibot";
import type { State } from "../workspace/state.ts";

const stateKey = "inference.editPrompts";
const maxPrompts = 20;

/** The prompts for edits in this workspace, newest first. */
export class PromptMemory {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get all(): readonly string[] {
    const parsed = v.safeParse(v.array(v.string()), this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  /** @param prompt must not contain a key */
  async add(prompt: string): Promise<void> {
    const others = this.all.filter((each) => each !== prompt);
    await this.#state.update(stateKey, [prompt, ...others].slice(0, maxPrompts));
  }

  /** Puts a removed prompt back after the newer ones, unless the user has used it again since. */
  async restore(prompt: string, before: readonly string[]): Promise<void> {
    const others = this.all;
    if (others.includes(prompt)) return;
    const newer = new Set(before.slice(0, Math.max(before.indexOf(prompt), 0)));
    const at = others.findLastIndex((each) => newer.has(each)) + 1;
    await this.#state.update(stateKey, others.toSpliced(at, 0, prompt).slice(0, maxPrompts));
  }

  async remove(prompt: string): Promise<void> {
    await this.#state.update(
      stateKey,
      this.all.filter((each) => each !== prompt),
    );
  }
}
