import assert from "node:assert/strict";
import { FailureError } from "../../../../src/client/failure/failure.ts";
import { readModelAnswer } from "../../../../src/client/answer/modelAnswer.ts";
import { cutText, streamOf } from "../../protocol/decode/streamOf.ts";

const answer = (body: string, error?: unknown) => ({
  status: 200,
  headers: { "x-request-id": "r-1" },
  body: streamOf(cutText(body, [1, 2, 3]), error),
});

async function failureOf(body: string, error?: unknown): Promise<object | undefined> {
  try {
    await readModelAnswer(answer(body, error), 0);
    return undefined;
  } catch (thrown) {
    assert.ok(thrown instanceof FailureError);
    return thrown.failure;
  }
}

describe("readModelAnswer", () => {
  it("reads a list", async () => {
    const page = await readModelAnswer(answer('{"data":[{"id":"a"}]}'), 0);
    assert.deepEqual(page, { models: [{ id: "a" }], next: null });
  });

  it("distinguishes an error, a page, an empty body, other JSON, and text, and stores no JSON", async () => {
    const unreadable = { kind: "unreadable", status: 200, requestId: "r-1" };
    assert.deepEqual(await failureOf('{"error":"No"}'), {
      kind: "refused",
      status: 200,
      error: { message: "No" },
      bodyKind: "json",
      requestId: "r-1",
    });
    assert.deepEqual(await failureOf("<p>"), { ...unreadable, bodyKind: "html", bodyStart: "<p>" });
    assert.deepEqual(await failureOf(""), { ...unreadable, bodyKind: "empty" });
    assert.deepEqual(await failureOf('{"key":"x"}'), { ...unreadable, bodyKind: "json" });
    assert.deepEqual(await failureOf("Hello"), { ...unreadable, bodyKind: "text", bodyStart: "Hello" });
  });

  it("reports a broken connection, and rethrows an abort error", async () => {
    const error = Object.assign(new Error("x"), { code: "ECONNRESET" });
    assert.deepEqual(await failureOf('{"data":', error), {
      kind: "interrupted",
      code: "ECONNRESET",
      requestId: "r-1",
    });
    const abort = new DOMException("x", "AbortError");
    await assert.rejects(readModelAnswer(answer("", abort), 0), (thrown) => thrown === abort);
  });
});
