import { type Fields, isFields } from "../conversation/json.ts";

/**
 * Marks of the messages style that ask the service to keep the request up to them, so that the next request reads that
 * part from a cache. The style takes four; these are three at most: instructions, tools and the newest message.
 */
export const cacheField = "cache_control";

const mark = { [cacheField]: { type: "ephemeral" } } as const;

/** Blocks that take a mark. Services refuse one on thinking. */
const markableTypes: ReadonlySet<unknown> = new Set(["text", "image", "tool_use", "tool_result"]);

/**
 * The body with its marks, if another request is likely to read what it writes: it has tools, or is not the first
 * question. Writing into the cache costs extra.
 */
export function withCacheMarks(body: Fields): Fields {
  const { system, tools, messages } = body;
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const isFirstQuestion = !listOf(messages).some((turn) => isFields(turn) && turn["role"] === "assistant");
  if (isFirstQuestion && !hasTools) return body;
  return {
    ...body,
    ...(system === undefined ? {} : { system: markLast(system) }),
    ...(Array.isArray(messages) ? { messages: markLastMessage(messages) } : {}),
    ...(hasTools ? { tools: withLast(tools, (tool) => ({ ...tool, ...mark })) } : {}),
  };
}

/** The body as it was before `withCacheMarks`: without marks, and with plain texts where blocks only carried a mark. */
export function withoutCacheMarks(body: Fields): Fields {
  const { system, tools, messages } = body;
  return {
    ...body,
    ...(system === undefined ? {} : { system: unmark(system) }),
    ...(Array.isArray(messages)
      ? { messages: messages.map((each) => (isFields(each) ? unmarkMessage(each) : each)) }
      : {}),
    ...(Array.isArray(tools) ? { tools: tools.map(withoutMark) } : {}),
  };
}

/** Whether anything of the body carries a mark. */
export function hasCacheMarks({ system, tools, messages }: Fields): boolean {
  const contents = listOf(messages).flatMap((message) =>
    isFields(message) ? listOf(message["content"]) : [],
  );
  return [...listOf(system), ...listOf(tools), ...contents].some(
    (each) => isFields(each) && cacheField in each,
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function markLastMessage(messages: readonly unknown[]): readonly unknown[] {
  return withLast(messages, (message) =>
    "content" in message ? { ...message, content: markLast(message["content"]) } : message,
  );
}

/** A text becomes a block, since only blocks take a mark; none goes on an empty text. */
function markLast(content: unknown): unknown {
  if (typeof content === "string") {
    return content.trim() === "" ? content : [{ type: "text", text: content, ...mark }];
  }
  if (!Array.isArray(content)) return content;
  const at = content.findLastIndex(isMarkable);
  return content.map((block: unknown, index) =>
    index === at && isFields(block) ? { ...block, ...mark } : block,
  );
}

function isMarkable(block: unknown): boolean {
  if (!isFields(block) || !markableTypes.has(block["type"])) return false;
  const { type, text } = block;
  return type !== "text" || (typeof text === "string" && text.trim() !== "");
}

function unmarkMessage(message: Fields): Fields {
  return "content" in message ? { ...message, content: unmark(message["content"]) } : message;
}

/** Nothing but texts is one text, which every service takes. */
function unmark(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const blocks: readonly unknown[] = content.map(withoutMark);
  const texts = blocks.map((block) =>
    isFields(block) && block["type"] === "text" ? block["text"] : undefined,
  );
  return texts.length > 0 && texts.every((text) => typeof text === "string") ? texts.join("\n\n") : blocks;
}

function withoutMark(marked: unknown): unknown {
  if (!isFields(marked) || !(cacheField in marked)) return marked;
  const { [cacheField]: _, ...plain } = marked;
  return plain;
}

function withLast(list: readonly unknown[], change: (last: Fields) => Fields): readonly unknown[] {
  const last = list.at(-1);
  return isFields(last) ? [...list.slice(0, -1), change(last)] : list;
}
