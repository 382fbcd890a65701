/** VS Code's own chat in Ask mode, with our provider and the same service. */
import type { Page } from "playwright-core";
import { EditorChat } from "../support/workbench/editorChat.ts";
import type { PaintedPlace } from "./paintProbe.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { longestAnswer, type StreamDesk, untilEnded } from "./streams.ts";

const question = "Go on";
/**
 * Timeout in milliseconds per KB of the answer. Each KB takes longer than the one before: 1.5 s at 100 KB on a fast
 * machine.
 */
const mostPerKilobyte = 10_000;

const session = ".part.auxiliarybar .interactive-session";
const answers = `[...document.querySelectorAll("${session} .interactive-response")]`;
const shownLength = `(${answers}.at(-1)?.textContent.length ?? 0)`;
const isEnded = `${answers}.at(-1)?.classList.contains("chat-response-loading") === false`;

export const placeInEditorChat: PaintedPlace = {
  root: `document.querySelector("${session}")`,
  text: `[...document.querySelectorAll("${session} .interactive-response .rendered-markdown")].at(-1)?.textContent`,
};

export class EditorChatDesk implements StreamDesk, AsyncDisposable {
  readonly #editor: ProbedEditor;
  readonly #chat: EditorChat;
  #expectedLength = 0;

  private constructor(editor: ProbedEditor, chat: EditorChat) {
    this.#editor = editor;
    this.#chat = chat;
  }

  static async open(editor: ProbedEditor): Promise<EditorChatDesk> {
    await editor.start();
    const { page, palette } = editor.editor.workbench;
    const chat = new EditorChat(page, palette);
    await palette.run("inference.useInEditorChat");
    await chat.model.getByText("service-core").waitFor();
    // Runs commands without the palette, because VS Code's chat takes the focus from the palette while loading.
    const run = async (command: string): Promise<void> => {
      await editor.probe.call("run", { command });
    };
    await chat.ready(run);
    await run("workbench.action.chat.openask");
    await chat.isIn("Ask");
    return new EditorChatDesk(editor, chat);
  }

  get page(): Page {
    return this.#editor.page;
  }

  setPace(milliseconds: number): void {
    this.#editor.scripted.service.pace = milliseconds;
  }

  async prepare(answer: string, onPiece?: (text: string) => void): Promise<void> {
    await this.#editor.probe.call("run", { command: "workbench.action.chat.newChat" });
    await this.#chat.answers.first().waitFor({ state: "detached" });
    await this.#chat.type(question);
    this.#editor.scripted.answerNext({ question, answer, onPiece });
    this.#expectedLength = answer.length;
  }

  async ask(): Promise<void> {
    await this.page.keyboard.press("Enter");
  }

  async answerEnded(): Promise<void> {
    const most = longestAnswer(this.#expectedLength, mostPerKilobyte);
    await untilEnded(this, () => this.page.evaluate<boolean>(isEnded), most);
    const shown = await this.page.evaluate<number>(shownLength);
    // The displayed text is shorter than the answer, because it lacks the Markdown markup.
    if (shown < this.#expectedLength / 2) throw new Error(`Only ${shown} characters are shown.`);
  }

  /** Closes the side bar with the chat; otherwise, windows opened later would show the chat again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#editor.probe.call("run", { command: "workbench.action.closeAuxiliaryBar" });
  }
}
