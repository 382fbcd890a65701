import { type Attachment, type AttachmentPlace, placeText } from "../../chat/transcript/attachments.ts";

interface TextAttachmentOptions {
  readonly kind: Attachment["kind"];
  readonly name: string;
  readonly text: string;
  readonly language?: string;
  readonly place?: AttachmentPlace | undefined;
  /** Shown as a tooltip, and sent. Defaults to the place, or to the name if there is no place. */
  readonly detail?: string;
  readonly guessedEncoding?: string | undefined;
}

export function createTextAttachment(options: TextAttachmentOptions): Attachment {
  const { kind, name, text, language = "", place, detail, guessedEncoding } = options;
  return {
    id: crypto.randomUUID(),
    kind,
    name,
    detail: detail ?? (place === undefined ? name : placeText(place)),
    characters: text.length,
    ...(place === undefined ? {} : { place }),
    ...(guessedEncoding === undefined ? {} : { guessedEncoding }),
    content: { type: "text", text, language },
  };
}

export function createPdfAttachment(
  name: string,
  detail: string,
  bytes: Uint8Array,
  place?: AttachmentPlace,
): Attachment {
  return {
    id: crypto.randomUUID(),
    kind: "pdf",
    name,
    detail,
    characters: 0,
    ...(place === undefined ? {} : { place }),
    content: { type: "pdf", data: Buffer.from(bytes).toString("base64") },
  };
}

export function createImageAttachment(
  name: string,
  mediaType: string,
  bytes: Uint8Array,
  place?: AttachmentPlace,
): Attachment {
  return {
    id: crypto.randomUUID(),
    kind: "image",
    name,
    detail: place === undefined ? name : placeText(place),
    characters: 0,
    ...(place === undefined ? {} : { place }),
    content: { type: "image", mediaType, data: Buffer.from(bytes).toString("base64") },
  };
}
