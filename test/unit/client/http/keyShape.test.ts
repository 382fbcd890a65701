import assert from "node:assert/strict";
import fc from "fast-check";
import { holdsKey, looksLikeKey } from "../../../../src/client/http/keyShape.ts";
import { fakeKey } from "../../service/fixture.ts";
import { plainKeys, tellingKeys } from "../key/plantedKeys.ts";

const digitsOf = (text: string): number => text.replaceAll(/\D/g, "").length;
/** Joins the parts at run time so that secret scanners find no key in this file. */
const joined = (...parts: readonly string[]): string => parts.join("-");

describe("looksLikeKey", () => {
  it("recognizes keys by their beginning", () => {
    for (const key of [fakeKey(), fakeKey("key-shape"), "Bearer x", ` ${fakeKey("blanks-around")} `]) {
      assert.ok(looksLikeKey(key), key);
    }
  });

  it("recognizes long runs of letters and digits", () => {
    const long = fc
      .oneof(tellingKeys, plainKeys)
      .filter((key) => /^[\w-]{20,}$/.test(key) && digitsOf(key) >= 4);
    fc.assert(fc.property(long, (key) => looksLikeKey(key)));
  });

  it("recognizes keys with separators", () => {
    const keys = [
      joined("550e8400", "e29b", "41d4", "a716", "446655440000"),
      joined("acme", "550e8400", "e29b", "41d4", "a716", "446655440000"),
      joined("ab12", "cd34", "ef56", "gh78", "ij90"),
      joined("acme", "ab12", "cd34", "ef56", "gh78"),
      joined("A1B2C", "D3E4F", "G5H6I", "J7K8L"),
      joined("acme", "production", "x7f3k9q2"),
      joined("FakeFkD", "9tSrke72PouQMnMX", "a7eZSW0jkFMBWY"),
      joined("acme", "", "production", "2024", "2025"),
    ];
    for (const key of keys) assert.ok(looksLikeKey(key), key);
  });

  it("doesn't mistake a name with a date for a key", () => {
    const names = [
      "claude-3-5-sonnet-20241022",
      "anthropic_claude_sonnet_4_20250514_v1",
      "gpt-4o-mini-2024-07-18",
      "gpt-4o-realtime-preview-2024-12-17",
      "Qwen3-30B-A3B-Instruct-2507-FP8",
      "DeepSeek-R1-0528-Qwen3-8B-W4A16",
      "mixtral-8x22b-instruct-2024",
      "moonshot-v1-128k-20240507",
      "acme-engagement-2024-25",
      "NORTHWIND_EMEA_2024_2025",
      "Muster-GmbH-Audit-2024-2025",
      "ACME_PRODUCTION_KEY_2026",
    ];
    for (const name of names) assert.ok(!looksLikeKey(name), name);
  });
});

describe("holdsKey", () => {
  it("finds a key in a part of a text", () => {
    const key = fakeKey("key-inside");
    for (const text of [key, `Acme ${key}`, `key=${key}`, `openai/${key}`, `a.${key}`, `x:${key}.`])
      assert.ok(holdsKey(text), text);
  });

  it("doesn't mistake a model ID with a vendor for a key", () => {
    const ids = [
      "us.anthropic.claude-sonnet-4-20250514-v1:0",
      "accounts/fireworks/models/llama-v3p1-405b-instruct",
      "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
      "ft:gpt-4o-mini-2024-07-18:acme::Ab12Cd34",
      "openrouter/deepseek/deepseek-r1-0528-qwen3-8b:free",
    ];
    for (const id of ids) assert.ok(!holdsKey(id), id);
  });
});
