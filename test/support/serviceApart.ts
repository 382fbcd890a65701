/**
 * Runs the reference service in a process of low priority: a real service would take no processor time of this
 * machine.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import * as v from "valibot";
import { startReferenceService } from "../service/serve.ts";

const startedSchema = v.object({ origin: v.string() });
const answersSchema = v.array(v.picklist(["open", "finished", "aborted"]));

/** State of an answer: still streaming, sent completely, or aborted by its client. */
export type AnswerState = v.InferOutput<typeof answersSchema>[number];

export interface ServiceApart extends AsyncDisposable {
  readonly origin: string;
  /** States of all answers that have begun. */
  answers(): Promise<readonly AnswerState[]>;
  /** Ends the pauses of the open answers, waits for their ends, and returns the states of all answers. */
  endedAnswers(): Promise<readonly AnswerState[]>;
}

type Question = "answers" | "ended answers";

/** Starts the service with one key. The service reads the key from its environment. */
export async function startServiceApart(key: string): Promise<ServiceApart> {
  const child = fork(import.meta.filename, { env: { ...process.env, [keyVariable]: key } });
  const ended = once(child, "exit");
  const answered = async (): Promise<unknown> => {
    const [answer]: unknown[] = await Promise.race([
      once(child, "message"),
      ended.then((): never => {
        throw new Error("The service ended too early");
      }),
    ]);
    return answer;
  };
  const ask = async (question: Question): Promise<readonly AnswerState[]> => {
    const answer = answered();
    child.send(question);
    return v.parse(answersSchema, await answer);
  };
  const { origin } = v.parse(startedSchema, await answered());
  return {
    origin,
    answers: () => ask("answers"),
    endedAnswers: () => ask("ended answers"),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

const keyVariable = "INFERENCE_SERVICE_KEY";

async function serve(key: string): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const service = await startReferenceService();
  service.keys.add({}, key);
  const states = (): readonly AnswerState[] => service.journal.answers.map(({ state }) => state);
  const { signal } = new AbortController();
  const answer = async (question: Question): Promise<void> => {
    if (question === "ended answers") service.hurry();
    const waited = question === "ended answers" ? service.journal.answers : [];
    await Promise.all(
      waited.map(({ sequence }) =>
        service.journal.next((each) => each.sequence === sequence && each.state !== "open", signal),
      ),
    );
    process.send?.(states());
  };
  process.on("message", (question: Question) => {
    answer(question).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  process.send?.({ origin: service.origin });
}

if (process.argv[1] === import.meta.filename) await serve(process.env[keyVariable] ?? "");
