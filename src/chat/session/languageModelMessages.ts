import type {
  ContentPart,
  Message,
  Role,
  ToolCall,
  ToolResult,
} from "../../protocol/conversation/conversation.ts";
import { isFields, readList, readString } from "../../protocol/conversation/json.ts";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** The result of a tool, in the parts that were given. */
interface LanguageModelToolResult {
  readonly type: "tool-result";
  readonly callId: string;
  readonly parts: readonly (TextPart | DataPart)[];
  readonly isError?: boolean;
}

/** A part of a message from another extension. */
export type LanguageModelPart = TextPart | DataPart | ToolCall | LanguageModelToolResult;

export interface LanguageModelMessage {
  readonly role: Role;
  readonly parts: readonly LanguageModelPart[];
}

interface RolePart {
  readonly role: Role;
  /** Index of the original message. */
  readonly from: number;
  readonly part: ContentPart;
}

/**
 * Converts messages of other extensions to a form that both client styles accept. One system message comes first, then
 * user and assistant alternate. Empty parts are removed, and each tool call is followed by its result. Returns an empty
 * list if there is no content.
 */
export function convertLanguageModelMessages(
  given: readonly LanguageModelMessage[],
  takesImages = true,
): readonly Message[] {
  const said = given.flatMap(({ role, parts }, from) => {
    const converted = parts.flatMap((part) => convertPart(part, takesImages));
    if (converted.every(isBlank)) return [];
    return converted.map((part): RolePart => ({ role: roleOf(part, role), from, part }));
  });
  const system = joinTexts(said.filter(({ role, part }) => role === "system" && part.type === "text"));
  const turns = matchResults(joinRoles(said.filter(({ role }) => role !== "system")));
  if (system.length === 0) return turns;
  // Services do not answer system text alone, so send it as the question.
  return turns.length === 0
    ? [{ role: "user", content: system }]
    : [{ role: "system", content: system }, ...turns];
}

function convertPart(part: LanguageModelPart, takesImages: boolean): readonly ContentPart[] {
  switch (part.type) {
    case "text":
    case "tool-call":
      return [part];
    case "data":
      return convertDataPart(part, takesImages);
    case "tool-result": {
      const parts = part.parts.flatMap((each) =>
        each.type === "text" ? [each] : convertDataPart(each, takesImages),
      );
      const text = parts.map((each) => (each.type === "text" ? each.text : "(an image, which follows)"));
      const result: ToolResult = {
        type: "tool-result",
        callId: part.callId,
        text: text.join("\n"),
        ...(part.isError === true ? { isError: true } : {}),
      };
      // Only one client style takes images inside a tool result. Both take images after it.
      return [result, ...parts.filter(({ type }) => type === "image")];
    }
  }
}

/** A call belongs to the assistant, and a result or an image to the user, regardless of the original message. */
function roleOf(part: ContentPart, role: Role): Role {
  if (part.type === "tool-call") return "assistant";
  return part.type === "tool-result" || part.type === "image" ? "user" : role;
}

function joinRoles(said: readonly RolePart[]): readonly Message[] {
  // Whitespace may separate two words, but is not a turn by itself. Drop such groups, then join the groups around them.
  const spoken = groupByRole(said).filter((group) => group.some(({ part }) => !isBlank(part)));
  return groupByRole(spoken.flat()).map((group) => ({
    role: group[0]?.role ?? "user",
    content: joinTexts(group),
  }));
}

