import { type SearchedKey, withoutExposedKeys } from "../../connection/exposedKeys/exposedKeys.ts";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { isDelta, type QuestionTurn, type TranscriptEvent } from "../../chat/transcript/transcript.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";

/** Takes the stored keys out of what is written to the disk. Knows them as they were last read. */
export class KnownKeys {
  readonly #searchedKeys: Pick<SearchedKeys, "list">;
  #keys: readonly SearchedKey[] = [];

  constructor(searchedKeys: Pick<SearchedKeys, "list">) {
    this.#searchedKeys = searchedKeys;
  }

  /** To be called before anything is written, and when a key or a connection changed. */
  async read(): Promise<void> {
    this.#keys = await this.#searchedKeys.list();
  }

  cleanText(text: string): string {
    return withoutExposedKeys(text, this.#keys).text;
  }

  /** How many characters at a text's end may be the start of a key whose rest is still to come. */
  keyStartAtEndOf(text: string): number {
    return Math.max(0, ...this.#keys.map(({ key }) => key.startAtEndOf(text)));
  }

  cleanAttachments(attachments: readonly Attachment[]): readonly Attachment[] {
    return attachments.map((attachment) => this.#cleanAttachment(attachment));
  }

  #cleanQuestion(turn: QuestionTurn): QuestionTurn {
    const { attachments, instructions, prompt, ...question } = turn;
    return {
      ...question,
      text: this.cleanText(turn.text),
      ...(attachments === undefined ? {} : { attachments: this.cleanAttachments(attachments) }),
      ...(instructions === undefined ? {} : { instructions: this.cleanAttachments(instructions) }),
      ...(prompt === undefined ? {} : { prompt: { ...prompt, text: this.cleanText(prompt.text) } }),
    };
  }

  /** A name may be of anything, such as what was searched for. */
  #cleanAttachment(attachment: Attachment): Attachment {
    const { name, detail, place, content } = attachment;
    return {
      ...attachment,
      name: this.cleanText(name),
      detail: this.cleanText(detail),
      ...(place === undefined ? {} : { place: { ...place, path: this.cleanText(place.path) } }),
      ...(content?.type === "text" ? { content: { ...content, text: this.cleanText(content.text) } } : {}),
    };
  }

  cleanEvent(event: TranscriptEvent): TranscriptEvent {
    // In pieces, a key is only found by `StreamRedactor`.
    if (isDelta(event)) return { ...event, text: this.cleanText(event.text) };
    switch (event.type) {
      case "question-asked":
        return { ...event, turn: this.#cleanQuestion(event.turn) };
      case "answer-started":
      case "retry-announced":
      case "retry-begun":
      case "silence":
      case "usage":
      case "request-id":
      case "answer-ended":
      case "version-selected":
      case "question-included":
        return event;
    }
  }
}
