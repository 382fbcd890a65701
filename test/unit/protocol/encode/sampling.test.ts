import assert from "node:assert/strict";
import { chatCompletions } from "../../../../src/protocol/styles/chatCompletions.ts";
import { messages } from "../../../../src/protocol/styles/messages.ts";
import { readSampling } from "../../../../src/protocol/encode/sampling.ts";

const request = {
  model: "service-core",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  maxTokens: 7,
  stream: false,
} as const;

describe("sampling options of callers", () => {
  const options = {
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    seed: 7,
    presence_penalty: 1,
    stop: "END",
    max_tokens: 100.9,
  };

  it("are sent under the names of each style", () => {
    const { sampling, maxTokens, ignored } = readSampling(options);
    assert.deepEqual([maxTokens, ignored], [100, []]);
    const chat = chatCompletions.encodeRequest({ ...request, sampling });
    assert.deepEqual(Object.keys(chat), [
      "model",
      "messages",
      "max_tokens",
      "temperature",
      "top_p",
      "seed",
      "presence_penalty",
      "stop",
    ]);
    const sent = messages.encodeRequest({ ...request, sampling });
    assert.deepEqual(
      [sent["temperature"], sent["top_p"], sent["top_k"], sent["stop_sequences"], sent["seed"]],
      [0.5, 0.9, 40, ["END"], undefined],
    );
  });

  it("are ignored and reported if unknown or of the wrong type", () => {
    const { sampling, maxTokens, ignored } = readSampling({
      temperature: "warm",
      max_tokens: 0,
      stop: [1],
      model: "another",
      messages: [],
      __proto__: { seed: 1 },
      constructor: 1,
      top_p: undefined,
    });
    assert.deepEqual([sampling, maxTokens], [{}, undefined]);
    assert.deepEqual(ignored, ["temperature", "max_tokens", "stop", "model", "messages", "constructor"]);
  });
});
