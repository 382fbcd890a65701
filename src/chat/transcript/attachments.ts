import type { KeptSide } from "../../text/cutText.ts";
/** What an attachment is of. `text` is a long text that was pasted; `instructions` are sent ahead of it all. */
export const attachmentKinds = [
  "file",
  "folder",
  "selection",
  "symbol",
  "problems",
  "diff",
  "terminal",
  "search",
  "text",
  "image",
  "instructions",
] as const;

type AttachmentKind = (typeof attachmentKinds)[number];

interface AttachmentTraits {
  readonly holds: "text" | "image";
  /** Made anew each time it is asked for: the newest takes the older one's place. */
  readonly isRenewed: boolean;
  /** What is left of it when it is trimmed. */
  readonly keptEnd: KeptSide;
  /** What opening it shows: its place, that only where it reads as it was sent, its folder, or what was sent. */
  readonly opens: "place" | "unchanged-place" | "folder" | "content";
}

const text = { holds: "text", isRenewed: false, keptEnd: "start", opens: "place" } as const;

/** All that is particular to a kind. */
export const attachmentTraits: Readonly<Record<AttachmentKind, AttachmentTraits>> = {
  file: text,
  folder: { ...text, opens: "folder" },
  selection: text,
  symbol: text,
  problems: { ...text, isRenewed: true, opens: "content" },
  diff: { ...text, isRenewed: true },
  terminal: { ...text, keptEnd: "end" },
  search: { ...text, isRenewed: true },
  text,
  image: { ...text, holds: "image" },
  instructions: { ...text, opens: "unchanged-place" },
};

interface AttachedText {
  readonly type: "text";
  readonly text: string;
  /** The editor's name of the language, such as `typescript`; empty where it has none. */
  readonly language: string;
}

interface AttachedImage {
  readonly type: "image";
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** Where an attachment came from, so that it can be opened. Lines are counted from 1. */
export interface AttachmentPlace {
  /** Relative to the workspace, with the folder's name in front where there are several folders. */
  readonly path: string;
  readonly firstLine?: number;
  readonly lastLine?: number;
}

/** What goes along with a question, as it was when it was attached. Never an absolute path of the machine. */
export interface Attachment {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** Shown on the chip: the file's name. */
  readonly name: string;
  /** Shown as a hint and sent: a path relative to the workspace with lines, or a few words. */
  readonly detail: string;
  /** UTF-16 units of the text; 0 for an image. */
  readonly characters: number;
  /** The characters it had before it was trimmed. */
  readonly trimmedFrom?: number;
  readonly place?: AttachmentPlace;
  /** The encoding that its file was guessed to be in, as people call it; absent where it is known. */
  readonly guessedEncoding?: string;
  /** Absent in the page, which shows no contents. */
  readonly content?: AttachedText | AttachedImage;
}

/** What one question may take along. */
export const attachmentLimits = {
  count: 50,
  /** UTF-16 units of all texts together. */
  characters: 3 * 1024 * 1024,
  /** Bytes of a file. */
  fileBytes: 2 * 1024 * 1024,
  /** Bytes of an image. */
  imageBytes: 5 * 1024 * 1024,
  /** Bytes of all images together. */
  allImageBytes: 50 * 1024 * 1024,
} as const;

/** UTF-16 units of what it holds; of an image those of its base64. */
export function contentLength({ content }: Attachment): number {
  if (content === undefined) return 0;
  return content.type === "text" ? content.text.length : content.data.length;
}

/** The attachment as the page gets it. */
export function withoutContent(attachment: Attachment): Attachment {
  const { content: _, ...shown } = attachment;
  return shown;
}

/** Lines behind a path: `:3`, `:3-10`, or nothing. */
export function placeText({ path, firstLine, lastLine }: AttachmentPlace): string {
  if (firstLine === undefined) return path;
  return lastLine === undefined || lastLine === firstLine
    ? `${path}:${firstLine}`
    : `${path}:${firstLine}-${lastLine}`;
}

export interface JoinedAttachments {
  readonly attachments: readonly Attachment[];
  /** How many did not fit. */
  readonly tooMuch: number;
}

/** Adds what fits into one question. What is there already is taken anew. */
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

/** The same lines of the same file, or the same question asked anew. */
function isSame(old: Attachment, added: Attachment): boolean {
  if (old.kind !== added.kind || old.name !== added.name) return false;
  return old.place !== undefined && added.place !== undefined
    ? placeText(old.place) === placeText(added.place)
    : attachmentTraits[added.kind].isRenewed;
}

function base64Bytes(data: string): number {
  return Math.floor((data.replace(/={1,2}$/, "").length * 3) / 4);
}
