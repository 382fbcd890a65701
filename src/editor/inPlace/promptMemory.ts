import * as v from "valibot";
import type { State } from "../workspace/state.ts";

const stateKey = "inference.editPrompts";
const maxPrompts = 20;

/** What was asked of edits in this workspace, the newest first. */
export class PromptMemory {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get all(): readonly string[] {
    const parsed = v.safeParse(v.array(v.string()), this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }

  /** To be called with texts that no key is in. */
  async add(prompt: string): Promise<void> {
    const others = this.all.filter((each) => each !== prompt);
    await this.#state.update(stateKey, [prompt, ...others].slice(0, maxPrompts));
  }

  /** Puts a removed one back behind what is newer, unless it was asked again since. */
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
