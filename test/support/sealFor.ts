import { readAddress } from "../../src/client/http/address.ts";
import { KeySeal } from "../../src/client/key/keySeal.ts";
import type { SealedKey } from "../../src/editor/key/storedKeys.ts";

/** The seal of a key for a base address. */
export function sealFor(baseUrl: string): KeySeal {
  const reading = readAddress(baseUrl, true);
  if (reading.kind === "problem") throw new Error(`No address: ${reading.problem}`);
  return KeySeal.of(reading.address);
}

/** A key as it is stored for a base address. */
export function sealKey(key: string, baseUrl: string): SealedKey {
  return { key, seal: sealFor(baseUrl) };
}
