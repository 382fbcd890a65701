import { type ClientStyle, styleFacts } from "../../protocol/conversation/wireStyle.ts";
import type { KeptSide } from "../../text/cutText.ts";
import type { Translate } from "../../text/translate.ts";

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
  "pdf",
  "instructions",
] as const;

type AttachmentKind = (typeof attachmentKinds)[number];

interface AttachmentTraits {
  readonly holds: "text" | "image" | "pdf";
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
  pdf: { ...text, holds: "pdf" },
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

/** A PDF file as it is on the disk. Its text is never extracted. */
interface AttachedPdf {
  readonly type: "pdf";
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** The source of an attachment, so that it can be opened. Lines count from 1. */
export interface AttachmentPlace {
  /** Relative to the workspace. Starts with the folder's name if the workspace has several folders. */
  readonly path: string;
  /** The cell of a notebook that the lines are in, counted from 1. */
  readonly cell?: number;
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
  /** UTF-16 units of the text; 0 for an image or a PDF file. */
  readonly characters: number;
  /** UTF-16 units before trimming. */
  readonly trimmedFrom?: number;
  readonly place?: AttachmentPlace;
  /** Display name of the file's guessed encoding. Absent if the encoding is known. */
  readonly guessedEncoding?: string;
  /** Absent in the page, which displays no contents. */
  readonly content?: AttachedText | AttachedImage | AttachedPdf;
}

/** Limits for one question. */
export const attachmentLimits = {
  count: 50,
  /** UTF-16 units of all texts together. */
  characters: 3 * 1024 * 1024,
  fileBytes: 2 * 1024 * 1024,
  imageBytes: 5 * 1024 * 1024,
  pdfBytes: 10 * 1024 * 1024,
  /** Images and PDF files together. */
  allDataBytes: 50 * 1024 * 1024,
} as const;

/** Returns the UTF-16 units of the content; for an image or a PDF file, of its base64. */
export function contentLength({ content }: Attachment): number {
  if (content === undefined) return 0;
  return content.type === "text" ? content.text.length : content.data.length;
}

/** Returns the attachment without its content, as the page receives it. */
export function withoutContent(attachment: Attachment): Attachment {
  const { content: _, ...shown } = attachment;
  return shown;
}

/** Whether the attachment is a PDF file. Only models that are known to read PDF files receive one. */
export function isPdf({ kind, content }: Attachment): boolean {
  return (content?.type ?? attachmentTraits[kind].holds) === "pdf";
}

/**
 * Says why a question with a PDF file is not sent.
 *
 * @param takesPdf undefined if no test has shown that the model reads PDF files
 */
export function pdfRefusalText(
  { model, clientStyle }: { readonly model: string; readonly clientStyle: ClientStyle },
  takesPdf: false | undefined,
  t: Translate,
): string {
  const style = styleFacts[clientStyle].title(t);
  return takesPdf === undefined
    ? t(
        "Your question isn't sent because '{0}' ({1}) isn't known to read PDF files. To find out, run Verify Compatibility.",
        model,
        style,
      )
    : t("Your question isn't sent because '{0}' ({1}) doesn't accept PDF files.", model, style);
}

/** Returns the path, followed by `#3` for a cell, and by `:3`, `:3-10`, or nothing. */
export function placeText({ path, cell, firstLine, lastLine }: AttachmentPlace): string {
  const file = cell === undefined ? path : `${path}#${cell}`;
  if (firstLine === undefined) return file;
  return lastLine === undefined || lastLine === firstLine
    ? `${file}:${firstLine}`
    : `${file}:${firstLine}-${lastLine}`;
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
  const bytes = attachments.reduce((sum, each) => sum + dataBytesOf(each), 0);
  const { count, characters: maxCharacters, allDataBytes } = attachmentLimits;
  return attachments.length <= count && characters <= maxCharacters && bytes <= allDataBytes;
}

function dataBytesOf({ content }: Attachment): number {
  return content === undefined || content.type === "text" ? 0 : base64Bytes(content.data);
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
