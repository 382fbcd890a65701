import type { AnswerTurn, SettledState, TranscriptEvent } from "../../chat/transcript/transcript.ts";
import type { Translate } from "../../text/translate.ts";
import { pageLanguage } from "../controls/numberText.ts";
import { answerNotice, retryText, silenceText } from "./answerTexts.ts";
import { SpokenText } from "./spokenText.ts";

/** A screen reader is given new text this often at most, in milliseconds. */
const pauseMs = 1500;
/** Sentences that wait. When an answer comes faster than it can be read out, the rest is left to be read. */
const maxWaiting = 12;

/** Reads out, politely, what happens in the chat. */
export class Announcer {
  readonly element: HTMLElement;
  #waiting: string[] = [];
  #spoken = new SpokenText();
  #timer: number | undefined;
  #ownsLiveRegion = true;

  constructor() {
    this.element = document.createElement("div");
    this.element.className = "visually-hidden";
    this.element.setAttribute("aria-live", "polite");
  }

  /** Another answer is on the page, or the same again: reads on behind its text so far. */
  follow(text: string): void {
    this.#spoken = new SpokenText();
    this.#spoken.push(text);
  }

  /** Silent, it follows what arrives, to go on from there. */
  set ownsLiveRegion(owns: boolean) {
    this.#ownsLiveRegion = owns;
    if (!owns) this.#waiting = [];
  }

  /** What waits is of a chat that has left the page. */
  forget(): void {
    this.#waiting = [];
  }

  say(message: string): void {
    this.#wait([message]);
  }

  /** Reads out what an event of the arriving answer tells. */
  sayEvent(event: TranscriptEvent, arriving: AnswerTurn, t: Translate): void {
    if (event.type === "text-delta") this.#readText(event.text);
    else if (event.type === "retry-announced")
      this.say(retryText(event.state, Math.ceil(event.state.waitMs / 1000), t));
    else if (event.type === "answer-ended") this.#endText(endingText({ ...arriving, state: event.state }, t));
    else if (event.type === "silence" && event.seconds > 0) this.say(silenceText(event.seconds, t));
  }

  /** A part of the arriving answer. */
  #readText(text: string): void {
    const room = maxWaiting - this.#waiting.length;
    this.#wait(this.#spoken.push(text).slice(0, Math.max(0, room)));
  }

  /** The answer has ended: reads out its last sentence, then the message. */
  #endText(message?: string): void {
    this.#wait([...this.#spoken.end(), ...(message === undefined ? [] : [message])]);
    this.#spoken = new SpokenText();
  }

  #wait(texts: readonly string[]): void {
    if (!this.#ownsLiveRegion) return;
    this.#waiting.push(...texts);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer === undefined && this.#waiting.length > 0) {
      this.#show();
      this.#timer = window.setTimeout(() => {
        this.#timer = undefined;
        this.#schedule();
      }, pauseMs);
    }
  }

  #show(): void {
    // A paragraph of its own is read out even where its text is the same as before.
    const paragraph = document.createElement("p");
    paragraph.textContent = this.#waiting.join(" ");
    this.element.replaceChildren(paragraph);
    this.#waiting = [];
  }
}

/** Undefined where something else speaks for the ending. */
function endingText(answer: AnswerTurn & { readonly state: SettledState }, t: Translate): string | undefined {
  // The alert of a failure speaks for itself.
  if (answer.state.kind === "failed") return undefined;
  return answerNotice(answer, { t, language: pageLanguage() }) ?? t("Answer complete");
}
