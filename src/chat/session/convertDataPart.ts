import type { ContentPart } from "../../protocol/conversation/conversation.ts";

/** Bytes of a named type, such as `image/png`. */
export interface DataPart {
  readonly type: "data";
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

type Converted = Extract<ContentPart, { type: "text" | "image" }>;

const texts = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|javascript))$/;

/**
 * An image, a text, or a sentence in the place of what no service takes. A type without a slash is a note
 * between an editor's chat and its own models, such as where a cache begins, and is nothing to send.
 */
export function convertDataPart({ mediaType, bytes }: DataPart, takesImages: boolean): readonly Converted[] {
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
