/** The reference service in a process that yields to all else, as one that runs elsewhere takes nothing of this machine. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import * as v from "valibot";
import { startReferenceService } from "../service/serve.ts";

const startedSchema = v.object({ origin: v.string() });
const answersSchema = v.array(v.picklist(["open", "finished", "aborted"]));

/** How far an answer is: still on its way, sent as a whole, or left by its client. */
export type AnswerState = v.InferOutput<typeof answersSchema>[number];

export interface ServiceApart extends AsyncDisposable {
  readonly origin: string;
  /** Of each answer that was begun. */
  answers(): Promise<readonly AnswerState[]>;
  /** The same, once none is on its way: those that were pause no more. */
  endedAnswers(): Promise<readonly AnswerState[]>;
}

type Question = "answers" | "ended answers";

/** Starts it, with one key, which it knows by its environment. */
export async function startServiceApart(key: string): Promise<ServiceApart> {
  const child = fork(import.meta.filename, { env: { ...process.env, [keyVariable]: key } });
  const ended = once(child, "exit");
  const answered = async (): Promise<unknown> => {
    const [answer]: unknown[] = await Promise.race([
      once(child, "message"),
      ended.then((): never => {
        throw new Error("The service ended before its time");
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
