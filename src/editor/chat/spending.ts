import * as v from "valibot";
import type { State } from "../workspace/state.ts";

const stateKey = "inference.tokensToday";

/** Tokens of one day, by connection. Holds no text. */
const daySchema = v.object({
  day: v.string(),
  tokens: v.record(v.string(), v.pipe(v.number(), v.minValue(0))),
});

type Day = v.InferOutput<typeof daySchema>;

/** What each connection has spent today, in all windows, as the service reported it, else as it was estimated. */
export class Spending {
  readonly #state: State;
  readonly #now: () => Date;

  constructor(state: State, now: () => Date) {
    this.#state = state;
    this.#now = now;
  }

  /** Tokens of today; the day is the user's own. */
  today(connectionName: string): number {
    const { tokens } = this.#read();
    return Object.hasOwn(tokens, connectionName) ? (tokens[connectionName] ?? 0) : 0;
  }

  async add(connectionName: string, tokens: number): Promise<void> {
    const day = this.#read();
    const sum = this.today(connectionName) + tokens;
    await this.#state.update(stateKey, { ...day, tokens: { ...day.tokens, [connectionName]: sum } });
  }

  #read(): Day {
    const day = dayOf(this.#now());
    const parsed = v.safeParse(daySchema, this.#state.get(stateKey));
    return parsed.success && parsed.output.day === day ? parsed.output : { day, tokens: {} };
  }
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
