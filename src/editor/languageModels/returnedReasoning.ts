import { createHash } from "node:crypto";
import type { Message, ToolCall } from "../../protocol/conversation/conversation.ts";
import { isFields, type Fields } from "../../protocol/conversation/json.ts";
import { type AnswerOutline, readOutline } from "../../chat/transcript/answerOutline.ts";
import type { RecallOutline, ReasoningMemory } from "../../chat/session/reasoningMemory.ts";
import type { RequestedModel } from "./requestedModel.ts";

/** Our member in the metadata of a thinking part. */
const member = "inferenceReasoning";

/**
 * Hash of the source of reasoning: connection, base URL, model, and client style. Reasoning is sent back only to the
 * same source.
 */
export function reasoningSourceOf({ connection, modelId, clientStyle }: RequestedModel): string {
  const { name, address } = connection;
  const base = address.kind === "address" ? address.address.base : "";
  const facts = JSON.stringify([name, base, modelId, clientStyle]);
  return createHash("sha256").update(facts).digest("base64url");
}

/** Metadata to recognize an answer's reasoning when VS Code sends its thinking parts back. */
export function toMetadata(source: string, outline: AnswerOutline): Fields {
  return { [member]: { seal: source, outline } };
}

/**
 * Finds reasoning in memory, or else in the messages from VS Code. Thinking parts are recognized by their metadata,
 * because their class is not in the stable API.
 */
export function recallFor(
  asked: RequestedModel,
  memory: ReasoningMemory,
  given: readonly { readonly content: readonly unknown[] }[],
): RecallOutline {
  const source = reasoningSourceOf(asked);
  const remembered = memory.recall(source);
  const returned = new Map<string, AnswerOutline>();
  for (const part of given.flatMap(({ content }) => content)) {
    const outline = readReturned(part, source);
    for (const each of outline ?? []) if (each.type === "call") returned.set(each.id, outline ?? []);
  }
  return (calls: readonly ToolCall[], before: Message | undefined) =>
    remembered(calls, before) ??
    calls.map(({ id }) => returned.get(id)).find((outline) => outline !== undefined);
}

function readReturned(part: unknown, source: string): AnswerOutline | undefined {
  if (!isFields(part) || !isFields(part["metadata"])) return undefined;
  const own = part["metadata"][member];
  return isFields(own) && own["seal"] === source ? readOutline(own["outline"]) : undefined;
}
