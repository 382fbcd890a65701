import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import { ChatDesk } from "./chatDesk.ts";
import { buildProbe, HostProbe } from "./hostProbe.ts";
import { provideInstalledExtension } from "./installedForBench.ts";
import { extensionId } from "../support/workbench/webviewFrame.ts";
import { MainThread } from "./mainThread.ts";
import { type ScriptedService, startScriptedService } from "./scriptedService.ts";

const emptyExtension = path.join(import.meta.dirname, "emptyExtension");

/** Milliseconds to wait after activation, because our extension begins further work one second later. */
const settling = 2_000;

/** A real editor with the packaged extension, an empty extension, a service, and a probe in the extension host. */
export class ProbedEditor implements AsyncDisposable {
  readonly editor: Editor;
  readonly scripted: ScriptedService;
  readonly probe: HostProbe;
  /** Main thread of the window; its pages have their own processes. */
  readonly thread: MainThread;
  readonly #owned: AsyncDisposableStack;
  /** Whether our extension has not started yet. */
  #isFresh = true;

  private constructor(
    parts: Pick<ProbedEditor, "editor" | "scripted" | "probe" | "thread">,
    owned: AsyncDisposableStack,
  ) {
    this.editor = parts.editor;
    this.scripted = parts.scripted;
    this.probe = parts.probe;
    this.thread = parts.thread;
    this.#owned = owned;
  }

  /** @param settings additional user settings */
  static async open(settings: Readonly<Record<string, unknown>> = {}): Promise<ProbedEditor> {
    await using started = new AsyncDisposableStack();
    const scripted = started.use(await startScriptedService());
    const probe = started.use(await HostProbe.start());
    await provideInstalledExtension(started);
    const editor = started.use(
      await openEditor({
        settings: { ...scripted.settings, ...settings },
        environment: { ...scripted.environment, ...probe.environment },
        startsByItself: false,
        furtherExtensions: [emptyExtension, await buildProbe()],
        motion: true,
        pagesApart: true,
      }),
    );
    const thread = await MainThread.of(editor.workbench.page);
    return new ProbedEditor({ editor, scripted, probe, thread }, started.move());
  }

  get page(): Page {
    return this.editor.workbench.page;
  }

  /** If our extension has started, reloads the window: the new extension host has not started our extension. */
  async becomeFresh(): Promise<void> {
    if (this.#isFresh) return;
    this.probe.expectNextHost();
    await this.editor.workbench.reload();
    this.#isFresh = true;
  }

  /** If our extension has not started, starts it and waits until the editor is idle. */
  async start(): Promise<void> {
    if (!this.#isFresh) return;
    await this.probe.call("start", { extension: extensionId });
    this.#isFresh = false;
    await wait(settling);
    await this.becomesStill();
  }

  /**
   * Resolves when host and window are almost idle. Forces no garbage collection, because nothing forces it in a user's
   * editor.
   */
  async becomesStill(): Promise<void> {
    await this.probe.call("still", null);
    await this.thread.becomesStill();
  }

  async openChat(): Promise<ChatDesk> {
    await this.start();
    const newChat = async (): Promise<void> => {
      await this.probe.call("run", { command: "inference.newChat" });
    };
    return ChatDesk.in({ workbench: this.editor.workbench, scripted: this.scripted, newChat });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
