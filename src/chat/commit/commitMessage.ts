import {
  announcementLength,
  conventional,
  greetingLength,
  isColonAbove,
  isMetaParagraph,
  isPreamble,
  isSentence,
  labelledParts,
  labelLength,
  endOfLabelLine,
  mayBeRemark,
} from "./commitWords.ts";
import { wholeStart } from "../../text/cutText.ts";

/** Maximum characters. No real commit message is longer. */
export const maxCommitMessageLength = 10_000;

/** Maximum number of layers to remove. Example: a remark, a fence after it, and a label inside. */
const maxLayers = 8;

type Remove = (text: string, isWhole: boolean) => string;

/**
 * Reads the message from an answer. Removes what models add despite the instructions, such as reasoning, remarks,
 * a fence, a label, quotes, or a command.
 * @param isWhole false while the answer is streaming: omits text that may not belong to the message
 */
export function readCommitMessage(answer: string, isWhole = true): string {
  const layers: readonly Remove[] = [
    withoutReasoning,
    withoutElement,
    withoutFields,
    withoutFence,
    withoutCommand,
    withoutLabel,
    withoutRemark,
    withoutMeta,
    withoutMarks,
  ];
  let text = withoutTokens(answer.replaceAll("\r\n", "\n"), isWhole);
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const outer = text.trimStart();
    text = layers.reduce((rest, remove) => (rest === outer ? remove(rest, isWhole) : rest), outer);
    if (text === outer) break;
  }
  const message = withoutMarks(decodeEntities(text.trim(), isWhole), isWhole);
  if (!isWhole && !text.includes("\n") && (mayBeRemark(text) || mayBeRemark(message))) return "";
  return wholeStart(message, maxCommitMessageLength).trimEnd();
}

/** Whether a streaming answer, apart from its reasoning, is longer than any message. */
export function isTooLong(answer: string): boolean {
  return (
    answer.length > maxCommitMessageLength && withoutReasoning(answer, false).length > maxCommitMessageLength
  );
}

const tokens = /(?:<\|[a-z_]+\|>|<\/s>|<eos>|<end_of_turn>|\[\/?INST\])\s*$/i;

/** Removes a model's special tokens from the end of a text. */
function withoutTokens(text: string, isWhole: boolean): string {
  let rest = text;
  while (tokens.test(rest)) rest = rest.replace(tokens, "");
  return isWhole ? rest : rest.replace(/<[|/]?[a-z_]*\|?$/i, "");
}

const element =
  /^<(commit[-_ ]?message|commit[-_]?msg|commit|message|answer|response|output|result|final|solution)>\s*/i;

function withoutElement(text: string, isWhole: boolean): string {
  const [head, name] = element.exec(text) ?? [];
  if (head === undefined || name === undefined) return text;
  const inside = text.slice(head.length);
  const end = inside.toLowerCase().indexOf(`</${name.toLowerCase()}>`);
  if (end >= 0) return inside.slice(0, end).trim();
  if (!isWhole) return inside.replace(/<\/?[a-z_ -]*$/i, "");
  // Without its end tag, an element such as `<result>` may be the first word of the message.
  return /commit/i.test(name) ? inside : text;
}

