import type { ContentPart, Message, Role } from "../../protocol/conversation/conversation.ts";
import { convertAttachments, type ImagePart } from "./convertAttachments.ts";
import { sentText, type Turn } from "../transcript/transcript.ts";

interface Said {
  readonly role: Role;
  readonly texts: string[];
  readonly images: ImagePart[];
}

/**
 * The turns of one branch as the messages of a request, attachments ahead of their question. A turn
 * that says nothing is left out, and neighbours of one role are joined, since the messages style takes
 * turns only alternating.
 */
export function convertTurns(turns: readonly Turn[], takesImages = true): readonly Message[] {
  const said: Said[] = [];
  for (const turn of turns) {
    const next = convertTurn(turn, takesImages);
    if (next.texts.length === 0 && next.images.length === 0) continue;
    const last = said.at(-1);
    if (last?.role === next.role) {
      last.texts.push(...next.texts);
      last.images.push(...next.images);
    } else said.push(next);
  }
  return said.map(({ role, texts, images }) => ({ role, content: contentOf(texts.join("\n\n"), images) }));
}

function convertTurn(turn: Turn, takesImages: boolean): Said {
  if (turn.kind === "answer") return { role: "assistant", texts: withoutBlank([turn.text]), images: [] };
  const { text, images } = convertAttachments(turn.attachments ?? [], takesImages);
  return { role: "user", texts: withoutBlank([text, sentText(turn)]), images: [...images] };
}

/** Services of the messages style refuse a message that is blank. */
function withoutBlank(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== "");
}

function contentOf(text: string, images: readonly ImagePart[]): readonly ContentPart[] {
  return text === "" ? images : [...images, { type: "text", text }];
}
