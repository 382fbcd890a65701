import { SpokenText } from "./spokenText.ts";

/** A screen reader is given new text this often at most, in milliseconds. */
const pause = 1500;
/** Sentences that wait. When an answer comes faster than it can be read out, the rest is left to be read. */
const mostWaiting = 12;

/** Reads out, politely, what happens in the chat. */
export class Announcer {
  readonly element: HTMLElement;
  #waiting: string[] = [];
  #spoken = new SpokenText();
  #timer: number | undefined;
  #speaks = true;

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
  set speaks(speaks: boolean) {
    this.#speaks = speaks;
    if (!speaks) this.#waiting = [];
  }

  /** What waits is of a chat that has left the page. */
  forget(): void {
    this.#waiting = [];
  }

  /** A part of the arriving answer. */
  readText(text: string): void {
    const room = mostWaiting - this.#waiting.length;
    this.#wait(this.#spoken.push(text).slice(0, Math.max(0, room)));
  }

  /** The answer has ended: reads out its last sentence, then the message. */
  endText(message?: string): void {
    this.#wait([...this.#spoken.end(), ...(message === undefined ? [] : [message])]);
    this.#spoken = new SpokenText();
  }

  say(message: string): void {
    this.#wait([message]);
  }

  #wait(texts: readonly string[]): void {
    if (!this.#speaks) return;
    this.#waiting.push(...texts);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer === undefined && this.#waiting.length > 0) {
      this.#show();
      this.#timer = window.setTimeout(() => {
        this.#timer = undefined;
        this.#schedule();
      }, pause);
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
