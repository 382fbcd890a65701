import assert from "node:assert/strict";
import fc from "fast-check";
import { endpointOf, readAddress } from "../../src/client/http/address.ts";
import { readAnswer } from "../../src/client/answer/answer.ts";
import { causes } from "../../src/client/failure/cause.ts";
import { causeOf } from "../../src/client/failure/causeOf.ts";
import { type Failure, FailureError } from "../../src/client/failure/failure.ts";
import { readModelAnswer } from "../../src/client/answer/modelAnswer.ts";
import { readRefusal, readRetryAfterMs } from "../../src/client/http/refusal.ts";
import { readRefusedField } from "../../src/client/request/refusedField.ts";
import { diagnose } from "../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../src/text/translate.ts";
import type { StreamPart } from "../../src/protocol/conversation/conversation.ts";
import { parseJson } from "../../src/protocol/conversation/json.ts";
import { createEventReader } from "../../src/protocol/decode/serverSentEvents.ts";
import { UnreadableStreamError, clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../src/protocol/styles/wireStyles.ts";
import { streamOf } from "../unit/protocol/decode/streamOf.ts";
import { type FuzzTarget, fuzz } from "./fuzzTarget.ts";
import { bodies } from "./bodies.ts";
import { cutBodies } from "./cutBodies.ts";
import { jsonTexts } from "./hostileTexts.ts";
import { eventData } from "./styleEvents.ts";
import { failed } from "../support/failed.ts";

const t = createTranslate();
const url = new URL("https://h.example/v1/models");
const styles = fc.constantFrom(...clientStyles);

const addresses = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        ..."https:// http:// ftp:// // localhost 127.0.0.1 [::1] h.example :8080 :99999 /v1 /chat/completions /models user:pass@ ?a=b #c %2e%2e .. \\ \t \u0000 \u202e ünï.example xn-- 0x7f.1 sk-test-0000000000".split(
          " ",
        ),
      ),
      { maxLength: 7 },
    )
    .map((pieces) => pieces.join("")),
);

function readsAddress(text: string): void {
  for (const allowHttp of [false, true]) {
    const reading = readAddress(text, allowHttp);
    if (reading.kind === "problem") continue;
    const { address } = reading;
    for (const called of [address.modelsUrl, ...clientStyles.map((style) => endpointOf(address, style))]) {
      assert.equal(called.origin, address.origin);
      assert.ok(/^https?:$/.test(called.protocol));
      assert.equal(called.username + called.password + called.search + called.hash, "");
    }
    assert.deepEqual(readAddress(address.base, allowHttp), reading, "its base is read as another");
  }
}

/** Asserts that a failure has a known cause, and a text that is well-formed and of limited length. */
function canBeSaid(failure: Failure): void {
  const { cause, title, explanation, evidence } = diagnose(
    failed(failure),
    { origin: url.origin, now: 0 },
    t,
  );
  assert.ok(causes.includes(cause));
  const text = [title, explanation, ...evidence].join("\n");
  assert.ok(text.isWellFormed() && text.length < 20_000);
  assert.ok(!/undefined|\[object|NaN/.test(title));
}

function areParts(parts: readonly StreamPart[]): void {
  for (const part of parts) {
    if (part.type === "text-delta" || part.type === "reasoning-delta")
      assert.equal(typeof part.text, "string");
    if (part.type === "usage") {
      assert.ok(Object.values(part.usage).every((count) => Number.isFinite(count) && count >= 0));
    }
  }
}

async function failureOf(work: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof FailureError, String(error));
    return error.failure;
  }
}

/** Rarely `error`: the decoder reads no data after an error event. */
const eventNames = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(undefined, "message_start", "content_block_delta", "ping") },
  { weight: 1, arbitrary: fc.constant("error") },
);

const headerTexts = fc.oneof(
  fc.string(),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.constantFrom("6m0s", "1d", "-1", "1e400", "34.4s", "99999999999999999999", "2026-01-01T00:00:00Z"),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "retry-after",
    "retry-after-ms",
    "x-ratelimit-reset-tokens",
    "x-ratelimit-remaining-tokens",
    "date",
  ),
  headerTexts,
);

function readEvents(pieces: readonly Uint8Array[]): readonly unknown[] {
  const reader = createEventReader();
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
}

/** Readers of data that a service sends, and of the base URL. */
export const wireTargets: readonly FuzzTarget[] = [
  fuzz("addresses", addresses, readsAddress),
  fuzz("events, wherever they are cut", cutBodies, ({ whole, cut }) => {
    assert.deepEqual(readEvents(cut), readEvents([whole]));
  }),
  ...clientStyles.map((style) =>
    fuzz(
      `the decoder of ${style}`,
      fc.array(fc.tuple(eventData(style), eventNames), { maxLength: 12 }),
      (events) => {
        const decoder = wireStyles[style].createStreamDecoder();
        let wasEnded = false;
        for (const [data, name] of events) {
          try {
            areParts(decoder.decode(data, name));
          } catch (error) {
            assert.ok(error instanceof UnreadableStreamError, String(error));
          }
          assert.ok(decoder.ended || !wasEnded, "an end is taken back");
          wasEnded = decoder.ended;
        }
      },
    ),
  ),
  fuzz("answers in one piece", fc.tuple(styles, jsonTexts), ([style, json]) => {
    const parts = wireStyles[style].decodeAnswer(parseJson(json));
    areParts(parts);
    const last = parts.at(-1)?.type;
    if (parts.length > 0)
      assert.ok(
        parts.some(({ type }) => type === "finish" || type === "error"),
        last,
      );
  }),
  fuzz("answers, whatever they are", fc.tuple(styles, cutBodies), async ([style, { cut }]) => {
    const answer = { status: 200, headers: {}, body: streamOf(cut) };
    const failure = await failureOf(async () => {
      for await (const parts of readAnswer(wireStyles[style], answer, 0)) areParts(parts);
    });
    if (failure !== undefined) canBeSaid(failure);
  }),
  fuzz(
    "error bodies",
    fc.tuple(bodies, fc.integer({ min: 300, max: 599 }), headers),
    ([body, status, given]) => {
      const failure = readRefusal(status, given, body, 0, url);
      canBeSaid(failure);
      assert.ok(causeOf(failure).length > 0);
      const sent = { model: "m", messages: [], tools: [], stream_options: {}, temperature: 1 };
      readRefusedField(failed(failure), sent);
    },
  ),
  fuzz("waits that are asked for", fc.tuple(headers, fc.constantFrom(429, 503)), ([given, status]) => {
    const wait = readRetryAfterMs(given, status, 0);
    assert.ok(wait === undefined || (wait >= 0 && !Number.isNaN(wait)), String(wait));
  }),
  fuzz("lists of models", bodies, async (bytes) => {
    const failure = await failureOf(async () => {
      const body = streamOf([bytes]);
      const { models, next } = await readModelAnswer({ status: 200, headers: {}, body }, 0);
      const ids = models.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(ids.every((id) => typeof id === "string" && id !== ""));
      assert.ok(next === null || next !== "");
    });
    if (failure !== undefined) canBeSaid(failure);
  }),
];
