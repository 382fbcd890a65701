import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "./errorAnswers.ts";
import type { KeyRecord, KeyRing } from "./keyRing.ts";

/** The characters of a bearer token (RFC 6750, section 2.1). */
const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/u;

/**
 * Finds the key of a request (specification, section 5), or throws a `Refusal`. Does not check budget and model,
 * because listing models is free and names no model.
 */
export function authorize(headers: IncomingHttpHeaders, keys: KeyRing, now: number): KeyRecord {
  const record = keys.find(presentedKey(headers));
  if (record === undefined) {
    throw new Refusal("unknown-key", "Incorrect API key provided. The service does not recognize this key.");
  }
  if (record.revoked) {
    throw new Refusal("revoked-key", "Key is blocked: this API key was revoked. Use its replacement.");
  }
  const { expiresAt } = record.terms;
  if (expiresAt !== undefined && expiresAt.getTime() <= now) {
    throw new Refusal("expired-key", `Expired Key: this API key has expired (${expiresAt.toISOString()}).`);
  }
  return record;
}

function presentedKey(headers: IncomingHttpHeaders): string {
  if (headers["x-api-key"] !== undefined) {
    throw new Refusal(
      "malformed-key",
      "Malformed API Key header: `x-api-key` is not accepted. Send the key as `Authorization: Bearer`.",
    );
  }
  const [scheme = "", ...rest] = (headers.authorization ?? "").split(" ");
  const key = rest.join(" ");
  if (scheme === "" || (scheme.toLowerCase() === "bearer" && key === "")) {
    throw new Refusal(
      "missing-key",
      "You didn't provide an API key. Send it as `Authorization: Bearer <key>`.",
    );
  }
  if (scheme.toLowerCase() !== "bearer" || !bearerToken.test(key)) {
    throw new Refusal(
      "malformed-key",
      "Malformed API Key: expected `Authorization: Bearer` and a key without spaces or quotes.",
    );
  }
  return key;
}