/** Reads the message from a JSON object. */
function withoutFields(text: string, isWhole: boolean): string {
  if (!isWhole && text.trimEnd() === "{") return "";
  if (!/^\{\s*"/.test(text)) return text;
  const fields = readFields(text.trimEnd());
  const subject = fields.get("message") ?? fields.get("commit_message") ?? fields.get("commitMessage");
  const parts = [
    subject ?? fields.get("subject") ?? fields.get("title") ?? fields.get("summary"),
    fields.get("body") ?? fields.get("description"),
  ].filter((part) => part !== undefined && part.trim() !== "");
  if (parts.length > 0) return parts.join("\n\n");
  return isWhole ? text : "";
}

function readFields(text: string): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse(text);
    const entries = typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
    return new Map(
      entries.flatMap(([name, value]: [string, unknown]) =>
        typeof value === "string" ? [[name, value] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/** Returns the text in a fence at the start of the answer, and drops the text after the fence. */
function withoutFence(text: string): string {
  const inLine = /^(`{3,})([^\n`]+)\1\s*$/.exec(text)?.[2];
  if (inLine !== undefined) return inLine.trim();
  // A fence may be incomplete. Show nothing until its line has ended.
  if (/^(?:`{1,2}|~{1,2}|`{3,}[^\n]*|~{3,}[^\n]*)$/.test(text)) return "";
  const [head, marks] = /^([`~]{3,})[^\n`]*\n/.exec(text) ?? [];
  if (head !== undefined && marks !== undefined) return insideFence(text.slice(head.length), marks);
  return behindAnnouncement(text);
}

/** Removes sentences above a fence, in any language, if the fence starts with a conventional subject or a command. */
function behindAnnouncement(text: string): string {
  if (!isSentence(text)) return text;
  const fence = /^[`~]{3,}[^\n`]*\n/m.exec(text);
  if (fence === null) return text;
  const inside = text.slice(fence.index + fence[0].length);
  return conventional.test(inside) || /^(?:\$ )?git (?:add|commit) /.test(inside)
    ? text.slice(fence.index)
    : text;
}

/** Returns the text up to the line that closes the fence, including nested fences. */
function insideFence(inside: string, marks: string): string {
  const kept: string[] = [];
  let depth = 0;
  for (const line of inside.split("\n")) {
    const [, found, info = ""] = /^\s*([`~]{3,})[ \t]*([^`\n]*)$/.exec(line) ?? [];
    const isFence = found?.startsWith(marks.charAt(0)) === true;
    if (isFence && info.trim() !== "") depth += 1;
    else if (isFence && depth > 0) depth -= 1;
    else if (isFence && found.length >= marks.length) return kept.join("\n").trim();
    kept.push(line);
  }
  // The closing line may be incomplete.
  return kept
    .join("\n")
    .replace(/\n[`~]*$/, "")
    .trim();
}

const command =
  /^(?:\$ )?(?:git add [^\n]*?(?:&&|;|\n)\s*)?git commit(?=\s)[^"'\n]*?\s(?:-[a-z]*m|--message)(?:=|[ \t]*)(?=["'$])/;
const arrivingCommand = /^(?:\$ )?git (?:add[^"':]*|commit\s[^"':\n]*)$/;
const nextValue = /^[ \t]*(?:\\\n[ \t]*)?(?:-m|--message)(?:=|[ \t]*)/;
const value = /^(?:"((?:[^"\\]|\\[^])*)("?)|\$?'([^']*)('?))/;
const here = /^"?\$\(cat <<-?\s*(['"]?)(\w+)\1[ \t]*\n/;

/** Reads the message from a git command. */
function withoutCommand(text: string, isWhole: boolean): string {
  const [head] = command.exec(text) ?? [];
  if (head === undefined) return !isWhole && arrivingCommand.test(text) ? "" : text;
  let rest = text.slice(head.length);
  const [documentHead, , word = ""] = here.exec(rest) ?? [];
  if (documentHead !== undefined) {
    const inside = rest.slice(documentHead.length);
    const end = inside.search(new RegExp(`^[ \\t]*${word}[ \\t]*$`, "m"));
    if (end >= 0) return inside.slice(0, end).trim();
    const lastLine = inside.slice(inside.lastIndexOf("\n") + 1);
    return (word.startsWith(lastLine) ? inside.slice(0, inside.length - lastLine.length) : inside).trim();
  }
  if (!isWhole && /^"?\$/.test(rest)) return "";
  const paragraphs: string[] = [];
  for (let found = value.exec(rest); found !== null; found = value.exec(rest)) {
    const [whole, double, , single] = found;
    paragraphs.push(double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? "");
    rest = rest.slice(whole.length);
    const next = nextValue.exec(rest)?.[0];
    if (next === undefined) break;
    rest = rest.slice(next.length);
  }
  return paragraphs.join("\n\n").trim();
}

/** Removes text that only announces the message: a first line, its beginning, or the text above a label. */
function withoutRemark(text: string, isWhole: boolean): string {
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  if (/^(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return text.slice(line.length);
  const isLineWhole = isWhole || end !== -1;
  const length = announcementLength(line) || (isLineWhole ? greetingLength(line) : 0) || endOfLabelLine(text);
  if (length > 0) return text.slice(length);
  const rest = end === -1 ? "" : text.slice(end + 1).trim();
  return isPreamble(line, isWhole && rest === "") || isColonAbove(line, rest) ? rest : text;
}

/** Removes the last paragraph if it is about the message and not about the change. */
function withoutMeta(text: string): string {
  const plain = text.trimEnd().replace(/\n[ \t]*(?:-{3,}|\*{3,}|_{3,})$/, "");
  const last = plain.split(/\n[ \t]*\n/).at(-1) ?? "";
  const before = plain.slice(0, plain.length - last.length).trimEnd();
  if (before !== "" && isMetaParagraph(last)) return before;
  return plain.length < text.trimEnd().length ? plain : text;
}

/** Removes `Commit message:`, or `Title:` and its `Body:`. */
function withoutLabel(text: string, isWhole: boolean): string {
  const length = labelLength(text);
  if (length > 0) return text.slice(length);
  const parts = labelledParts(text);
  if (parts === undefined) return text;
  // The other label may still be streaming.
  const subject = isWhole
    ? parts.subject
    : parts.subject.replace(/\n[*_ ]{0,4}[\p{L} ]{0,20}[*_]{0,4}$/u, "");
  return [subject.trim(), parts.body.trim()].filter((part) => part !== "").join("\n\n");
}

/** Marks around a text. Longer marks precede their own prefixes. */
const pairs: readonly (readonly [string, string])[] = [
  ["***", "***"],
  ["**", "**"],
  ["*", "*"],
  ["__", "__"],
  ["_", "_"],
  ["`", "`"],
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["„", "“"],
  ["„", "”"],
  ["‘", "’"],
  ["‚", "‘"],
  ["«", "»"],
  ["»", "«"],
  ["‹", "›"],
  ["「", "」"],
  ["『", "』"],
  ["【", "】"],
];

/** Removes quotes and similar marks around the whole text or its first line, and the marks of a heading. */
function withoutMarks(text: string, isWhole: boolean): string {
  const [block, mark = ""] = /^("""|''')\w*\n/.exec(text) ?? [];
  if (block !== undefined)
    return text.slice(block.length).replace(new RegExp(`\\n${mark.charAt(0)}{0,3}\\s*$`), "");
  if (/^(?:>[^\n]*(?:\n|$))+$/.test(text)) return text.replaceAll(/^> ?/gm, "");
  const tag = /^<(b|strong|p|pre|code|em|i|h[1-6])>([^]*)<\/\1>\s*$/i.exec(text)?.[2];
  if (tag !== undefined) return tag;
  const heading = /^#{1,6}[ \t]+(?=\S)/.exec(text)?.[0];
  if (heading !== undefined) return text.slice(heading.length);
  for (const [open, close] of pairs) {
    const next = text.charAt(open.length);
    if (!text.startsWith(open) || next.trim() === "" || open.startsWith(next)) continue;
    const ended = text.trimEnd();
    const marked = ended.endsWith(`${close}.`) ? ended.slice(0, -1) : ended;
    const inside = insideMarks(marked, open, close, isWhole);
    if (inside !== undefined) return inside;
  }
  return text;
}

function insideMarks(text: string, open: string, close: string, isWhole: boolean): string | undefined {
  const spelled = open === '"' ? readSpelled(text) : undefined;
  if (spelled !== undefined) return spelled;
  const [first = "", ...rest] = text.split("\n");
  const line = insideLine(first.trimEnd(), open, close);
  if (line !== undefined) return [line, ...rest].join("\n");
  const isEnded = text.length > open.length && text.endsWith(close) && !text.endsWith('\\"');
  const whole = isEnded ? text.slice(open.length, -close.length) : undefined;
  const isQuote = open !== "`" && !/^[*_]/.test(open);
  if (whole !== undefined && (isQuote || !whole.includes(close))) {
    const plain = isQuote ? insideQuotes(whole, close) : whole;
    if (plain !== undefined) return plain;
  }
  // The closing mark may still be streaming.
  const arrived = text.slice(open.length);
  if (isWhole) return undefined;
  const plain = open === '"' ? unspell(arrived).replace(/\\$/, "") : withoutPart(arrived, close);
  const isOpen = isQuote ? insideQuotes(`${plain}.`, close) : plain.includes(close) ? undefined : plain;
  return isOpen === undefined ? undefined : plain;
}

function insideLine(line: string, open: string, close: string): string | undefined {
  if (line.length <= open.length + close.length || !line.endsWith(close)) return undefined;
  const inside = line.slice(open.length, -close.length);
  const bare = withoutApostrophes(inside);
  const isSpelled = close === '"' && inside.endsWith("\\");
  const isName = open.startsWith("_") && !/\s/.test(inside);
  return bare.includes(open) || bare.includes(close) || inside.trim() !== inside || isName || isSpelled
    ? undefined
    : inside;
}

/** Decodes a string literal with an escaped line break or quote. Returns undefined for any other text. */
function readSpelled(text: string): string | undefined {
  const inside = /^"((?:[^"\\\n]|\\.)*)"$/.exec(text)?.[1];
  if (inside === undefined || !/\\["n]/.test(inside)) return undefined;
  return unspell(inside);
}

function unspell(text: string): string {
  return text.replaceAll(/\\(["\\n])/g, (_, character: string) => (character === "n" ? "\n" : character));
}

/** Returns undefined if a mark inside the text already closes the opening mark. */
function insideQuotes(inside: string, close: string): string | undefined {
  const at = withoutApostrophes(inside).indexOf(close);
  if (at === -1) return inside;
  return /\s/.test(inside.charAt(at - 1)) && /\S/.test(inside.charAt(at + close.length)) ? inside : undefined;
}

/** Replaces apostrophes between letters. The length stays the same. */
function withoutApostrophes(text: string): string {
  return text.replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, "_");
}

function withoutPart(text: string, close: string): string {
  for (let length = close.length - 1; length > 0; length -= 1) {
    if (text.endsWith(close.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

const entity = /&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi;
const characters: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Decodes HTML entities, unless the message may be about entities or contains such characters unescaped. */
function decodeEntities(arrived: string, isWhole: boolean): string {
  const text = isWhole ? arrived : arrived.replace(/&#?\w{0,6}$/, "");
  // Arrows and email addresses may occur unescaped in any text.
  const bare = text.replaceAll(entity, "").replaceAll(/[-=]>|<-|<[^<>\s]+@[^<>\s]+>/g, "");
  if (/[<>&]|entit|escap|encod|decod|html|xml/i.test(bare) || /`[^`\n]*&#?\w+;/.test(text)) return text;
  return text.replaceAll(entity, (whole: string, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return characters[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Names of the elements in which models put their reasoning. */
const names =
  "think|thinking|thoughts?|thought_process|thinking_process|reasoning|reflection|scratchpad|analysis|inner_monologue|details";

/** The start of reasoning, and the matching end. */
const blocks: readonly { readonly begin: RegExp; readonly end: (found: string) => RegExp }[] = [
  { begin: /^(Thinking)(?:\.{3}|…)[ \t]*\n/, end: () => /^(?:\.{3}|…)done thinking\.?[ \t]*$/m },
  {
    begin: new RegExp(`^<((?:[a-z]+:)?(?:${names}))(?:\\s[^>\\n]*)?>`, "i"),
    end: (name) => new RegExp(`</${name}\\s*>`, "i"),
  },
  { begin: /^\[(THINK|THINKING|REASONING)\]/i, end: (name) => new RegExp(`\\[/${name}\\]`, "i") },
  { begin: /^◁(think)▷/, end: () => /◁\/think▷/ },
  {
    begin: /^<\|(?:begin_of_)?(thought|think|thinking)\|>/,
    end: () => /<\|(?:end_of_|\/)(?:thought|think|thinking)\|>/,
  },
  {
    begin: /^(?:<\|start\|>assistant)?<\|channel\|>(analysis|commentary)/,
    end: () => /<\|channel\|>final(?:[^<\n]*)<\|message\|>/,
  },
  { begin: /^[`~]{3,}(think|thinking|thoughts?|reasoning)[ \t]*\n/i, end: () => /\n[`~]{3,}[ \t]*(?:\n|$)/ },
];

/** An end mark of reasoning at the beginning of a line. Used only if the answer contains no start mark. */
const unopenedEnd = /^[ \t]*(?:<\/(think|thinking|thoughts?|reasoning)>|\[\/THINK\]|◁\/think▷)/gim;

/** The mark before the message itself, in models that also mark their reasoning. */
const finalMark =
  /^(?:<\|start\|>assistant)?<\|channel\|>final(?:[^<\n]*)<\|message\|>|^<\|begin_of_solution\|>/;

/**
 * Removes the reasoning at the start of an answer. Reasoning without an end mark extends to the end of the answer,
 * unless its element has other uses too.
 * @param isWhole false while the answer is streaming: then also omits an incomplete mark
 */
function withoutReasoning(answer: string, isWhole: boolean): string {
  let text = afterUnopenedEnd(answer).replace(/^[\s\uFEFF\u200B]+/, "");
  for (;;) {
    const rest = withoutBlock(text, isWhole).replace(finalMark, "").trimStart();
    if (rest === text) break;
    text = rest;
  }
  return !isWhole && isPartOfMark(text) ? "" : text;
}

function afterUnopenedEnd(text: string): string {
  const last = [...text.matchAll(unopenedEnd)].at(-1);
  if (last === undefined || /<(?:think|thought|reasoning)|\[THINK|◁think/i.test(text.slice(0, last.index)))
    return text;
  return text.slice(last.index + last[0].length);
}

function withoutBlock(text: string, isWhole: boolean): string {
  for (const { begin, end } of blocks) {
    const [head, name] = begin.exec(text) ?? [];
    if (head === undefined || name === undefined) continue;
    const rest = text.slice(head.length);
    const found = end(name).exec(rest);
    if (found !== null) return rest.slice(found.index + found[0].length).trimStart();
    // These elements also have other uses, so a message may start with one of them.
    return isWhole && /^<(?:details|analysis|reflection)\b/i.test(head) ? text : "";
  }
  return text;
}

function isPartOfMark(text: string): boolean {
  return (
    "Thinking...".startsWith(text) ||
    /^(?:<[|/]?[\w:|]{0,30}|\[\/?[a-z]{0,9}|◁[/a-z]{0,6}|<\|[a-z_]*\|>[\w<|]*)$/i.test(text)
  );
}
