import type { AnswerTurn, SettledState, TranscriptEvent } from "../../chat/transcript/transcript.ts";
import type { Translate } from "../../text/translate.ts";
import { pageLanguage } from "../controls/numberText.ts";
import { answerNotice, retryText, silenceText } from "./answerTexts.ts";
import { callText, pauseText, spokenRequest } from "./callTexts.ts";
import { SpokenText } from "./spokenText.ts";

/** Minimum time in ms between two updates for a screen reader. */
const pauseMs = 1500;
/**
 * Maximum number of waiting sentences. If an answer streams faster than speech, further sentences are not announced.
 */
const maxWaiting = 12;

/** Announces events of the chat in a polite live region. */
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

  /** Starts to follow an answer that already has this text. Only later text is announced. */
  follow(text: string): void {
    this.#spoken = new SpokenText();
    this.#spoken.push(text);
  }

  /** If false, nothing is announced, but the announcer still follows the text to continue from there. */
  set ownsLiveRegion(owns: boolean) {
    this.#ownsLiveRegion = owns;
    if (!owns) this.#waiting = [];
  }

  /** Drops waiting texts. Call this when their chat leaves the page. */
  forget(): void {
    this.#waiting = [];
  }

  say(message: string): void {
    this.#wait([message]);
  }

  /** Announces an event of the streaming answer. */
  sayEvent(event: TranscriptEvent, arriving: AnswerTurn, t: Translate): void {
    if (event.type === "text-delta") this.#readText(event.text);
    else if (event.type === "retry-announced")
      this.say(retryText(event.state, Math.ceil(event.state.waitMs / 1000), t));
    else if (event.type === "step-ended") this.#endText();
    else if (event.type === "answer-ended") this.#endText(endingText({ ...arriving, state: event.state }, t));
    else if (event.type === "silence" && event.seconds > 0) this.say(silenceText(event.seconds, t));
    else if (event.type === "call-asks") this.say(spokenRequest(event.request, t));
    else if (event.type === "paused") this.say(pauseText(event.reason, t));
    else if (event.type === "call-settled") this.#sayCall(event, arriving, t);
  }

  /** Announces a finished call, unless many wait already. */
  #sayCall(
    { call, result }: Extract<TranscriptEvent, { type: "call-settled" }>,
    arriving: AnswerTurn,
    t: Translate,
  ): void {
    const made = arriving.steps?.at(-1)?.calls[call];
    if (made === undefined || this.#waiting.length >= maxWaiting) return;
    this.say(callText({ ...made, state: { kind: "settled", result } }, t));
  }

  /** Announces a part of the streaming answer. */
  #readText(text: string): void {
    const room = maxWaiting - this.#waiting.length;
    this.#wait(this.#spoken.push(text).slice(0, Math.max(0, room)));
  }

  /** Announces the last sentence of an ended step or answer, then the message. */
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
    // A new paragraph is read out even if its text has not changed.
    const paragraph = document.createElement("p");
    paragraph.textContent = this.#waiting.join(" ");
    this.element.replaceChildren(paragraph);
    this.#waiting = [];
  }
}

/** Returns undefined if the ending needs no announcement. */
function endingText(answer: AnswerTurn & { readonly state: SettledState }, t: Translate): string | undefined {
  // The alert of a failure is announced anyway.
  if (answer.state.kind === "failed") return undefined;
  return answerNotice(answer, { t, language: pageLanguage() }) ?? t("Answer complete");
}
