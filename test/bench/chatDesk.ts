/** Our chat as a user has it: the service, the extension in a real editor, and the page. */
import type { Frame, Page } from "playwright-core";
import type { Workbench } from "../support/workbench/workbench.ts";
import { askProcesses } from "./tracing.ts";
import { MainThread } from "./mainThread.ts";
import { question, type ScriptedService } from "./scriptedService.ts";
import { longestAnswer, type StreamDesk, untilEnded } from "./streams.ts";

const mostPerKilobyte = 300;

/** Page expression that resolves in the next frame: whether the answer has ended and is rendered. */
const isEnded = `new Promise((resolve) => requestAnimationFrame(() => resolve(
  document.querySelector(".answer:not(.arriving) .answer-footer") !== null &&
    document.querySelector(".markdown[aria-busy]") === null)))`;

interface SeenAnswer {
  /** Characters of the displayed text. */
  readonly length: number;
  /** Text of the page's notice that the answer failed or is incomplete; `null` if there is no notice. */
  readonly said: string | null;
}

const seenAnswer = `(() => {
  const answer = [...document.querySelectorAll(".answer")].at(-1);
  return {
    length: [...(answer?.querySelectorAll(".markdown") ?? [])].at(-1)?.textContent.length ?? 0,
    said: answer?.querySelector(":scope > .failure, :scope > .notice")?.textContent ?? null,
  };
})()`;

export interface ChatDeskOptions {
  readonly workbench: Workbench;
  readonly scripted: ScriptedService;
  readonly newChat: () => Promise<void>;
}

export class ChatDesk implements StreamDesk {
  readonly frame: Frame;
  readonly #options: ChatDeskOptions;
  #expectedLength = 0;

  private constructor(options: ChatDeskOptions, frame: Frame) {
    this.#options = options;
    this.frame = frame;
  }

  static async in(options: ChatDeskOptions): Promise<ChatDesk> {
    const { chat } = options.workbench;
    await chat.open();
    const log = await chat.transcript.elementHandle();
    const frame = await log?.ownerFrame();
    if (!frame) throw new Error("The chat page has no frame.");
    return new ChatDesk(options, frame);
  }

  /** The main threads of the window and of the page, which has its own process. */
  async threads(): Promise<MainThread> {
    return MainThread.of(this.page, this.#outerFrame);
  }

  /** The main thread of the page alone. */
  async thread(): Promise<MainThread> {
    return MainThread.of(this.#outerFrame);
  }

  get #outerFrame(): Frame {
    const outer = this.frame.parentFrame();
    if (outer === null) throw new Error("The frame of the chat page has no parent.");
    return outer;
  }

  /** ID of the process that draws the page and nothing else of VS Code. */
  async processOfPage(): Promise<number> {
    const { frames } = await askProcesses(this.page);
    const [one, ...others] = frames;
    if (one === undefined || others.length > 0)
      throw new Error(`Expected 1 process for the page, found ${frames.length}.`);
    return one;
  }

  get page(): Page {
    return this.#options.workbench.page;
  }

  setPace(milliseconds: number): void {
    this.#options.scripted.service.pace = milliseconds;
  }

  async prepare(answer: string, onPiece?: (text: string) => void): Promise<void> {
    const { workbench, scripted } = this.#options;
    scripted.answerNext({ question, answer, onPiece });
    this.#expectedLength = answer.length;
    await this.beginChat();
    await workbench.chat.composer.fill(question);
    await workbench.chat.frame.locator('button.send[aria-disabled="false"]').waitFor();
  }

  async beginChat(): Promise<void> {
    const { chat } = this.#options.workbench;
    // An empty chat is already new. The command would change nothing that this method could wait for.
    if ((await chat.turns("You").count()) === 0) return;
    await this.#options.newChat();
    await chat.turns("You").first().waitFor({ state: "detached" });
  }

  /** Clicks with a script. Lookups by role would take the page's time while it shows the answer. */
  async ask(): Promise<void> {
    await this.frame.evaluate("document.querySelector('button.send').click()");
  }

  async answerEnded(): Promise<void> {
    const expected = this.#expectedLength;
    const most = longestAnswer(expected, mostPerKilobyte);
    await untilEnded(this, () => this.frame.evaluate<boolean>(isEnded), most);
    const { length, said } = await this.frame.evaluate<SeenAnswer>(seenAnswer);
    if (said !== null) throw new Error(`The answer is incomplete: ${said}`);
    // The displayed text is shorter than the answer, because it lacks the Markdown markup.
    if (length < expected / 2) throw new Error(`Only ${length} of ${expected} characters are shown.`);
    this.#options.scripted.requireScripted();
  }

  async focusComposer(): Promise<void> {
    await this.#options.workbench.chat.composer.focus();
  }
}
