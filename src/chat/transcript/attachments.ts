import type { KeptSide } from "../../text/cutText.ts";
/**
 * The kinds of attachments. `website` is the text of a page, `text` is a long pasted text, and `instructions` are sent
 * before the conversation.
 */
export const attachmentKinds = [
  "file",
  "folder",
  "selection",
  "symbol",
  "problems",
  "diff",
  "terminal",
  "search",
  "website",
  "text",
  "image",
  "instructions",
] as const;

type AttachmentKind = (typeof attachmentKinds)[number];

interface AttachmentTraits {
  readonly holds: "text" | "image";
  /** Attaching again collects new content, which replaces the older attachment with the same name or detail. */
  readonly renewedBy: "name" | "detail" | "nothing";
  /** The side that remains after trimming. */
  readonly keptEnd: KeptSide;
  /** Target when opened: the place, the place if its text is unchanged, the folder, or the sent content. */
  readonly opens: "place" | "unchanged-place" | "folder" | "content";
  /** Whether strangers have written the content, which can hold instructions of theirs. */
  readonly isFromOutside: boolean;
}

const text = {
  holds: "text",
  renewedBy: "nothing",
  keptEnd: "start",
  opens: "place",
  isFromOutside: false,
} as const;

/** Properties of each kind. */
export const attachmentTraits: Readonly<Record<AttachmentKind, AttachmentTraits>> = {
  file: text,
  folder: { ...text, opens: "folder" },
  selection: text,
  symbol: text,
  problems: { ...text, renewedBy: "name", opens: "content" },
  diff: { ...text, renewedBy: "name" },
  terminal: { ...text, keptEnd: "end" },
  search: { ...text, renewedBy: "name" },
  website: { ...text, renewedBy: "detail", opens: "content", isFromOutside: true },
  text,
  image: { ...text, holds: "image" },
  instructions: { ...text, opens: "unchanged-place" },
};

interface AttachedText {
  readonly type: "text";
  readonly text: string;
  /** VS Code's language ID, such as `typescript`, or empty. */
  readonly language: string;
}

interface AttachedImage {
  readonly type: "image";
  /** Media type, such as `image/png`. */
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** The source of an attachment, so that it can be opened. Lines count from 1. */
export interface AttachmentPlace {
  /** Relative to the workspace. Starts with the folder's name if the workspace has several folders. */
  readonly path: string;
  readonly firstLine?: number;
  readonly lastLine?: number;
}

/** An attachment of a question, with its content at the time of attaching. Never contains an absolute path. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** Displayed on the chip, such as a file's name. */
  readonly name: string;
  /** Displayed as a tooltip and sent: a path relative to the workspace with lines, or a few words. */
  readonly detail: string;
  /** UTF-16 units of the text; 0 for an image. */
  readonly characters: number;
  /** UTF-16 units before trimming. */
  readonly trimmedFrom?: number;
  readonly place?: AttachmentPlace;
  /** Display name of the file's guessed encoding. Absent if the encoding is known. */
  readonly guessedEncoding?: string;
  /** Absent in the page, which displays no contents. */
  readonly content?: AttachedText | AttachedImage;
}

/** Limits for one question. */
export const attachmentLimits = {
  count: 50,
  /** UTF-16 units of all texts together. */
  characters: 3 * 1024 * 1024,
  fileBytes: 2 * 1024 * 1024,
  imageBytes: 5 * 1024 * 1024,
  allImageBytes: 50 * 1024 * 1024,
} as const;

/** Returns the UTF-16 units of the content; for an image, of its base64. */
export function contentLength({ content }: Attachment): number {
  if (content === undefined) return 0;
  return content.type === "text" ? content.text.length : content.data.length;
}

/** Returns the attachment without its content, as the page receives it. */
export function withoutContent(attachment: Attachment): Attachment {
  const { content: _, ...shown } = attachment;
  return shown;
}

/** Returns the path, followed by `:3`, `:3-10`, or nothing. */
export function placeText({ path, firstLine, lastLine }: AttachmentPlace): string {
  if (firstLine === undefined) return path;
  return lastLine === undefined || lastLine === firstLine
    ? `${path}:${firstLine}`
    : `${path}:${firstLine}-${lastLine}`;
}

export interface JoinedAttachments {
  readonly attachments: readonly Attachment[];
  /** Number of attachments that did not fit. */
  readonly tooMuch: number;
}

/** Adds attachments within the limits. An added attachment replaces an existing one with the same source. */
export function joinAttachments(
  before: readonly Attachment[],
  added: readonly Attachment[],
): JoinedAttachments {
  const attachments = before.filter((old) => !added.some((each) => isSame(old, each)));
  let tooMuch = 0;
  for (const attachment of added) {
    if (fit([...attachments, attachment])) attachments.push(attachment);
    else tooMuch += 1;
  }
  return { attachments, tooMuch };
}

function fit(attachments: readonly Attachment[]): boolean {
  const characters = attachments.reduce((sum, each) => sum + each.characters, 0);
  const bytes = attachments.reduce((sum, each) => sum + imageBytesOf(each), 0);
  const { count, characters: maxCharacters, allImageBytes } = attachmentLimits;
  return attachments.length <= count && characters <= maxCharacters && bytes <= allImageBytes;
}

function imageBytesOf({ content }: Attachment): number {
  return content?.type === "image" ? base64Bytes(content.data) : 0;
}

/** Whether both have the same lines of the same file, or the same kind of collected content. */
function isSame(old: Attachment, added: Attachment): boolean {
  if (old.kind !== added.kind) return false;
  if (old.place !== undefined && added.place !== undefined)
    return old.name === added.name && placeText(old.place) === placeText(added.place);
  const { renewedBy } = attachmentTraits[added.kind];
  return renewedBy !== "nothing" && old[renewedBy] === added[renewedBy];
}

function base64Bytes(data: string): number {
  return Math.floor((data.replace(/={1,2}$/, "").length * 3) / 4);
}
