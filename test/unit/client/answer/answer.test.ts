import assert from "node:assert/strict";
import fc from "fast-check";
import { readAnswer } from "../../../../src/client/answer/answer.ts";
import { maxJsonBytes } from "../../../../src/client/http/body.ts";
import { FailureError } from "../../../../src/client/failure/failure.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";
import { cutText, streamOf } from "../../protocol/decode/streamOf.ts";

interface Told {
  readonly text: string;
  readonly failure?: Failure;
  readonly thrown?: unknown;
}

interface Given {
  readonly style?: ClientStyle;
  readonly type?: string;
  readonly sizes?: readonly number[];
  readonly error?: unknown;
}

/** Reads a body. Returns the text that arrived, and the failure if there was one. */
async function tell(body: string, given: Given = {}): Promise<Told> {
  const pieces = cutText(body, given.sizes ?? []);
  return read(streamOf(pieces, given.error), given);
}

async function read(body: AsyncIterable<Uint8Array>, given: Given): Promise<Told> {
  const style = wireStyles[given.style ?? "chat-completions"];
  const headers = { "content-type": given.type ?? "text/event-stream", "x-request-id": "r-1" };
  let text = "";
  try {
    for await (const parts of readAnswer(style, { status: 200, headers, body }, 0)) {
      text += parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
    }
    return { text };
  } catch (thrown) {
    return thrown instanceof FailureError ? { text, failure: thrown.failure } : { text, thrown };
  }
}

const say = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const finish = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
const whole = JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });

/** The body kind of an unreadable answer, the kind of another failure, or "read". */
const kindOf = async (body: string, type: string): Promise<string> => {
  const { failure } = await tell(body, { type });
  return failure?.kind === "unreadable" ? failure.bodyKind : (failure?.kind ?? "read");
};

