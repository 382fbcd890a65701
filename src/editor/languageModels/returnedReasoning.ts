import { createHash } from "node:crypto";
import type { Message, ToolCall } from "../../protocol/conversation/conversation.ts";
import { isFields, type Fields } from "../../protocol/conversation/json.ts";
import { type AnswerOutline, readOutline } from "../../chat/session/answerOutline.ts";
import type { RecallOutline, ReasoningMemory } from "../../chat/session/reasoningMemory.ts";
import type { RequestedModel } from "./requestedModel.ts";

/** The member of a thinking part's metadata that is ours. */
const member = "inferenceReasoning";

/** Where reasoning came from. It goes back to nothing else than the same connection, address, model and style. */
export function reasoningSourceOf({ connection, modelId, clientStyle }: RequestedModel): string {
  const { name, address } = connection;
  const base = address.kind === "address" ? address.address.base : "";
  const facts = JSON.stringify([name, base, modelId, clientStyle]);
  return createHash("sha256").update(facts).digest("base64url");
}

/** Metadata by which an answer's reasoning is found where the editor hands its thinking parts back. */
export function toMetadata(source: string, outline: AnswerOutline): Fields {
  return { [member]: { seal: source, outline } };
}

/**
 * Finds reasoning in memory, or else in what the editor hands back with the messages. The class of thinking parts
 * is no part of the stable API, so they are told by their metadata.
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
