import type { HttpRequest, HttpResponse, TimeLimits } from "../../../../src/client/http/transport.ts";
import { fakeKey } from "../../service/fixture.ts";

export const testLimits: TimeLimits = {
  connectMs: 30_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 50_000,
  closingMs: 1000,
};
export const testKey = fakeKey("network");

export function getRequest(url: string | URL): HttpRequest {
  return { method: "GET", url: new URL(url), headers: { authorization: `Bearer ${testKey}` } };
}

export async function textOf(response: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.body) text += decoder.decode(piece, { stream: true });
  return text;
}