describe("readAnswer", () => {
  it("reads events with any content type, in any chunks", async () => {
    for (const type of ["text/event-stream", "application/json", "text/plain", ""]) {
      for (const sizes of [[], Array.from({ length: 300 }, () => 1)]) {
        const body = `\n: hello\n\n${say("H")}${say("i")}${finish}data: [DONE]\n\n`;
        assert.deepEqual(await tell(body, { type, sizes }), { text: "Hi" });
      }
    }
  });

  it("reads a JSON body with any content type, after white space and a byte order mark", async () => {
    for (const type of ["application/json", "text/event-stream", "text/html"]) {
      assert.deepEqual(await tell(`\uFEFF\r\n \n${whole}\n`, { type, sizes: [1, 1, 1, 1, 1, 1] }), {
        text: "Hi",
      });
    }
  });

  it("yields the text before it throws the error from the stream", async () => {
    const error = `data: ${JSON.stringify({ error: { message: "Full", type: "overloaded_error" } })}\n\n`;
    const { text, failure } = await tell(`${say("Hi")}${error}data: [DONE]\n\n`);
    assert.equal(text, "Hi");
    assert.deepEqual(failure, {
      kind: "stream-error",
      error: { message: "Full", type: "overloaded_error" },
      requestId: "r-1",
    });
  });

  it("fails as interrupted if the end marker is missing, and keeps the text", async () => {
    const interrupted = { kind: "interrupted", requestId: "r-1" };
    assert.deepEqual(await tell(say("Hi")), { text: "Hi", failure: interrupted });
    assert.deepEqual(await tell(`${say("Hi")}data: {"choices":[{"del`), { text: "Hi", failure: interrupted });
    assert.deepEqual(await tell(": keep-alive\n\n"), { text: "", failure: interrupted });
    assert.deepEqual(await tell(""), { text: "", failure: interrupted });
    assert.deepEqual(await tell(whole.slice(0, 20), { type: "application/json" }), {
      text: "",
      failure: interrupted,
    });
  });

  it("accepts a missing end marker after a finish reason", async () => {
    assert.deepEqual(await tell(`${say("Hi")}${finish}`), { text: "Hi" });
    assert.deepEqual(await tell(`${say("Hi")}${finish.trimEnd()}`), { text: "Hi" });
    assert.deepEqual(await tell(`${say("Hi")}${finish}data: oops\n\n`), { text: "Hi" });
  });

  it("reports the code of a broken connection unless the answer was complete", async () => {
    const error = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
    assert.deepEqual(await tell(say("Hi"), { error }), {
      text: "Hi",
      failure: { kind: "interrupted", code: "UND_ERR_SOCKET", requestId: "r-1" },
    });
    assert.deepEqual(await tell(`${say("Hi")}${finish}`, { error }), { text: "Hi" });
  });

  it("reports a body timeout as an idle timeout", async () => {
    const error = Object.assign(new Error("Body Timeout Error"), { code: "UND_ERR_BODY_TIMEOUT" });
    const { failure } = await tell(say("Hi"), { error });
    assert.deepEqual(failure, { kind: "timeout", phase: "idle", requestId: "r-1" });
  });

  it("rethrows an abort error", async () => {
    const error = new DOMException("This operation was aborted", "AbortError");
    assert.equal((await tell(say("Hi"), { error })).thrown, error);
  });

  it("fails as refused if the body is an error despite status 200", async () => {
    for (const style of clientStyles) {
      const { failure } = await tell('{"error":{"message":"No"}}', { style, type: "application/json" });
      assert.deepEqual(failure, {
        kind: "refused",
        status: 200,
        error: { message: "No" },
        bodyKind: "json",
        requestId: "r-1",
      });
    }
  });

  it("names the kind of an unreadable body: a page, empty, text, other JSON, or a broken event", async () => {
    assert.equal(await kindOf("<!doctype html><title>Home</title>", "text/html"), "html");
    assert.equal(await kindOf("", "application/json"), "empty");
    assert.equal(await kindOf("Welcome", "text/plain"), "text");
    assert.equal(await kindOf("Welcome", "text/event-stream"), "text");
    assert.equal(await kindOf('{"status":"ok"}', "application/json"), "json");
    assert.equal(await kindOf("{oops}", "application/json"), "text");
    assert.equal(await kindOf("data: {oops}\n\n", "text/event-stream"), "event");
  });

  it("stops reading garbage early and closes the body", async () => {
    let reads = 0;
    let closed = false;
    async function* garbage(): AsyncGenerator<Uint8Array> {
      try {
        for (; reads < 640; reads += 1) yield new Uint8Array(16_384).fill(0x2e);
      } finally {
        closed = true;
      }
    }
    const { failure } = await read(garbage(), { type: "application/json" });
    assert.equal(failure?.kind === "unreadable" && failure.bodyKind, "text");
    assert.ok(reads < 3 && closed);
  });

  it("buffers no more of a JSON body than its limit", async () => {
    let bytes = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const piece = new TextEncoder().encode(`[${"1,".repeat(500_000)}`);
      for (; bytes < 4 * maxJsonBytes; bytes += piece.length) yield piece;
    }
    const { failure } = await read(endless(), { type: "application/json" });
    assert.equal(failure?.kind === "unreadable" && failure.bodyKind, "too-large");
    assert.ok(bytes < 2 * maxJsonBytes);
  });

  it("closes the body if the reader stops early", async () => {
    let closed = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        while (true) yield new TextEncoder().encode(say("x"));
      } finally {
        closed = true;
      }
    }
    const answer = { status: 200, headers: {}, body: body() };
    for await (const parts of readAnswer(wireStyles["chat-completions"], answer, 0)) {
      if (parts.length > 0) break;
    }
    assert.ok(closed);
  });

  it("throws only FailureError for any body", async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array(),
        fc
          .constantFrom("data: ", "\n\n", "{", "}", '"error":', "event: error\n", "[DONE]", "\r")
          .map((text) => new TextEncoder().encode(text)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        pieces,
        fc.constantFrom(...clientStyles),
        fc.boolean(),
        async (body, style, labelled) => {
          const type = labelled ? "text/event-stream" : "application/json";
          const { thrown } = await read(streamOf(body), { style, type });
          assert.equal(thrown, undefined);
        },
      ),
    );
  });
});
