import assert from "node:assert/strict";
import { readAnswer } from "../../../../src/client/answer/answer.ts";
import { isDelta } from "../../../../src/protocol/conversation/conversation.ts";
import {
  maxAnswerCharacters,
  maxBarrenBytes,
  maxRestBytes,
  maxStreamBytes,
} from "../../../../src/client/http/body.ts";
import { type Failure, FailureError } from "../../../../src/client/failure/failure.ts";
import type { StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { type ClientStyle, clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { maxArgumentCharacters } from "../../../../src/protocol/conversation/toolCalls.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";

interface Heard {
  readonly text: string;
  readonly parts: readonly StreamPart[];
  readonly failure?: Failure;
  /** The number of bytes read from the body. */
  readonly taken: number;
  /** Whether reading stopped before the body's end. */
  readonly left: boolean;
}

/** Reads a body: each text of `start` as its own chunk, then `again` repeatedly, if given. */
async function hear(style: ClientStyle, start: readonly string[], again?: string): Promise<Heard> {
  let taken = 0;
  let left = true;
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const text of start) yield count(Buffer.from(text));
    const piece = Buffer.from(again ?? "");
    const times = piece.length === 0 ? 0 : (2 * maxStreamBytes) / piece.length;
    for (let time = 0; time < times; time += 1) yield count(piece);
    left = false;
  }
  const count = (bytes: Uint8Array): Uint8Array => {
    taken += bytes.length;
    return bytes;
  };
  const head = { status: 200, headers: { "content-type": "text/event-stream" } };
  const parts: StreamPart[] = [];
  let failure: Failure | undefined;
  try {
    for await (const batch of readAnswer(wireStyles[style], { ...head, body: body() }, 0)) {
      parts.push(...batch);
    }
  } catch (error) {
    assert.ok(error instanceof FailureError, String(error));
    ({ failure } = error);
  }
  const text = parts.map((part) => (isDelta(part) ? part.text : "")).join("");
  return { text, parts, taken, left, ...(failure === undefined ? {} : { failure }) };
}

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chatEvent = (delta: object, more: object = {}): string => event({ choices: [{ delta, ...more }] });

interface Words {
  readonly say: (text: string) => string;
  readonly think: (text: string) => string;
  /** Begins a tool call, or adds to its arguments. */
  readonly call: (text: string) => string;
  /** A finish reason, after which the stream may continue. `end` is the end marker of the client style. */
  readonly reason: string;
  readonly end: string;
  readonly usage: string;
  /** An argument delta of a call that never began. */
  readonly stray: string;
}

const words: Readonly<Record<ClientStyle, Words>> = {
  "chat-completions": {
    say: (content) => chatEvent({ content }),
    think: (reasoning) => chatEvent({ reasoning }),
    call: (text) =>
      chatEvent({ tool_calls: [{ index: 0, id: "one", function: { name: "f", arguments: text } }] }),
    reason: chatEvent({}, { finish_reason: "stop" }),
    end: "data: [DONE]\n\n",
    usage: event({ choices: [], usage: { completion_tokens: 7 } }),
    stray: chatEvent({ tool_calls: [{ index: 3, function: { arguments: "1" } }] }),
  },
  messages: {
    say: (text) => event({ type: "content_block_delta", delta: { type: "text_delta", text } }),
    think: (thinking) => event({ type: "content_block_delta", delta: { type: "thinking_delta", thinking } }),
    call: (partial_json) =>
      (partial_json === ""
        ? event({ type: "content_block_start", index: 1, content_block: { type: "tool_use", name: "f" } })
        : "") +
      event({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } }),
    reason: event({ type: "message_delta", delta: { stop_reason: "end_turn" } }),
    end: event({ type: "message_stop" }),
    usage: event({ type: "message_delta", delta: {}, usage: { output_tokens: 7 } }),
    stray: event({
      type: "content_block_delta",
      index: 3,
      delta: { type: "input_json_delta", partial_json: "1" },
    }),
  },
};

const kilobyte = 1024;
const isCounted = (parts: readonly StreamPart[]): boolean =>
  parts.some((part) => part.type === "usage" && part.usage.outputTokens === 7);

