import { type Fields, isFields } from "../conversation/json.ts";

/**
 * The mark of the Messages style that makes the service cache the request up to that point. The next request then reads
 * this part from the cache. The style allows four marks. At most three are set: instructions, tools and the newest
 * message.
 */
export const cacheField = "cache_control";

const mark = { [cacheField]: { type: "ephemeral" } } as const;

/** Block types that may have a mark. Services reject a mark on thinking blocks. */
const markableTypes: ReadonlySet<unknown> = new Set(["text", "image", "document", "tool_use", "tool_result"]);

/**
 * Adds cache marks if a later request is likely to read the cache: there are tools, or earlier answers. Writing to the
 * cache costs extra.
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

/**
 * Removes all cache marks. Also joins text-only blocks into plain text, because `withCacheMarks` turns text into
 * blocks.
 */
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

/** Whether the body has any cache mark. */
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

/** Marks the last markable block. Turns a string into a block, because only blocks have marks. Skips empty text. */
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

/** Removes marks. Joins text-only content into one string, which every service accepts. */
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
