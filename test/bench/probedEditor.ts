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

/** Milliseconds until ours has also begun with what it does a second behind its activation. */
const settling = 2_000;

/** A real editor with the packaged extension and an empty one, its service, and a probe in its extension host. */
export class ProbedEditor implements AsyncDisposable {
  readonly editor: Editor;
  readonly scripted: ScriptedService;
  readonly probe: HostProbe;
  /** Of the window; its pages have processes of their own. */
  readonly thread: MainThread;
  readonly #owned: AsyncDisposableStack;
  /** Whether our extension has not been asked to begin. */
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

  /** @param settings further ones of the user */
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

  /** A window and an extension host of their own, in which our extension has not begun. */
  async becomeFresh(): Promise<void> {
    if (this.#isFresh) return;
    this.probe.expectNextHost();
    await this.editor.workbench.reload();
    this.#isFresh = true;
  }

  /** Has our extension begin, unless it has, and waits until all has become still. */
  async start(): Promise<void> {
    if (!this.#isFresh) return;
    await this.probe.call("start", { extension: extensionId });
    this.#isFresh = false;
    await wait(settling);
    await this.becomesStill();
  }

  /** Resolves once host and window have next to nothing to do. Their garbage stays, as it does for a person. */
  async becomesStill(): Promise<void> {
    await this.probe.call("still", null);
    await this.thread.becomesStill();
  }

  /** Our chat, in the view. */
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
