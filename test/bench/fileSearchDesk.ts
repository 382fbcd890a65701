/** The search for files as a person has it: in the chat's composer, and in the editor's Quick Open. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import { provideInstalledExtension } from "./installedForBench.ts";
import { ListProbe, type Shown } from "./listProbe.ts";
import { writeSampleFiles } from "./sampleFiles.ts";
import { startScriptedService } from "./scriptedService.ts";

/**
 * Milliseconds from key to key: quicker than anybody types. Keys with no pause between them keep all messages from
 * a page until they end, or for 100 ms, so that what is measured would be the browser's order of its tasks.
 */
export const keyPause = 60;

/** A workspace of so many files. */
interface SampleFolder {
  readonly folder: string;
  readonly names: readonly string[];
}

export class FileSearchDesk implements AsyncDisposable {
  readonly #editor: Editor;
  readonly #owned: AsyncDisposableStack;
  #names: readonly string[] = [];
  #next = 0;

  private constructor(editor: Editor, owned: AsyncDisposableStack) {
    this.#editor = editor;
    this.#owned = owned;
  }

  static async open(): Promise<FileSearchDesk> {
    await using started = new AsyncDisposableStack();
    const { settings, environment } = started.use(await startScriptedService());
    await provideInstalledExtension(started);
    const editor = started.use(await openEditor({ settings, environment, motion: true }));
    return new FileSearchDesk(editor, started.move());
  }

  async createFolder(count: number): Promise<SampleFolder> {
    const folder = path.join(this.#editor.folders.root, `files-${count}`);
    await mkdir(folder);
    return { folder, names: await writeSampleFiles(folder, count) };
  }

  /** Opens the folder in the window, which then knows nothing of its files. */
  async openFolder({ folder, names }: SampleFolder): Promise<void> {
    const { workbench } = this.#editor;
    await workbench.openFolder(folder);
    await workbench.chat.open();
    this.#names = names;
  }

  /** Types `#` and a file's name into the composer. */
  async searchInChat(): Promise<Shown> {
    const { chat, page } = this.#editor.workbench;
    const log = await chat.transcript.elementHandle();
    const frame = await log?.ownerFrame();
    if (!frame) throw new Error("The chat's page is in no frame.");
    const probe = await ListProbe.in(frame, ".offer-label");
    const { name, typed } = this.#takeName();
    // What was typed before the window was loaded again may have come back.
    await chat.composer.fill("");
    await chat.composer.focus();
    await probe.watch(name);
    await page.keyboard.type(`#${typed}`, { delay: keyPause });
    const shown = await probe.shown();
    await chat.composer.fill("");
    return shown;
  }

  /** Opens Quick Open by its keys and types a file's name as soon as it takes one. */
  async searchInQuickOpen(): Promise<Shown> {
    const { page, quickInput } = this.#editor.workbench;
    const probe = await ListProbe.in(page, ".quick-input-list .monaco-list-row .label-name");
    const { name, typed } = this.#takeName();
    // Keys that are pressed in a page reach the window late.
    await page.locator(".part.editor").click();
    await probe.watch(name);
    await page.keyboard.press("Control+P");
    await quickInput.input.waitFor();
    await page.keyboard.type(typed, { delay: keyPause });
    const shown = await probe.shown();
    await quickInput.cancel();
    return shown;
  }

  /** Another one each time, from all over the workspace. */
  #takeName(): { readonly name: string; readonly typed: string } {
    this.#next = (this.#next + 7919) % this.#names.length;
    const name = this.#names[this.#next] ?? "";
    return { name, typed: name.split(".")[0] ?? "" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
