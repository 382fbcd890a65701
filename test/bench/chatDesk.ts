/** The chat as a person has it: the service, the extension in a real editor, and its page. */
import type { Frame, Page } from "playwright-core";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import type { Workbench } from "../support/workbench/workbench.ts";
import { provideInstalledExtension } from "./installedForBench.ts";
import { askProcesses } from "./tracing.ts";
import { MainThread } from "./mainThread.ts";
import { question, type ScriptedService, startScriptedService } from "./scriptedService.ts";
import { type StreamDesk, untilEnded } from "./streams.ts";

/** All of the answer has come, is drawn, and has had its frame. */
const isEnded = `new Promise((resolve) => requestAnimationFrame(() => resolve(
  document.querySelector(".answer:not(.arriving) .answer-footer") !== null &&
    document.querySelector(".markdown[aria-busy]") === null)))`;

export interface ChatDeskOptions {
  readonly workbench: Workbench;
  readonly scripted: ScriptedService;
  /** Begins a new chat; by default as a person does. */
  readonly newChat?: () => Promise<void>;
}

export class ChatDesk implements StreamDesk, AsyncDisposable {
  readonly frame: Frame;
  readonly #options: ChatDeskOptions;
  readonly #owned: AsyncDisposableStack;

  private constructor(options: ChatDeskOptions, frame: Frame, owned: AsyncDisposableStack) {
    this.#options = options;
    this.frame = frame;
    this.#owned = owned;
  }

  /** With an editor and a service of its own. */
  static async open(): Promise<ChatDesk> {
    await using started = new AsyncDisposableStack();
    const scripted = started.use(await startScriptedService());
    await provideInstalledExtension(started);
    const { settings, environment } = scripted;
    const editor: Editor = started.use(
      await openEditor({ settings, environment, motion: true, pagesApart: true }),
    );
    const { workbench } = editor;
    return ChatDesk.in({ workbench, scripted }, started.move());
  }

  /** In an editor that is open; ends what it is given with itself. */
  static async in(options: ChatDeskOptions, owned = new AsyncDisposableStack()): Promise<ChatDesk> {
    await using given = owned;
    const { chat } = options.workbench;
    await chat.open();
    const log = await chat.transcript.elementHandle();
    const frame = await log?.ownerFrame();
    if (!frame) throw new Error("The chat's page is in no frame.");
    return new ChatDesk(options, frame, given.move());
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
    const { palette, chat } = workbench;
    scripted.answerNext(answer, onPiece);
    // An empty chat is a new one, and nothing would tell when the command has found that.
    if ((await chat.turns("You").count()) > 0) {
      await (this.#options.newChat?.() ?? palette.run("inference.newChat"));
      await chat.turns("You").first().waitFor({ state: "detached" });
    }
    await chat.composer.fill(question);
  }

  /** Nothing is looked for by role until the answer has ended, since that takes the page's time. */
  async ask(): Promise<void> {
    await this.frame.evaluate("document.querySelector('button.send').click()");
  }

  async answerEnded(): Promise<void> {
    await untilEnded(this, () => this.frame.evaluate<boolean>(isEnded));
  }

  async focusComposer(): Promise<void> {
    await this.#options.workbench.chat.composer.focus();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