function groupByRole(said: readonly RolePart[]): readonly (readonly RolePart[])[] {
  const groups: RolePart[][] = [];
  for (const each of said) {
    const group = groups.at(-1);
    if (group?.[0]?.role === each.role) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

function isBlank(part: ContentPart): boolean {
  return part.type === "text" && part.text.trim() === "";
}

/** Joins adjacent texts. Texts of different messages are separated by an empty line. */
function joinTexts(said: readonly RolePart[]): readonly ContentPart[] {
  const content: ContentPart[] = [];
  let last = -1;
  for (const { part, from } of said) {
    const before = content.at(-1);
    if (part.type === "text" && before?.type === "text") {
      const gap = from === last ? "" : "\n\n";
      content.splice(-1, 1, { type: "text", text: before.text + gap + part.text });
    } else content.push(part);
    last = from;
  }
  return content.filter((part) => !isBlank(part));
}

/**
 * Adds missing results, and converts results without a call to texts. Services refuse a call without a result in the
 * next message, and a result without a call.
 */
function matchResults(messages: readonly Message[]): readonly Message[] {
  const matched: Message[] = [];
  let asked: readonly string[] = [];
  for (const { role, content } of messages) {
    if (role === "user") matched.push({ role, content: withResults(content, asked) });
    else {
      if (asked.length > 0) matched.push({ role: "user", content: withResults([], asked) });
      matched.push({ role, content });
    }
    asked = role === "user" ? [] : callIds(content);
  }
  if (asked.length > 0) matched.push({ role: "user", content: withResults([], asked) });
  return matched;
}

function callIds(content: readonly ContentPart[]): readonly string[] {
  return [...new Set(content.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])))];
}

function withResults(content: readonly ContentPart[], asked: readonly string[]): readonly ContentPart[] {
  const results = content.filter((part) => part.type === "tool-result");
  const missing = asked
    .filter((id) => !results.some(({ callId }) => callId === id))
    .map((callId): ToolResult => ({ type: "tool-result", callId, text: "The tool was not run." }));
  const kept = content.flatMap((part): readonly ContentPart[] => {
    if (part.type !== "tool-result") return [part];
    if (!asked.includes(part.callId))
      return [{ type: "text", text: `A tool came to this result:\n${part.text}\n` }];
    const same = results.filter(({ callId }) => callId === part.callId);
    return same[0] === part ? [joinResults(part, same)] : [];
  });
  return [...missing, ...kept];
}

/** Services accept only one result per call. */
function joinResults(first: ToolResult, results: readonly ToolResult[]): ToolResult {
  const text = results.map((result) => result.text).join("\n");
  return { ...first, text, ...(results.some(({ isError }) => isError === true) ? { isError: true } : {}) };
}

/** Bytes with a media type, such as `image/png`. */
export interface DataPart {
  readonly type: "data";
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

type Converted = Extract<ContentPart, { type: "text" | "image" }>;

const texts = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|javascript))$/;

/**
 * Returns an image, a text, or a sentence in place of data that no service takes. Omits types without a slash: the chat
 * of VS Code uses these as notes for its own models, such as the start of a cache.
 */
function convertDataPart({ mediaType, bytes }: DataPart, takesImages: boolean): readonly Converted[] {
  const type = mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  if (!type.includes("/") || bytes.length === 0) return [];
  if (type.startsWith("image/")) {
    if (!takesImages) return [{ type: "text", text: "(An image was left out: the model takes none.)" }];
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    return [{ type: "image", mediaType: type === "image/jpg" ? "image/jpeg" : type, data }];
  }
  if (texts.test(type)) return [{ type: "text", text: new TextDecoder().decode(bytes) }];
  return [{ type: "text", text: `(Data of the type ${type.slice(0, 100)} was left out.)` }];
}

/** Maximum depth; prompts never have deeper trees. */
const maxDepth = 100;

/**
 * Returns the text of a tool result's `@vscode/prompt-tsx` tree. Leaves have a `text`, and `lineBreakBefore` if they
 * start a line. Any other value becomes JSON.
 */
export function promptTreeText(value: unknown): string {
  if (typeof value === "string") return value;
  const leaves = isFields(value) ? leafTexts(value["node"] ?? value, 0) : [];
  return leaves.length === 0 ? (JSON.stringify(value) ?? "") : leaves.join("");
}

function leafTexts(node: unknown, depth: number): readonly string[] {
  if (!isFields(node) || depth > maxDepth) return [];
  const text = readString(node, "text");
  if (text !== undefined) return [node["lineBreakBefore"] ? `\n${text}` : text];
  return (readList(node, "children") ?? []).flatMap((child) => leafTexts(child, depth + 1));
}
