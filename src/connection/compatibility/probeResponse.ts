import type { ContentPart, StreamPart, ToolCall, Usage } from "../../protocol/conversation/conversation.ts";
import { cleanReasoning } from "../../protocol/conversation/reasoning.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;

/** The observed parts of an answer. */
export interface ProbeResponse {
  readonly text: string;
  readonly reasoning: string;
  /** Number of text pieces, and number of network reads that contained text. */
  readonly pieces: number;
  readonly reads: number;
  readonly calls: readonly ToolCall[];
  /** The assistant's content, in the form for the next request. */
  readonly content: readonly ContentPart[];
  readonly usage?: Usage;
  readonly finish?: FinishPart;
  readonly requestId?: string;
}

/** @param batches the answer's parts, one list per network read */
export function toProbeResponse(batches: readonly (readonly StreamPart[])[]): ProbeResponse {
  const parts = batches.flat();
  const texts = parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : []));
  const usage = parts.findLast((part) => part.type === "usage")?.usage;
  const finish = parts.findLast((part) => part.type === "finish");
  const requestId = parts.find((part) => part.type === "request-id")?.requestId;
  return {
    text: texts.join(""),
    reasoning: parts.map((part) => (part.type === "reasoning-delta" ? part.text : "")).join(""),
    pieces: texts.length,
    reads: batches.filter((batch) => batch.some(({ type }) => type === "text-delta")).length,
    calls: parts.filter((part) => part.type === "tool-call"),
    content: contentOf(parts),
    ...(usage === undefined ? {} : { usage }),
    ...(finish === undefined ? {} : { finish }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function contentOf(parts: readonly StreamPart[]): readonly ContentPart[] {
  const content: ContentPart[] = [];
  for (const part of parts) {
    if (part.type === "tool-call" || part.type === "reasoning") content.push(part);
    if (part.type !== "text-delta") continue;
    const last = content.at(-1);
    if (last?.type === "text") content.splice(-1, 1, { ...last, text: last.text + part.text });
    else content.push({ type: "text", text: part.text });
  }
  // Some services refuse empty text.
  return content.filter((part) => part.type !== "text" || part.text.trim() !== "");
}

/** Removes keys from all texts, because the texts are displayed and stored. */
export function cleanResponse(response: ProbeResponse, clean: (text: string) => string): ProbeResponse {
  const { finish } = response;
  return {
    ...response,
    text: clean(response.text),
    reasoning: clean(response.reasoning),
    calls: response.calls.map((call) => cleanCall(call, clean)),
    content: response.content.flatMap((part) => cleanPart(part, clean) ?? []),
    ...(finish === undefined ? {} : { finish: { ...finish, wireReason: clean(finish.wireReason) } }),
  };
}

function cleanPart(part: ContentPart, clean: (text: string) => string): ContentPart | undefined {
  switch (part.type) {
    case "text":
    case "tool-result":
      return { ...part, text: clean(part.text) };
    case "tool-call":
      return cleanCall(part, clean);
    case "reasoning":
      return cleanReasoning(part, clean);
    case "image":
    case "pdf":
      return part;
  }
}

function cleanCall(call: ToolCall, clean: (text: string) => string): ToolCall {
  const { arguments: given } = call;
  return {
    ...call,
    id: clean(call.id),
    name: clean(call.name),
    arguments:
      given.kind === "invalid"
        ? { ...given, text: clean(given.text) }
        : { ...given, value: cleanFields(given.value, clean) },
  };
}

/** If a name or value contained a key, the arguments are unusable. Returns their redacted text instead. */
function cleanFields(
  fields: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(fields);
  const cleaned = clean(text);
  return cleaned === text ? fields : { text: cleaned };
}
