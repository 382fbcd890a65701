import { readAddress } from "../../src/client/http/address.ts";
import { KeySeal } from "../../src/client/key/keySeal.ts";
import type { SealedKey } from "../../src/editor/key/storedKeys.ts";

/** Returns the seal of a key for a base URL. Throws if the base URL is invalid. */
export function sealFor(baseUrl: string): KeySeal {
  const reading = readAddress(baseUrl, true);
  if (reading.kind === "problem") throw new Error(`Invalid base URL: ${reading.problem}`);
  return KeySeal.of(reading.address);
}

/** Returns a key in its stored form for a base URL. */
export function sealKey(key: string, baseUrl: string): SealedKey {
  return { key, seal: sealFor(baseUrl) };
}
