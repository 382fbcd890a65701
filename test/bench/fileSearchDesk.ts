/** The file search as a user has it: in the chat's composer, and in Quick Open. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import { provideInstalledExtension } from "./installedForBench.ts";
import { ListProbe, type Shown } from "./listProbe.ts";
import { writeSampleFiles } from "./sampleFiles.ts";
import { startScriptedService } from "./scriptedService.ts";

/**
 * Milliseconds between keys, faster than anybody types. Without a pause, the keys would delay all messages from a page
 * until the last key, or for 100 ms. The bench would then measure how the browser orders its tasks.
 */
export const keyPause = 60;

/** A workspace of sample files, and the names of its files. */
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

  /** Opens the folder in the window; the window has not yet listed its files. */
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
    if (!frame) throw new Error("The chat page has no frame.");
    const probe = await ListProbe.in(frame, ".offer-label");
    const { name, typed } = this.#takeName();
    // A reloaded window may restore an earlier draft.
    await chat.composer.fill("");
    await chat.composer.focus();
    await probe.watch(name);
    await page.keyboard.type(`#${typed}`, { delay: keyPause });
    const shown = await probe.shown();
    await chat.composer.fill("");
    return shown;
  }

  /** Opens Quick Open with its shortcut, and types a file name as soon as the input is ready. */
  async searchInQuickOpen(): Promise<Shown> {
    const { page, quickInput } = this.#editor.workbench;
    const probe = await ListProbe.in(page, ".quick-input-list .monaco-list-row .label-name");
    const { name, typed } = this.#takeName();
    // Moves the focus out of the page: keys pressed in a page reach the window late.
    await page.locator(".part.editor").click();
    await probe.watch(name);
    await page.keyboard.press("Control+P");
    await quickInput.input.waitFor();
    await page.keyboard.type(typed, { delay: keyPause });
    const shown = await probe.shown();
    await quickInput.cancel();
    return shown;
  }

  /** Returns another file name each time, from all over the workspace. */
  #takeName(): { readonly name: string; readonly typed: string } {
    this.#next = (this.#next + 7919) % this.#names.length;
    const name = this.#names[this.#next] ?? "";
    return { name, typed: name.split(".")[0] ?? "" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
