import assert from "node:assert/strict";
import type { AnswerOutline } from "../../../../src/chat/transcript/answerOutline.ts";
import { ReasoningMemory } from "../../../../src/chat/session/reasoningMemory.ts";
import { readConnections } from "../../../../src/connection/setup/connection.ts";
import type { RequestedModel } from "../../../../src/editor/languageModels/requestedModel.ts";
import {
  recallFor,
  reasoningSourceOf,
  toMetadata,
} from "../../../../src/editor/languageModels/returnedReasoning.ts";
import type { ToolCall } from "../../../../src/protocol/conversation/conversation.ts";

const call: ToolCall = {
  type: "tool-call",
  id: "c1",
  name: "look",
  arguments: { kind: "object", value: {} },
};
const outline: AnswerOutline = [
  { type: "reasoning", form: "thinking", text: "Hm", signature: "s" },
  { type: "call", id: "c1" },
];

function askedOf(
  changed: Partial<RequestedModel> & { baseUrl?: string; name?: string } = {},
): RequestedModel {
  const { baseUrl = "http://127.0.0.1:1", name = "Acme", ...asked } = changed;
  const [connection] = readConnections([{ name, baseUrl }]).connections;
  assert.ok(connection !== undefined);
  return { connection, modelId: "m", clientStyle: "messages", ...asked };
}

const handedBack = (metadata: unknown) => [
  { content: [{ value: "Hm", id: "x", metadata }, undefined, "text"] },
];

const recalled = (to: RequestedModel, metadata: unknown) =>
  recallFor(to, new ReasoningMemory(), handedBack(metadata))([call], undefined);

describe("reasoning returned by VS Code", () => {
  const asked = askedOf();
  const metadata = toMetadata(reasoningSourceOf(asked), outline);

  it("is found by its metadata if the memory is empty, as after a restart", () => {
    assert.deepEqual(recalled(asked, JSON.parse(JSON.stringify(metadata))), outline);
    assert.equal(recalled(asked, undefined), undefined);
    assert.equal(recalled(asked, {}), undefined);
    assert.equal(
      recalled(asked, { inferenceReasoning: { seal: reasoningSourceOf(asked), outline: "no" } }),
      undefined,
    );
  });

  it("is used only for its connection, base URL, model, and client style", () => {
    const others = [
      askedOf({ name: "Other" }),
      askedOf({ baseUrl: "http://127.0.0.1:2" }),
      askedOf({ modelId: "n" }),
      askedOf({ clientStyle: "chat-completions" }),
    ];
    for (const other of others) assert.equal(recalled(other, metadata), undefined);
  });

  it("is taken from memory first", () => {
    const memory = new ReasoningMemory();
    const own: AnswerOutline = [{ type: "reasoning", form: "redacted", data: "r" }, ...outline];
    memory.remember(reasoningSourceOf(asked), call, undefined, own);
    assert.equal(recallFor(asked, memory, handedBack(metadata))([call], undefined), own);
  });
});
