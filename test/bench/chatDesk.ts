/** The chat as a person has it: the service, the extension in a real editor, and its page. */
import type { Frame, Page } from "playwright-core";
import type { Workbench } from "../support/workbench/workbench.ts";
import { askProcesses } from "./tracing.ts";
import { MainThread } from "./mainThread.ts";
import { question, type ScriptedService } from "./scriptedService.ts";
import { longestAnswer, type StreamDesk, untilEnded } from "./streams.ts";

const mostPerKilobyte = 300;

/** All of the answer has come, is drawn, and has had its frame. */
const isEnded = `new Promise((resolve) => requestAnimationFrame(() => resolve(
  document.querySelector(".answer:not(.arriving) .answer-footer") !== null &&
    document.querySelector(".markdown[aria-busy]") === null)))`;

/** What is seen of an answer. */
interface SeenAnswer {
  /** Characters of its text. */
  readonly length: number;
  /** What the page says of its end: a failure, or that it is not whole. */
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
  /** Begins a new chat. */
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

  /** In an editor that is open. */
  static async in(options: ChatDeskOptions): Promise<ChatDesk> {
    const { chat } = options.workbench;
    await chat.open();
    const log = await chat.transcript.elementHandle();
    const frame = await log?.ownerFrame();
    if (!frame) throw new Error("The chat's page is in no frame.");
    return new ChatDesk(options, frame);
  }

  /** The window's thread, and the page's in a process of its own. */
  async threads(): Promise<MainThread> {
    const outer = this.frame.parentFrame();
    if (outer === null) throw new Error("The chat's page is in no frame of the editor.");
    return MainThread.of(this.page, outer);
  }

  /** The process that draws the page and nothing else of the editor. */
  async processOfPage(): Promise<number> {
    const { frames } = await askProcesses(this.page);
    const [one, ...others] = frames;
    if (one === undefined || others.length > 0) throw new Error(`The page is in ${frames.length} processes.`);
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

  /** Shows a chat in which nothing was asked. */
  async beginChat(): Promise<void> {
    const { chat } = this.#options.workbench;
    // An empty chat is a new one, and nothing would tell when the command has found that.
    if ((await chat.turns("You").count()) === 0) return;
    await this.#options.newChat();
    await chat.turns("You").first().waitFor({ state: "detached" });
  }

  /** Nothing is looked for by role until the answer has ended, since that takes the page's time. */
  async ask(): Promise<void> {
    await this.frame.evaluate("document.querySelector('button.send').click()");
  }

  async answerEnded(): Promise<void> {
    const expected = this.#expectedLength;
    const most = longestAnswer(expected, mostPerKilobyte);
    await untilEnded(this, () => this.frame.evaluate<boolean>(isEnded), most);
    const { length, said } = await this.frame.evaluate<SeenAnswer>(seenAnswer);
    if (said !== null) throw new Error(`The answer is not whole: ${said}`);
    // Marks of Markdown are not shown.
    if (length < expected / 2) throw new Error(`Only ${length} of ${expected} characters are shown.`);
    this.#options.scripted.requireScripted();
  }

  async focusComposer(): Promise<void> {
    await this.#options.workbench.chat.composer.focus();
  }
}
