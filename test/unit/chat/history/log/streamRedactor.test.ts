import assert from "node:assert/strict";
import fc from "fast-check";
import { StreamRedactor } from "../../../../../src/chat/history/log/streamRedactor.ts";
import type { TranscriptEvent } from "../../../../../src/chat/transcript/transcript.ts";
import { ApiKey } from "../../../../../src/client/key/apiKey.ts";
import { withoutExposedKeys } from "../../../../../src/connection/exposedKeys/exposedKeys.ts";
import { fakeKey } from "../../../service/fixture.ts";
import { sealFor } from "../../../../support/sealFor.ts";

const value = fakeKey("kept-events");
const key = new ApiKey(value, sealFor("https://service.example"));
const searched = [{ connectionName: "Acme", variable: "ACME_KEY", key }];

function keptEvents(): StreamRedactor {
  return new StreamRedactor({
    cleanText: (text) => withoutExposedKeys(text, searched).text,
    cleanEvent: (event) => event,
    keyStartAtEndOf: (text) => key.startAtEndOf(text),
  });
}

const ended: TranscriptEvent = { type: "answer-ended", state: { kind: "stopped" } };

function textOf(events: readonly TranscriptEvent[], type: "text-delta" | "reasoning-delta"): string {
  return events.map((event) => (event.type === type ? event.text : "")).join("");
}

describe("StreamRedactor", () => {
  it("redacts a key that is split at any position", () => {
    for (let at = 0; at <= value.length; at += 1) {
      const kept = keptEvents();
      const events = [`It is ${value.slice(0, at)}`, `${value.slice(at)}, say.`].flatMap((text) =>
        kept.redact([{ type: "text-delta", text }]),
      );
      assert.equal(textOf([...events, ...kept.redact([ended])], "text-delta"), "It is [API key], say.");
    }
  });

  it("redacts keys in alternating text and reasoning, in chunks of any length", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.string(),
        (lengths, around) => {
          const whole = `${around}${value}${around}`;
          const kept = keptEvents();
          const events: TranscriptEvent[] = [];
          for (let [at, turn] = [0, 0]; at < whole.length; turn += 1) {
            const text = whole.slice(at, at + (lengths[turn % lengths.length] ?? 1));
            at += text.length;
            events.push(
              ...kept.redact([
                { type: "text-delta", text },
                { type: "reasoning-delta", text },
              ]),
            );
          }
          events.push(...kept.redact([ended]));
          for (const type of ["text-delta", "reasoning-delta"] as const) {
            assert.equal(textOf(events, type), `${around}[API key]${around}`);
          }
        },
      ),
    );
  });

  it("redacts a key with a quote in JSON that is split at any position", () => {
    const odd = new ApiKey(`${value}"odd`, sealFor("https://service.example"));
    const cleaner = {
      cleanText: (text: string) =>
        withoutExposedKeys(text, [{ connectionName: "Odd", variable: "ODD_KEY", key: odd }]).text,
      cleanEvent: (event: TranscriptEvent) => event,
      keyStartAtEndOf: (text: string) => odd.startAtEndOf(text),
    };
    const whole = JSON.stringify({ key: `${value}"odd` });
    for (let at = 0; at <= whole.length; at += 1) {
      const kept = new StreamRedactor(cleaner);
      const events = [whole.slice(0, at), whole.slice(at)].flatMap((text) =>
        kept.redact([{ type: "text-delta", text }]),
      );
      assert.equal(
        textOf([...events, ...kept.redact([ended])], "text-delta"),
        '{"key":"[API key]"}',
        `${at}`,
      );
    }
  });

  it("emits a held-back key prefix before the answer's end if no key follows", () => {
    const kept = keptEvents();
    const start = value.slice(0, 5);
    assert.deepEqual(kept.redact([{ type: "text-delta", text: `So ${start}` }]), [
      { type: "text-delta", text: "So " },
    ]);
    assert.deepEqual(kept.redact([ended]), [{ type: "text-delta", text: start }, ended]);
    assert.deepEqual(kept.flush(), []);
  });
});
