/** The list of chats in a real editor, and VS Code's own list widget for comparison. */
import path from "node:path";
import { ListProbe } from "./listProbe.ts";
import { nowInEpoch, PaintProbe } from "./paintProbe.ts";
import { ProbedEditor } from "./probedEditor.ts";

const labels = ".quick-input-list .monaco-list-row .label-name";

export class HistoryDesk implements AsyncDisposable {
  readonly #editor: ProbedEditor;
  /** Folder with the stored chats of all workspaces. */
  readonly folder: string;

  private constructor(editor: ProbedEditor, folder: string) {
    this.#editor = editor;
    this.folder = folder;
  }

  static async open(): Promise<HistoryDesk> {
    const editor = await ProbedEditor.open({ "inference.chat.history": "everywhere" });
    const { userData } = editor.editor.folders;
    const storage = path.join(userData, "User", "globalStorage", "inference-chat.inference-chat");
    return new HistoryDesk(editor, path.join(storage, "conversations"));
  }

  /** Reloads the window, so that no chats are loaded and no list was shown before. */
  async becomeFresh(): Promise<void> {
    await this.#editor.becomeFresh();
    await this.#editor.start();
  }

  /** Returns the milliseconds from the command until the row with this label is painted. */
  async showHistory(label: string): Promise<number> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(label);
    const start = nowInEpoch();
    await this.#editor.probe.call("begin", { command: "inference.showHistory" });
    return (await probe.shownAt()) - start;
  }

  /** Like `showHistory`, for a VS Code list with these rows. */
  async showOther(rows: readonly string[]): Promise<number> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(rows[0] ?? "");
    const start = nowInEpoch();
    await this.#editor.probe.call("showList", { labels: rows });
    return (await probe.shownAt()) - start;
  }

  /** Types into the open list. Returns the milliseconds from each key to the next frame. */
  async typeKeys(text: string): Promise<readonly number[]> {
    const { page } = this.#editor;
    await using frames = await PaintProbe.in(page, { root: "document.body", text: "undefined" });
    await page.keyboard.type(text, { delay: 30 });
    return await frames.takeKeys();
  }

  /** Like `typeKeys`, and waits until the row is visible. */
  async type(text: string, label: string): Promise<readonly number[]> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(label);
    const keys = await this.typeKeys(text);
    await probe.shown();
    return keys;
  }

  /** Closes the list, and waits until the editor is idle: one list must not slow the next. */
  async leave(): Promise<void> {
    await this.#editor.editor.workbench.quickInput.cancel();
    await this.#editor.becomesStill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#editor[Symbol.asyncDispose]();
  }
}
