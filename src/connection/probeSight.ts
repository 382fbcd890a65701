import type { StreamPart, ToolCall, Usage } from "../protocol/conversation.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;

/** What was to be seen of an answer. */
export interface Sight {
  readonly text: string;
  /** Pieces of text, and the reads of the network that they came in. */
  readonly pieces: number;
  readonly reads: number;
  readonly calls: readonly ToolCall[];
  readonly usage?: Usage;
  readonly finish?: FinishPart;
  readonly requestId?: string;
}

/** @param batches the answer's parts, one list for each read */
export function lookAt(batches: readonly (readonly StreamPart[])[]): Sight {
  const parts = batches.flat();
  const texts = parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : []));
  const usage = parts.findLast((part) => part.type === "usage")?.usage;
  const finish = parts.findLast((part) => part.type === "finish");
  const requestId = parts.find((part) => part.type === "request-id")?.requestId;
  return {
    text: texts.join(""),
    pieces: texts.length,
    reads: batches.filter((batch) => batch.some(({ type }) => type === "text-delta")).length,
    calls: parts.filter((part) => part.type === "tool-call"),
    ...(usage === undefined ? {} : { usage }),
    ...(finish === undefined ? {} : { finish }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** The same with every text cleaned: what is seen is shown and kept. */
export function cleanSight(sight: Sight, clean: (text: string) => string): Sight {
  const { finish } = sight;
  return {
    ...sight,
    text: clean(sight.text),
    calls: sight.calls.map((call) => cleanCall(call, clean)),
    ...(finish === undefined ? {} : { finish: { ...finish, wireReason: clean(finish.wireReason) } }),
  };
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

/** A key in a name or a value makes the whole of no use as an argument; its text then stands for it. */
function cleanFields(
  fields: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(fields);
  const cleaned = clean(text);
  return cleaned === text ? fields : { text: cleaned };
}
