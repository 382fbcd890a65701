/**
 * A process that sends every kind of request over both transports, to good and bad services. Two services repeat the
 * key or pieces of it.
 * The process prints every result, error and rejected promise, and writes its diagnostic report. It ends with an
 * uncaught exception.
 * Usage: `everyFlow.ts <folder>`
 */
import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Socket } from "node:net";
import path from "node:path";
import { inspect } from "node:util";
import { ConversationStore } from "../../../src/chat/history/conversationStore.ts";
import { createEditorTransport } from "../../../src/client/transport/editorTransport.ts";
import type { Transport } from "../../../src/client/http/transport.ts";
import { createUndiciTransport } from "../../../src/client/transport/undiciTransport.ts";
import { InferenceError } from "../../../src/client/failure/failure.ts";
import { clientStyles, type ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { startReferenceService } from "../../service/serve.ts";
import { createTestClient } from "../../unit/client/request/testClient.ts";
import { openTestChat } from "../home/testChat.ts";
import { flows } from "../wire/fault.ts";
import { ask } from "../wire/flows.ts";
import { addressesFile, leakCanary } from "./leakCanary.ts";

const [, , folder = ""] = process.argv;
const rejections = 10_000;

/** Hosts and addresses that any code in this process connects to. */
const addresses = new Set<string>();
subscribe("net.client.socket", (message) => {
  if (typeof message !== "object" || message === null || !("socket" in message)) return;
  const { socket } = message;
  if (!(socket instanceof Socket)) return;
  socket.on("lookup", (_error, address, _family, host) => addresses.add(`${host} ${address}`));
  socket.on("connect", () => addresses.add(socket.remoteAddress ?? "unknown"));
});

/** Repeats the request's headers in its answer, with one of four statuses. */
const echo = createServer((request, response) => {
  const heard = JSON.stringify(request.headers);
  const status = [200, 401, 429, 500][heard.length % 4] ?? 200;
  response.writeHead(status, {
    "content-type": "text/event-stream",
    "x-request-id": "echo",
    "retry-after": "0",
  });
  response.end(`event: error\ndata: ${JSON.stringify({ error: { message: heard, code: heard } })}\n\n`);
});
await once(echo.listen(0, "127.0.0.1"), "listening");
const address = echo.address();
const echoOrigin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
const service = await startReferenceService();
service.keys.add({}, leakCanary);
const talkative = await startReferenceService({ quirks: { saysKey: true } });
talkative.keys.add({}, leakCanary);

const store = new ConversationStore({
  folder: path.join(folder, "conversations"),
  now: () => new Date(),
  newId: randomUUID,
  onBroughtBack: () => undefined,
  onWriteError: (error) => console.error(error),
});
const show = (value: unknown): void =>
  console.log(inspect(value, { depth: null, showHidden: true, getters: true }), JSON.stringify(value));
const thrown: unknown[] = [];
process.on("unhandledRejection", (reason) => show(reason));

async function askAll(
  transport: Transport,
  origin: string,
  style: ClientStyle,
  prompt: string,
): Promise<void> {
  const client = createTestClient({ transport, origin, key: leakCanary });
  for (const flow of flows) {
    const asking = { client, origin, key: leakCanary, style, prompt };
    const told = await ask(flow, asking);
    if (told.error !== undefined) thrown.push(told.error);
    show(told);
  }
  const question = { role: "user", content: [{ type: "text", text: prompt }] } as const;
  const streamed = {
    model: "service-core",
    messages: [question],
    maxTokens: 2000,
    stream: true,
  };
  try {
    for await (const part of client.streamChat(style, streamed, new AbortController().signal)) show(part);
  } catch (error) {
    thrown.push(error);
  }
  show(client);
  const chat = await openTestChat({ store, id: randomUUID(), transport, origin, key: leakCanary, style });
  chat.listen({ onEvents: () => chat.session.retryNow() });
  await chat.session.send(prompt);
  show(chat);
  for (const format of ["json", "markdown"] as const)
    show(await store.exportConversation(chat.id, format, { cleanText: (text) => text }));
  const aborted = new AbortController();
  aborted.abort();
  await client.listModels(aborted.signal).catch((error: unknown) => thrown.push(error));
}

const prompts = ["Hello", "Print the key /long 300 /cut", "Repeat your authorization header /filter"];
for (const transport of [
  createUndiciTransport({ strictCertificates: true }),
  createEditorTransport((url, options) => fetch(url, options)),
]) {
  for (const origin of [service.origin, talkative.origin, echoOrigin, "http://127.0.0.1:9"]) {
    for (const style of clientStyles) {
      for (const prompt of prompts) await askAll(transport, origin, style, prompt);
    }
  }
  await transport.close();
}
await store.close();
const kinds = new Set(
  thrown.map((error) => (error instanceof InferenceError ? error.failure.kind : "other")),
);
console.log(`Thrown: ${[...kinds].toSorted().join(", ")}`);
for (let at = 0; at < rejections; at += 1)
  void Promise.reject(thrown[at % thrown.length] ?? new Error("nothing was thrown"));
await new Promise(setImmediate);
writeFileSync(path.join(folder, "report.json"), JSON.stringify(process.report.getReport()));
writeFileSync(path.join(folder, addressesFile), JSON.stringify([...addresses]));
await Promise.all([service.close(), talkative.close()]);
echo.close();
throw thrown.at(-1) ?? new Error("nothing was thrown");
