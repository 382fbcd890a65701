/** The chat as a person has it: the service, the extension in a real editor, and its page. */
import { setTimeout as wait } from "node:timers/promises";
import type { Frame, Page } from "playwright-core";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { type Editor, extensionsVariable, openEditor } from "../support/endToEnd.ts";
import { installPackagedExtension } from "../support/installedExtension.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const keyVariable = "INFERENCE_BENCH_KEY";
/** The first line of the answer has come and been followed by its end. */
const isEnded = "document.querySelector('.answer:not(.arriving) .answer-footer') !== null";

export class ChatDesk implements AsyncDisposable {
  readonly service: ReferenceService;
  readonly frame: Frame;
  readonly #editor: Editor;
  readonly #owned: AsyncDisposableStack;
  readonly #script: Script;

  private constructor(
    editor: Editor,
    service: ReferenceService,
    script: Script,
    frame: Frame,
    owned: AsyncDisposableStack,
  ) {
    this.#editor = editor;
    this.service = service;
    this.#script = script;
    this.frame = frame;
    this.#owned = owned;
  }

  static async open(): Promise<ChatDesk> {
    await using started = new AsyncDisposableStack();
    const script: Script = { answer: "", onPiece: () => undefined };
    const service = await startReferenceService({
      answers: () => script.answer,
      onPiece: (text) => script.onPiece(text),
    });
    started.defer(() => service.close());
    const key = fakeKey("bench");
    service.keys.add({}, key);
    // The end-to-end tests have it installed already.
    process.env[extensionsVariable] ??= started.use(await installPackagedExtension()).extensions;
    const connection = { name: "Bench", baseUrl: service.origin, keyVariable };
    const editor = started.use(
      await openEditor({
        settings: { "inference.connections": [connection], "inference.maxTokens": 10_000_000 },
        environment: { [keyVariable]: key },
        recordMessages: false,
        motion: true,
      }),
    );
    const { chat } = editor.workbench;
    await chat.open();
    const log = await chat.transcript.elementHandle();
    const frame = await log?.ownerFrame();
    if (!frame) throw new Error("The chat's page is in no frame.");
    return new ChatDesk(editor, service, script, frame, started.move());
  }

  get page(): Page {
    return this.#editor.workbench.page;
  }

  /** Begins a new chat, whose next question is answered by this text. */
  async prepare(answer: string, onPiece: (text: string) => void = () => undefined): Promise<void> {
    const { palette, chat } = this.#editor.workbench;
    this.#script.answer = answer;
    this.#script.onPiece = onPiece;
    await palette.run("inference.newChat");
    await chat.turns("You").first().waitFor({ state: "detached" });
    await chat.composer.fill("Go on");
  }

  /** Asks; nothing is looked for by role until the answer has ended, since that takes the page's time. */
  async ask(): Promise<void> {
    await this.frame.evaluate("document.querySelector('button.send').click()");
  }

  async answerEnded(): Promise<void> {
    while (!(await this.frame.evaluate<boolean>(isEnded))) await wait(100);
  }

  async focusComposer(): Promise<void> {
    await this.#editor.workbench.chat.composer.focus();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

interface Script {
  answer: string;
  onPiece: (text: string) => void;
}
