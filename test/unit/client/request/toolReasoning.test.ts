import assert from "node:assert/strict";
import type { AnswerOutline, OutlinePart } from "../../../../src/chat/transcript/answerOutline.ts";
import { countLetters } from "../../../../src/chat/transcript/answerOutline.ts";
import { ReasoningMemory, restoreReasoning } from "../../../../src/chat/session/reasoningMemory.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { LastingAdaptation } from "../../../../src/protocol/encode/adaptation.ts";
import type {
  ChatRequest,
  ContentPart,
  Message,
  StreamPart,
  ToolCall,
} from "../../../../src/protocol/conversation/conversation.ts";
import { type ClientStyle, clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import type { Ask } from "../../../service/generation.ts";
import { noQuirks } from "../../../service/quirks.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { createTestClient } from "./testClient.ts";

const tools = ["get_weather", "get_time"].map((name) => ({
  name,
  description: "Tells something.",
  schema: { type: "object", properties: { place: { type: "string" } } },
}));
const question: Message = { role: "user", content: [{ type: "text", text: "How is it in Ulm, and when?" }] };

/** Two rounds: first both tools at once, then one of them again. */
const twoRounds = ({ messages }: Ask) => {
  const rounds = messages.filter(({ role }) => role === "assistant").length;
  const names = [["get_weather", "get_time"], ["get_weather"]][rounds] ?? [];
  return names.map((name) => ({ name, arguments: JSON.stringify({ place: "Ulm" }) }));
};

/** An answer: content without reasoning, outline with reasoning, and calls. */
interface Answer {
  readonly content: readonly ContentPart[];
  readonly outline: AnswerOutline;
  readonly calls: readonly ToolCall[];
}

const resultsOf = (calls: readonly ToolCall[]): Message => ({
  role: "user",
  content: calls.map(({ id, name }) => ({ type: "tool-result", callId: id, text: `${name} is fine` })),
});

const lastText = (messages: readonly Message[]): string =>
  (messages.at(-1)?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");

describe("a tool's round trip with a service that requires its reasoning back", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  let service: ReferenceService;
  let key: string;
  let learnt: LastingAdaptation[];
  let client: InferenceClient;

  before(async () => {
    service = await startReferenceService({
      calls: twoRounds,
      quirks: { demandsReasoning: true },
    });
    key = service.keys.add({}, fakeKey("back-5c20"));
  });
  beforeEach(() => {
    learnt = [];
    service.quirks = { ...noQuirks, demandsReasoning: true };
    service.journal.clear();
    client = createTestClient({
      transport,
      origin: service.origin,
      key,
      memory: {
        adaptationsFor: () => learnt,
        learnNoImages: () => undefined,
        learn: (_asked, adaptation) => void learnt.push(adaptation),
      },
    });
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  async function ask(style: ClientStyle, messages: readonly Message[], stream: boolean): Promise<Answer> {
    const request: ChatRequest = { model: "service-core", maxTokens: 500, stream, messages, tools };
    const parts: StreamPart[] = [];
    if (stream) for await (const batch of client.streamChat(style, request, soon())) parts.push(...batch);
    else parts.push(...(await client.complete(style, request, soon())).value);
    const text = parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
    const calls = parts.filter((part) => part.type === "tool-call");
    const outline = parts.flatMap((part): readonly OutlinePart[] => {
      if (part.type === "text-delta") return [{ type: "text", letters: countLetters(part.text) }];
      if (part.type === "tool-call") return [{ type: "call", id: part.id }];
      return part.type === "reasoning" ? [part] : [];
    });
    return { outline, calls, content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls] };
  }

  /** Asks until an answer calls no tool. `restore` prepares the messages of each request. */
  async function converse(
    style: ClientStyle,
    stream: boolean,
    restore: (messages: readonly Message[]) => readonly Message[],
    keep: (call: ToolCall, before: Message | undefined, outline: AnswerOutline) => void,
    start: readonly Message[] = [question],
  ): Promise<readonly Message[]> {
    const messages = [...start];
    for (;;) {
      const sent = restore(messages);
      const answer = await ask(style, sent, stream);
      for (const call of answer.calls) keep(call, messages.at(-1), answer.outline);
      messages.push({ role: "assistant", content: answer.content });
      if (answer.calls.length === 0) return messages;
      messages.push(resultsOf(answer.calls));
    }
  }

  for (const style of clientStyles) {
    for (const stream of [true, false]) {
      const manner = `${style}, ${stream ? "streamed" : "whole"}`;

      it(`completes two rounds with parallel calls, and a later question (${manner})`, async () => {
        const memory = new ReasoningMemory();
        const restore = (messages: readonly Message[]) => restoreReasoning(messages, memory.recall("a"));
        const keep = (call: ToolCall, before: Message | undefined, outline: AnswerOutline) =>
          memory.remember("a", call, before, outline);
        const ended = await converse(style, stream, restore, keep);
        assert.match(lastText(ended), /The tool answered: get_weather is fine/);
        const next: Message = {
          role: "user",
          content: [{ type: "text", text: "Answer with the word otter." }],
        };
        const after = await converse(style, stream, restore, keep, [...ended, next]);
        assert.equal(lastText(after), "otter");
        assert.deepEqual(
          service.journal.entries.map(({ status }) => status),
          [200, 200, 200, 200],
        );
        assert.deepEqual(learnt, []);
      });
    }

    it(`is refused with another connection's memory, and retried with fill-reasoning (${style})`, async () => {
      const memory = new ReasoningMemory();
      const ended = await converse(
        style,
        true,
        (messages) => restoreReasoning(messages, memory.recall("another")),
        (call, before, outline) => memory.remember("a", call, before, outline),
      ).catch((error: unknown) => error);
      assert.equal(service.journal.entries[1]?.status, 400);
      assert.deepEqual(learnt[0], { kind: "fill-reasoning" });
      // In the Chat Completions style, the retry sends a placeholder, which this service rejects.
      if (style === "chat-completions") assert.ok(ended instanceof InferenceError);
      else assert.ok(Array.isArray(ended));
    });

    it(`accepts calls of another service even if their reasoning is unknown (${style})`, async () => {
      const call: ToolCall = {
        type: "tool-call",
        id: "foreign",
        name: "get_time",
        arguments: { kind: "object", value: {} },
      };
      const messages: readonly Message[] = [
        question,
        { role: "assistant", content: [call] },
        resultsOf([call]),
        { role: "assistant", content: [{ type: "text", text: "It is noon." }] },
        { role: "user", content: [{ type: "text", text: "Answer with the word otter." }] },
      ];
      assert.equal(
        lastText([{ role: "assistant", content: (await ask(style, messages, true)).content }]),
        "otter",
      );
      // This service requires reasoning for earlier turns only in the Chat Completions style.
      const wants = style === "chat-completions";
      assert.deepEqual(learnt, wants ? [{ kind: "fill-reasoning" }] : []);
      assert.deepEqual(
        service.journal.entries.map(({ status }) => status),
        wants ? [400, 200] : [200],
      );
    });
  }

  it("retries one request without its reasoning if the service calls the reasoning altered", async () => {
    const memory = new ReasoningMemory();
    const first = await ask("messages", [question], true);
    const altered = first.outline.map((part) =>
      part.type === "reasoning" && part.form === "thinking" ? { ...part, text: `${part.text}!` } : part,
    );
    for (const call of first.calls) memory.remember("a", call, question, altered);
    const messages = [
      question,
      { role: "assistant" as const, content: first.content },
      resultsOf(first.calls),
    ];
    const answer = await ask("messages", restoreReasoning(messages, memory.recall("a")), true);
    assert.match(lastText([{ role: "assistant", content: answer.content }]), /\S/);
    assert.deepEqual(
      service.journal.entries.map(({ status }) => status),
      [200, 400, 400, 200],
    );
    assert.deepEqual(learnt, [{ kind: "fill-reasoning" }]);
  });

  it("omits reasoning from then on if the service refuses the field by name", async () => {
    const memory = new ReasoningMemory();
    service.quirks = { ...noQuirks, demandsReasoning: true };
    const first = await ask("chat-completions", [question], true);
    for (const call of first.calls) memory.remember("a", call, question, first.outline);
    service.quirks = { ...noQuirks, refuse: ["reasoning_content"] };
    const messages = [
      question,
      { role: "assistant" as const, content: first.content },
      resultsOf(first.calls),
    ];
    for (let round = 0; round < 2; round += 1)
      await ask("chat-completions", restoreReasoning(messages, memory.recall("a")), true);
    assert.deepEqual(learnt, [{ kind: "omit", field: "reasoning_content" }]);
    assert.deepEqual(
      service.journal.entries.map(({ status }) => status),
      [200, 400, 200, 200],
    );
  });
});
