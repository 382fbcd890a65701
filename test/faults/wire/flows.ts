import type { ChatTarget } from "../../../src/chat/session/chatTarget.ts";
import { ChatSession } from "../../../src/chat/session/chatSession.ts";
import { emptyTranscript } from "../../../src/chat/transcript/transcript.ts";
import { ApiKey } from "../../../src/client/key/apiKey.ts";
import { type Failure, InferenceError } from "../../../src/client/failure/failure.ts";
import type { InferenceClient } from "../../../src/client/request/inferenceClient.ts";
import { withRetries } from "../../../src/client/request/retrying.ts";
import { readConnections } from "../../../src/connection/setup/connection.ts";
import { checkConnection } from "../../../src/connection/check/connectionCheck.ts";
import { diagnose } from "../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../src/text/translate.ts";
import type { Model } from "../../../src/protocol/decode/modelList.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { answerBy } from "../../unit/client/request/testClient.ts";
import type { Ending, Flow } from "./fault.ts";
import { sealFor } from "../../support/sealFor.ts";

/** The result of a flow. */
export interface Told {
  readonly ending: Ending;
  readonly text: string;
  /** All token counts of the answer, of any kind; undefined if the flow reports no counts. */
  readonly counts?: readonly number[];
  /** Report of the flow, with the text truncated; for failure messages and for the search for the key. */
  readonly said: unknown;
  /** The failure; after retries, the last one. */
  readonly failure?: Failure;
  /** The error, if one was thrown. */
  readonly error?: InferenceError;
}

export interface Asking {
  readonly client: InferenceClient;
  readonly origin: string;
  readonly key: string;
  readonly style: ClientStyle;
  readonly prompt: string;
}

const never = new AbortController().signal;
const model = "service-core";
const t = createTranslate();

export function ask(flow: Flow, asking: Asking): Promise<Told> {
  switch (flow) {
    case "chat":
      return chat(asking);
    case "whole":
      return complete(asking);
    case "check":
      return check(asking, true);
    case "check of the list":
      return check(asking, false);
    case "list":
      return list(asking);
  }
}

async function chat({ client, origin, style, prompt }: Asking): Promise<Told> {
  const failures: Failure[] = [];
  const target: ChatTarget = {
    connection: "Faulty",
    hasGiven: () => true,
    model,
    clientStyle: style,
    taken: () => ({}),
    stallSeconds: 0,
    onSettled: () => undefined,
    answer: answerBy(client, style, { model, maxTokens: 2000 }),
    diagnose: async (error) => {
      failures.push(error.failure);
      return explain(error, origin);
    },
  };
  let turns = 0;
  const session: ChatSession = new ChatSession({
    target: () => target,
    transcript: emptyTranscript,
    onEvents: (events) => {
      // Other tests cover the delays between retries.
      if (events.some(({ type }) => type === "retry-announced")) session.retryNow();
    },
    now: () => new Date(),
    newId: () => `turn-${(turns += 1)}`,
  });
  await session.send(prompt);
  const answer = session.transcript.turns.at(-1);
  if (answer?.kind !== "answer") throw new Error("The chat has no answer.");
  const { state, text } = answer;
  const isWhole = state.kind === "complete";
  return {
    ending: isWhole ? "works" : state.kind === "failed" ? state.diagnosis.cause : "unknown",
    text,
    counts: countsIn(answer.usage),
    said: { ...answer, text: text.slice(0, 200) },
    ...lastOf(failures),
  };
}

async function complete({ client, origin, style, prompt }: Asking): Promise<Told> {
  const messages = [{ role: "user", content: [{ type: "text", text: prompt }] }] as const;
  return told(origin, async () => {
    const request = { model, messages, maxTokens: 2000, stream: false };
    const { value } = await client.complete(style, request, never);
    const text = value.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
    const usages = value.flatMap((part) => (part.type === "usage" ? [part.usage] : []));
    return { text, counts: countsIn(usages.at(-1)) };
  });
}

async function list({ client, origin }: Asking): Promise<Told> {
  return told(origin, async () => {
    const work = () => client.listModels(never);
    const { value } = await withRetries(work, ({ retryNow }) => retryNow(), never);
    return readOf(value);
  });
}

/** Returns the name and the token limits of the model that the test's requests use. */
function readOf(models: readonly Model[]): Pick<Told, "text" | "counts"> {
  const { name = "", contextWindow, maxOutputTokens } = models.find(({ id }) => id === model) ?? {};
  return { text: name, counts: countsIn({ contextWindow, maxOutputTokens }) };
}

function countsIn(counted: object | undefined): readonly number[] {
  return Object.values(counted ?? {}).filter((count) => typeof count === "number");
}

async function check({ client, origin, key, style }: Asking, billable: boolean): Promise<Told> {
  const failures: Failure[] = [];
  const [connection] = readConnections([{ name: "Faulty", baseUrl: origin }]).connections;
  if (connection === undefined) throw new Error("There is no connection.");
  const outcome = await checkConnection(
    {
      connection,
      clientStyle: style,
      model,
      billable,
      readKey: async () => new ApiKey(key, sealFor(origin)),
      createClient: () => client,
      diagnose: (error) => {
        failures.push(error.failure);
        return explain(error, origin);
      },
      now: () => new Date(),
      clock: () => performance.now(),
      t,
    },
    never,
  );
  // A step may fail without ending the check.
  const failed = outcome.result.steps.find(({ cause }) => cause !== undefined)?.cause;
  const passed = billable ? outcome.result.ok : outcome.models !== undefined;
  const ending = outcome.diagnosis?.cause ?? failed ?? (passed ? "works" : "unknown");
  const read = billable ? { text: "" } : readOf(outcome.models ?? []);
  return { ending, ...read, said: outcome, ...lastOf(failures) };
}

async function told(origin: string, work: () => Promise<Pick<Told, "text" | "counts">>): Promise<Told> {
  try {
    const read = await work();
    return { ending: "works", ...read, said: read.text.slice(0, 200) };
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const { failure, message, cause } = error;
    const said = { failure, message, diagnosis: explain(error, origin) };
    return { ending: cause, text: "", said, failure, error };
  }
}

function lastOf(failures: readonly Failure[]): Pick<Told, "failure"> {
  const failure = failures.at(-1);
  return failure === undefined ? {} : { failure };
}

function explain(error: InferenceError, origin: string) {
  return diagnose(error, { origin, model, now: Date.now() }, t);
}
