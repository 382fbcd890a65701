import assert from "node:assert/strict";
import fc from "fast-check";
import { readAnswer } from "../../../../src/client/answer/answer.ts";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";
import { FailureError } from "../../../../src/client/failure/failure.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { readModelAnswer } from "../../../../src/client/answer/modelAnswer.ts";
import { readRefusal } from "../../../../src/client/http/refusal.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { createEventReader, maxEventCharacters } from "../../../../src/protocol/decode/serverSentEvents.ts";
import {
  UnreadableStreamError,
  type ClientStyle,
  clientStyles,
} from "../../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";
import { cutBodies } from "../../../fuzz/cutBodies.ts";
import { jsonTexts } from "../../../fuzz/hostileTexts.ts";
import { streamOf } from "../../protocol/decode/streamOf.ts";
import { failed } from "../../../support/failed.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const t = createTranslate();

interface Told {
  readonly parts: readonly StreamPart[];
  readonly failure?: Failure;
}

async function tell(style: ClientStyle, pieces: readonly Uint8Array[]): Promise<Told> {
  const parts: StreamPart[] = [];
  const answer = { status: 200, headers: { "content-type": "text/event-stream" }, body: streamOf(pieces) };
  try {
    for await (const batch of readAnswer(wireStyles[style], answer, 0)) parts.push(...batch);
    return { parts };
  } catch (error) {
    assert.ok(error instanceof FailureError, String(error));
    return { parts, failure: error.failure };
  }
}

/** Removes the random part of a generated call ID, because it differs in each answer. */
function withoutMadeId(part: StreamPart): StreamPart {
  if (part.type !== "tool-call") return part;
  return { ...part, id: part.id.replace(/^call_[0-9a-f]{8}_/, "made_") };
}

function sayAll(failure: Failure): string {
  const { title, explanation, evidence } = diagnose(
    failed(failure),
    { origin: "https://h.example", now: 0 },
    t,
  );
  const text = [title, explanation, ...evidence].join("\n");
  assert.ok(text.isWellFormed() && !/undefined|\[object|NaN/.test(`${title} ${explanation}`), text);
  return text;
}

function events(pieces: readonly Uint8Array[]): readonly unknown[] {
  const reader = createEventReader();
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
}

describe("hostile answers", () => {
  it("produce the same events in any chunks", () => {
    fc.assert(
      fc.property(cutBodies, ({ whole, cut }) => {
        assert.deepEqual(events(cut), events([whole]));
      }),
      { numRuns: 1000 },
    );
  });

  it("are buffered only up to the limit, with or without line breaks", () => {
    const filler = "x".repeat(256 * 1024);
    for (const line of [filler, `data: ${filler}\n`, `data: ${filler}\r`]) {
      const reader = createEventReader();
      let held = 0;
      const feedOn = (): void => {
        for (; held < 3 * maxEventCharacters; held += line.length) reader.feed(encode(line));
      };
      assert.throws(feedOn, UnreadableStreamError);
      assert.ok(held <= maxEventCharacters + line.length);
    }
  });

  it("produce the same parts and the same failure in any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(cutBodies, fc.constantFrom(...clientStyles), async ({ whole, cut }, style) => {
        const [one, other] = [await tell(style, [whole]), await tell(style, cut)];
        assert.deepEqual(other.parts.map(withoutMadeId), one.parts.map(withoutMadeId));
        assert.equal(other.failure?.kind, one.failure?.kind);
        assert.equal(other.failure && causeOf(other.failure), one.failure && causeOf(one.failure));
      }),
      { numRuns: 500 },
    );
  });

  it("fail because of an error event after the end marker, even if an unreadable event precedes it", async () => {
    const reads = ["data: [DONE]\n\n", "data: []\n\n", 'event: error\ndata: "null"\n\n'].map(encode);
    for (const pieces of [reads, [new Uint8Array(Buffer.concat(reads))]]) {
      assert.equal((await tell("chat-completions", pieces)).failure?.kind, "stream-error");
    }
  });

  it("become refusals with a diagnosis for any JSON", () => {
    fc.assert(
      fc.property(jsonTexts, fc.integer({ min: 300, max: 599 }), (json, status) => {
        const failure = readRefusal(status, {}, encode(json), 0, new URL("https://h.example/v1/models"));
        sayAll(failure);
      }),
      { numRuns: 1000 },
    );
    assert.equal(Object.hasOwn(Object.prototype, "message"), false);
  });

  it("are read without a stack overflow at any depth", async () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"error":', "}"],
      ['{"message":', "}"],
      ['{"detail":[', "]}"],
    ] as const) {
      const body = encode(`${open.repeat(5000)}"x"${close.repeat(5000)}`);
      sayAll(readRefusal(400, {}, body, 0));
      for (const style of clientStyles) {
        const { failure } = await tell(style, [body]);
        assert.ok(failure !== undefined);
        sayAll(failure);
      }
    }
  });

  it("become model lists or failures with a diagnosis", async () => {
    await fc.assert(
      fc.asyncProperty(jsonTexts, async (json) => {
        try {
          const body = streamOf([encode(json)]);
          const { models } = await readModelAnswer({ status: 200, headers: {}, body }, 0);
          const ids = models.map(({ id }) => id);
          assert.equal(new Set(ids).size, ids.length);
          assert.ok(ids.every((id) => typeof id === "string" && id !== ""));
        } catch (error) {
          assert.ok(error instanceof FailureError, String(error));
          sayAll(error.failure);
        }
      }),
      { numRuns: 500 },
    );
  });
});