for (const style of clientStyles) {
  const { say, think, call, reason, end, usage, stray } = words[style];
  describe(`the parts read from a stream (${style})`, () => {
    it("include the usage after the end marker, but no text", async () => {
      const [more, thought] = [say("more"), think("hm")];
      const heard = await hear(style, [`${say("Hi")}${end}${more}`, more + thought + usage, more]);
      assert.deepEqual([heard.text, heard.failure], ["Hi", undefined]);
      assert.ok(isCounted(heard.parts), "the usage");
    });

    it("include text after a finish reason, but are interrupted unless another end follows the text", async () => {
      const thought = `${think("hm")}${reason}`;
      for (const start of [[thought + thought + say("Hi") + reason], [thought, thought, say("Hi"), reason]]) {
        const { text, parts, failure } = await hear(style, [...start, usage]);
        assert.deepEqual([text, failure], ["hmhmHi", undefined]);
        assert.ok(isCounted(parts), "the usage");
        assert.equal(
          parts.findLast(({ type }) => type === "finish" || type === "text-delta")?.type,
          "finish",
        );
      }
      const half = await hear(style, [say("Hi"), reason, say("!")]);
      assert.deepEqual([half.text, half.failure], ["Hi!", { kind: "interrupted" }]);
      const whole = await hear(style, [say("Hi"), reason, say("!"), end]);
      assert.deepEqual([whole.text, whole.failure], ["Hi!", undefined]);
    });

    it("are incomplete after a broken event, even if every chunk has a finish reason", async () => {
      const pieces = ["a", "b"].map((text) => say(text) + reason);
      for (const broken of ["data: {oops\n\n", 'data: {"cut'])
        assert.notEqual((await hear(style, [...pieces, broken])).failure, undefined, broken);
      assert.equal((await hear(style, pieces)).failure, undefined);
    });

    it("end soon after the end marker if the stream continues, with a complete answer", async () => {
      const pieces = [say("").repeat(40), usage, ": still here\n\n", "x", stray];
      for (const last of [reason, end]) {
        if (last === end) pieces.push(say("x".repeat(kilobyte)), reason);
        for (const again of pieces.map((piece) => piece.repeat(Math.ceil(kilobyte / piece.length)))) {
          const { text, failure, taken, left } = await hear(style, [say("Hi"), last], again);
          assert.deepEqual({ text, failure, left }, { text: "Hi", failure: undefined, left: true });
          assert.ok(taken > maxRestBytes && taken < maxRestBytes + 4 * kilobyte, `${taken} bytes`);
        }
      }
    });

    it("include the usage after the end, however many comments came before", async () => {
      const silence = ": still here\n\n".repeat(maxRestBytes / 10);
      for (const last of [reason, end]) {
        const { parts } = await hear(style, [say("Hi"), silence, silence + last, usage]);
        assert.ok(isCounted(parts), "the usage");
      }
    });

    it("end at the stream's limit of bytes if the text never ends", async () => {
      const padding = `: ${"x".repeat(256 * kilobyte)}\n\n`;
      for (const piece of [say("x") + padding, say("x") + reason + padding]) {
        const { failure, taken, left } = await hear(style, [reason], piece);
        assert.deepEqual(failure, { kind: "unreadable", status: 200, bodyKind: "too-large" });
        assert.ok(
          left && taken > maxStreamBytes && taken <= maxStreamBytes + 2 * piece.length,
          `${taken} bytes`,
        );
      }
    });

    it("include a whole tool call, however many comments are between its deltas", async () => {
      const padding = `: ${"x".repeat(1024 * kilobyte)}\n\n`;
      const pieces = Array.from({ length: 20 }, () => call("1") + padding);
      const { parts, failure } = await hear(style, [call(""), ...pieces, reason, end]);
      assert.equal(failure, undefined);
      assert.ok(parts.some(({ type }) => type === "tool-call"));
    });

    it("end early if all further deltas belong to calls that never began", async () => {
      const { failure, taken } = await hear(style, [say("Hi")], stray.repeat(100));
      assert.deepEqual(failure, { kind: "unreadable", status: 200, bodyKind: "too-large" });
      assert.ok(taken < 1.1 * maxBarrenBytes, `${taken} bytes`);
    });

    it("end at the limit for call arguments, even with text between them", async () => {
      const piece = say("x") + call("x".repeat(16 * kilobyte));
      const { failure, taken, left } = await hear(style, [call("")], piece);
      assert.deepEqual(failure, { kind: "unreadable", status: 200, bodyKind: "too-large" });
      assert.ok(
        left && taken > maxArgumentCharacters && taken < 1.1 * maxArgumentCharacters,
        `${taken} bytes`,
      );
    });

    it("end at the limit for text and reasoning", async () => {
      const piece = "x".repeat(16 * kilobyte);
      for (const write of [say, think]) {
        const { text, failure, left } = await hear(style, [], write(piece));
        assert.deepEqual(failure, { kind: "unreadable", status: 200, bodyKind: "too-large" });
        const over = text.length - maxAnswerCharacters;
        assert.ok(left && over > 0 && over <= piece.length, `${text.length} characters`);
      }
    });
  });
}
