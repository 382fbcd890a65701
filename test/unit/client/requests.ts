import type { HttpRequest, HttpResponse, TimeLimits } from "../../../src/client/transport.ts";
import { fakeKey } from "../service/fixture.ts";

export const testLimits: TimeLimits = {
  connectMs: 2000,
  headersMs: 3000,
  idleMs: 3000,
  totalMs: 8000,
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
