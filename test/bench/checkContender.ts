/** Runs the connection check or its bare requests, each time over new connections. */
import { Agent, request as undiciRequest } from "undici";
import { endpointOf, readAddress, type ServiceAddress } from "../../src/client/http/address.ts";
import { ApiKey } from "../../src/client/key/apiKey.ts";
import { ConnectionRecorder } from "../../src/client/transport/connectionRecorder.ts";
import { createTransport } from "../../src/client/transport/createTransport.ts";
import { InferenceClient } from "../../src/client/request/inferenceClient.ts";
import { answerLimits, listLimits } from "../../src/client/http/transport.ts";
import { buildCheckReport, type CheckProgress } from "../../src/connection/check/checkReport.ts";
import { type Connection, readConnections } from "../../src/connection/setup/connection.ts";
import { checkConnection } from "../../src/connection/check/connectionCheck.ts";
import { diagnose } from "../../src/connection/diagnosis/diagnosis.ts";
import { PacedDrawing } from "../../src/connection/check/pacedDrawing.ts";
import { createTranslate } from "../../src/text/translate.ts";
import type { ClientStyle } from "../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../src/protocol/styles/wireStyles.ts";
import { benchKey } from "./benchKey.ts";
import { serveRuns } from "./contenders.ts";
import { sealFor } from "../support/sealFor.ts";

const [, , name = "", origin = "", repeats = ""] = process.argv;
const clientStyle = "messages";
const model = "service-core";
const key = benchKey;
const signal = new AbortController().signal;
const t = createTranslate();
const { address, connection } = readService();

const contenders: Readonly<Record<string, () => Promise<void>>> = {
  "our check": checkOnce,
  bare: requestBare,
};
const work = contenders[name];
if (work === undefined) throw new Error(`Unknown contender: ${name}`);

serveRuns(async () => {
  const started = performance.now();
  for (let count = 0; count < Number(repeats); count += 1) await work();
  return { milliseconds: (performance.now() - started) / Number(repeats) };
});

function readService(): { readonly address: ServiceAddress; readonly connection: Connection } {
  const reading = readAddress(origin);
  const [first] = readConnections([{ name: "Bench", baseUrl: origin }]).connections;
  if (reading.kind === "problem" || first === undefined) throw new Error(`Invalid base URL: ${origin}`);
  return { address: reading.address, connection: first };
}

/** Runs the check like the extension does, and builds the report again as steps complete. */
async function checkOnce(): Promise<void> {
  const recorder = new ConnectionRecorder();
  const settings = { strictCertificates: true, systemCertificates: true };
  const transport = createTransport("auto", settings, fetch, recorder);
  const shown = { connection: "Bench", clientStyle, model, at: new Date(), billable: true } as const;
  let check: CheckProgress = { ...shown, steps: [], state: { kind: "running" } };
  const drawing = new PacedDrawing(() => void buildCheckReport(check, t));
  drawing.now();
  const { result } = await checkConnection(
    {
      connection,
      clientStyle,
      model,
      billable: true,
      readKey: async () => new ApiKey(key, sealFor(address.origin)),
      createClient: (apiKey) =>
        new InferenceClient({
          transport,
          address,
          key: apiKey,
          limits: answerLimits,
          listLimits,
          userAgent: "inference-chat/bench",
          onCall: () => undefined,
        }),
      diagnose: (failure) => diagnose(failure, { origin: address.origin }, t),
      readConnectionFacts: () => recorder.facts,
      now: () => new Date(),
      clock: () => performance.now(),
      onStep: (step, steps) => {
        check = { ...shown, steps, state: { kind: "running", step } };
        drawing.soon();
      },
      t,
    },
    signal,
  );
  check = { ...shown, steps: result.steps, state: { kind: "done", canChat: true, ok: result.ok } };
  drawing.now();
  await transport.close();
  if (!result.ok) throw new Error(JSON.stringify(result.steps));
}

/** Sends the three requests of the check and parses the JSON of the responses. */
async function requestBare(): Promise<void> {
  const dispatcher = new Agent();
  const headers = { authorization: `Bearer ${key}`, accept: "application/json" };
  await read(undiciRequest(address.modelsUrl, { dispatcher, headers }));
  await ask(dispatcher, endpointOf(address, "chat-completions"), "chat-completions");
  await ask(dispatcher, endpointOf(address, "messages"), "messages");
  await dispatcher.close();
}

async function ask(dispatcher: Agent, url: URL, style: ClientStyle): Promise<void> {
  const wire = wireStyles[style];
  const body = JSON.stringify(
    wire.encodeRequest({
      model,
      messages: [{ role: "user", content: [{ type: "text", text: "ping" }] }],
      maxTokens: 1,
      stream: false,
    }),
  );
  const headers = {
    authorization: `Bearer ${key}`,
    accept: "application/json",
    ...wire.headers,
    "content-type": "application/json",
  };
  await read(undiciRequest(url, { dispatcher, method: "POST", headers, body }));
}

async function read(answer: ReturnType<typeof undiciRequest>): Promise<void> {
  const { statusCode, body } = await answer;
  await body.json();
  if (statusCode !== 200) throw new Error(`${name}: HTTP status ${statusCode}`);
}
