import type { Attachment } from "../../chat/attachments.ts";

interface EarlyQuestion {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** What can be asked in a page. */
interface AskedPage {
  readonly ask: (text: string, attachments: readonly Attachment[]) => Promise<void>;
}

/** Questions that wait for a page; each is asked once, in order. */
export class EarlyQuestions {
  #waiting: EarlyQuestion[] = [];

  add(text: string, attachments: readonly Attachment[]): void {
    this.#waiting.push({ text, attachments });
  }

  /** The page gives back to its composer what cannot be asked while another answer arrives. */
  askIn(page: AskedPage, onError: (error: unknown) => void): void {
    for (const { text, attachments } of this.#waiting.splice(0)) page.ask(text, attachments).catch(onError);
  }
}
