import { randomUUID } from "node:crypto";
import type { Attachment } from "../../../src/chat/transcript/attachments.ts";
import {
  type AnswerTurn,
  emptyTranscript,
  type QuestionTurn,
  reduceTranscript,
  type SettledState,
  type Transcript,
  type TranscriptEvent,
} from "../../../src/chat/transcript/transcript.ts";

const at = "2026-01-01T10:00:00.000Z";

/** Optional properties of a question and its answer. */
export type WrittenTurn = Partial<QuestionTurn> & Partial<AnswerTurn>;

/** An earlier conversation of questions and answers. */
export class WrittenChat {
  #transcript = emptyTranscript;

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** Adds a question and its answer. The answer has a short text unless `rest` has a text. */
  add(text: string, end: SettledState, rest: WrittenTurn = {}): this {
    const { usage, price, leftOut, reasoning, included, ...asked } = rest;
    const answered = rest.text ?? `What had arrived, and **more** in \`code\`.\n\n> ${text}\n`;
    const { leafId } = this.#transcript;
    const question = { kind: "question", id: randomUUID(), parentId: leafId, text, at } as const;
    const answer: AnswerTurn = {
      kind: "answer",
      id: randomUUID(),
      parentId: question.id,
      text: "",
      reasoning: "",
      state: { kind: "waiting" },
      connection: asked.connection ?? "Acme",
      model: "service-core",
      clientStyle: "messages",
      at,
      ...(price && { price }),
      ...(leftOut && { leftOut }),
    };
    const { attachments, prompt, instructions } = asked;
    const along = {
      ...(attachments && { attachments }),
      ...(prompt && { prompt }),
      ...(instructions && { instructions }),
      ...(included === undefined ? {} : { included }),
    };
    const events: readonly TranscriptEvent[] = [
      { type: "question-asked", turn: { ...question, ...along } },
      { type: "answer-started", turn: answer },
      ...(reasoning === undefined ? [] : [{ type: "reasoning-delta", text: reasoning } as const]),
      ...(answered === "" ? [] : [{ type: "text-delta", text: answered } as const]),
      ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
      { type: "answer-ended", state: end },
    ];
    this.#transcript = events.reduce(reduceTranscript, this.#transcript);
    return this;
  }
}

export const complete: SettledState = { kind: "complete", reason: "stop" };

/** An attachment with one line of text, unless `rest` has another content. */
export function writtenAttachment(name: string, rest: Partial<Attachment> = {}): Attachment {
  const content = { type: "text", text: "A line of notes.\n", language: "" } as const;
  return {
    id: randomUUID(),
    kind: "file",
    name,
    detail: name,
    characters: content.text.length,
    content,
    ...rest,
  };
}
