import { type SearchedKey, withoutExposedKeys } from "../../connection/exposedKeys/exposedKeys.ts";
import type { AnswerOutline } from "../../chat/transcript/answerOutline.ts";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { CallResult, StepMessage } from "../../chat/transcript/steps.ts";
import { isDelta, type QuestionTurn, type TranscriptEvent } from "../../chat/transcript/transcript.ts";
import type { ToolCall } from "../../protocol/conversation/conversation.ts";
import { cleanReasoning } from "../../protocol/conversation/reasoning.ts";
import { readToolArguments, toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";

/** Removes stored keys from content that is written to disk. Uses the keys of the last `read`. */
export class KnownKeys {
  readonly #searchedKeys: Pick<SearchedKeys, "list">;
  #keys: readonly SearchedKey[] = [];

  constructor(searchedKeys: Pick<SearchedKeys, "list">) {
    this.#searchedKeys = searchedKeys;
  }

  /** Call this before anything is written, and after a key or connection has changed. */
  async read(): Promise<void> {
    this.#keys = await this.#searchedKeys.list();
  }

  cleanText(text: string): string {
    return withoutExposedKeys(text, this.#keys).text;
  }

  /** Returns how many characters at the text's end could be the start of a key that continues in later text. */
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

  /** Names need cleaning too. They can hold any text, such as a search text. */
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

  #cleanMessage({ attachments, ...message }: StepMessage): StepMessage {
    return {
      ...message,
      text: this.cleanText(message.text),
      ...(attachments === undefined ? {} : { attachments: this.cleanAttachments(attachments) }),
    };
  }

  #cleanCall(call: ToolCall): ToolCall {
    return { ...call, arguments: readToolArguments(this.cleanText(toolArgumentsText(call.arguments))) };
  }

  #cleanResult(result: CallResult): CallResult {
    const { facts } = result;
    const cleaned = { ...result, text: this.cleanText(result.text) };
    return facts?.path === undefined
      ? cleaned
      : { ...cleaned, facts: { ...facts, path: this.cleanText(facts.path) } };
  }

  /** Without the reasoning that a key makes unfit to be sent. */
  #cleanOutline(outline: AnswerOutline): AnswerOutline {
    const clean = (text: string): string => this.cleanText(text);
    return outline
      .map((part) => (part.type === "reasoning" ? cleanReasoning(part, clean) : part))
      .filter((part) => part !== undefined);
  }

  cleanEvent(event: TranscriptEvent): TranscriptEvent {
    // This finds only keys within one delta. `StreamRedactor` finds keys that are split across deltas.
    if (isDelta(event)) return { ...event, text: this.cleanText(event.text) };
    switch (event.type) {
      case "question-asked":
        return { ...event, turn: this.#cleanQuestion(event.turn) };
      case "step-ended":
        return {
          ...event,
          calls: event.calls.map((call) => this.#cleanCall(call)),
          outline: this.#cleanOutline(event.outline),
        };
      case "call-settled":
        return { ...event, result: this.#cleanResult(event.result) };
      case "message-added":
        return { ...event, message: this.#cleanMessage(event.message) };
      case "answer-started":
      case "answer-resumed":
      case "call-started":
      case "call-asks":
      case "call-output":
      case "messages-queued":
      case "paused":
      case "request-begun":
      case "retry-announced":
      case "retry-begun":
      case "silence":
      case "usage":
      case "request-id":
      case "field-refused":
      case "answer-ended":
      case "version-selected":
      case "question-included":
      case "target-selected":
      case "changes-settled":
        return event;
    }
  }
}
