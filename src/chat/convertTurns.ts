import type { ContentPart, Message, Role } from "../protocol/conversation.ts";
import { convertAttachments, type ImagePart } from "./convertAttachments.ts";
import { sentText, type Turn } from "./transcript.ts";

interface Said {
  readonly role: Role;
  readonly text: string;
  readonly images: readonly ImagePart[];
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
    if (next.text === "" && next.images.length === 0) continue;
    const last = said.at(-1);
    if (last?.role === next.role) said.splice(-1, 1, join(last, next));
    else said.push(next);
  }
  return said.map(({ role, text, images }) => ({ role, content: contentOf(text, images) }));
}

function convertTurn(turn: Turn, takesImages: boolean): Said {
  if (turn.kind === "answer") return { role: "assistant", text: turn.text, images: [] };
  const { text, images } = convertAttachments(turn.attachments ?? [], takesImages);
  return { role: "user", text: [text, sentText(turn)].filter((each) => each !== "").join("\n\n"), images };
}

function join(first: Said, second: Said): Said {
  const text = [first.text, second.text].filter((each) => each !== "").join("\n\n");
  return { role: first.role, text, images: [...first.images, ...second.images] };
}

function contentOf(text: string, images: readonly ImagePart[]): readonly ContentPart[] {
  return text === "" ? images : [...images, { type: "text", text }];
}
