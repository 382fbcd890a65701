/** The list of chats as a person has it, in a real editor, beside the editor's own list widget. */
import path from "node:path";
import { ListProbe } from "./listProbe.ts";
import { nowInEpoch, PaintProbe } from "./paintProbe.ts";
import { ProbedEditor } from "./probedEditor.ts";

const labels = ".quick-input-list .monaco-list-row .label-name";

export class HistoryDesk implements AsyncDisposable {
  readonly #editor: ProbedEditor;
  /** Where the extension keeps the chats of all workspaces. */
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

  /** A window that knows nothing of the chats, and in which no list was shown before. */
  async becomeFresh(): Promise<void> {
    await this.#editor.becomeFresh();
    await this.#editor.start();
  }

  /** Milliseconds from the command to the first rows, of which this is one. */
  async showHistory(label: string): Promise<number> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(label);
    const start = nowInEpoch();
    await this.#editor.probe.call("begin", { command: "inference.showHistory" });
    return (await probe.shownAt()) - start;
  }

  /** The same for a list of the editor's with these rows. */
  async showOther(rows: readonly string[]): Promise<number> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(rows[0] ?? "");
    const start = nowInEpoch();
    await this.#editor.probe.call("showList", { labels: rows });
    return (await probe.shownAt()) - start;
  }

  /** Types into the list that is there. Milliseconds from each key to the frame behind it. */
  async typeKeys(text: string): Promise<readonly number[]> {
    const { page } = this.#editor;
    await using frames = await PaintProbe.in(page, { root: "document.body", text: "undefined" });
    await page.keyboard.type(text, { delay: 30 });
    return await frames.takeKeys();
  }

  /** The same, and waits until the row is there. */
  async type(text: string, label: string): Promise<readonly number[]> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(label);
    const keys = await this.typeKeys(text);
    await probe.shown();
    return keys;
  }

  /** Also waits until all has become still, so that nothing of one list falls on the next. */
  async leave(): Promise<void> {
    await this.#editor.editor.workbench.quickInput.cancel();
    await this.#editor.becomesStill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#editor[Symbol.asyncDispose]();
  }
}
