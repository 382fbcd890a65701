/** The list of chats as a person has it, in a real editor, beside the editor's own list widget. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { ListProbe } from "./listProbe.ts";
import { nowInEpoch, PaintProbe } from "./paintProbe.ts";
import { ProbedEditor } from "./probedEditor.ts";
import { median } from "./statistics.ts";

const list = ".quick-input-list";
const labels = `${list} .monaco-list-row .label-name`;
const separators = `${list} .quick-input-list-separator`;
/** What is below an answer of the chat page that is drawn to its end. */
const drawnAnswers = ".answer:not(:has(.markdown[aria-busy])) .answer-footer";

/** What typing came to. */
export interface Typed {
  /** Milliseconds from the last key until the row was painted. */
  readonly toRow: number;
  /** Milliseconds from a key to the frame behind it. */
  readonly keys: readonly number[];
}

export class HistoryDesk implements AsyncDisposable {
  readonly #editor: ProbedEditor;
  /** Where the extension keeps the chats of all workspaces. */
  readonly folder: string;

  private constructor(editor: ProbedEditor, folder: string) {
    this.#editor = editor;
    this.folder = folder;
  }

  static async open(): Promise<HistoryDesk> {
    const editor = await ProbedEditor.open([], { "inference.chat.history": "everywhere" });
    const { userData } = editor.editor.folders;
    const storage = path.join(userData, "User", "globalStorage", "inference-chat.inference-chat");
    return new HistoryDesk(editor, path.join(storage, "conversations"));
  }

  /** Throws all chats away. */
  async clear(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.folder, { recursive: true });
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

  /** Types into the list until the row is there; whole words, one key after the other. */
  async type(text: string, label: string): Promise<Typed> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watch(label);
    const keys = await this.typeKeys(text);
    const { sinceLast } = await probe.shown();
    return { toRow: sinceLast, keys };
  }

  /** Types into the list that is there. Milliseconds from each key to the frame behind it. */
  async typeKeys(text: string): Promise<readonly number[]> {
    const { page } = this.#editor;
    await using frames = await PaintProbe.in(page, { root: "document.body", text: "undefined" });
    await page.keyboard.type(text, { delay: 30 });
    return await frames.takeKeys();
  }

  /** Milliseconds from a key that scrolls to the frame behind it. */
  async scroll(): Promise<number> {
    const { page } = this.#editor;
    await using frames = await PaintProbe.in(page, { root: "document.body", text: "undefined" });
    for (let pages = 0; pages < 10; pages += 1) await page.keyboard.press("PageDown");
    return median(await frames.takeKeys());
  }

  /** Milliseconds from the button to the row under its new heading. */
  async pin(label: string): Promise<number> {
    const probe = await ListProbe.in(this.#editor.page, separators);
    // The list stays with the line that one is on, which may leave the new heading above what is in sight.
    await probe.watch("Pinned", { inSight: false });
    const start = await this.#press(label, "Pin");
    return (await probe.shownAt()) - start;
  }

  /** Milliseconds from the button to the list without the row. */
  async remove(label: string): Promise<number> {
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watchGone(label);
    const start = await this.#press(label, "Delete");
    return (await probe.shownAt()) - start;
  }

  /**
   * Milliseconds from Enter in a list, on its first row, until the chat is painted that this one is. The view stands
   * open with an empty chat before.
   */
  async openFirst(label: string): Promise<number> {
    const { chat } = this.#editor.editor.workbench;
    const desk = await this.#editor.openChat();
    await desk.beginChat();
    const probe = await ListProbe.in(desk.frame, drawnAnswers);
    await this.showHistory(label);
    await this.#editor.becomesStill();
    await probe.watchAny();
    const start = await this.#pressEnter();
    const took = (await probe.shownAt()) - start;
    await chat.turns("You").first().getByText(label.slice(0, 30)).waitFor();
    // A later window is to find neither the view nor this chat in it.
    await desk.beginChat();
    await this.#editor.probe.call("run", { command: "workbench.view.explorer" });
    await this.#editor.becomesStill();
    return took;
  }

  /** Milliseconds from Enter in a list of the editor's with these rows until it is gone, which is all that it does. */
  async acceptOther(rows: readonly string[]): Promise<number> {
    await this.showOther(rows);
    await this.#editor.becomesStill();
    const probe = await ListProbe.in(this.#editor.page, labels);
    await probe.watchGone(rows[0] ?? "");
    const start = await this.#pressEnter();
    return (await probe.shownAt()) - start;
  }

  /** Also waits until all has become still, so that nothing of one list falls on the next. */
  async leave(): Promise<void> {
    await this.#editor.editor.workbench.quickInput.cancel();
    await this.#editor.becomesStill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#editor[Symbol.asyncDispose]();
  }

  /** In the list that is there. Gives when it was pressed. */
  async #pressEnter(): Promise<number> {
    await this.#editor.editor.workbench.quickInput.input.focus();
    const start = nowInEpoch();
    await this.#editor.page.keyboard.press("Enter");
    return start;
  }

  /** Gives when it was pressed. */
  async #press(label: string, button: string): Promise<number> {
    const row = this.#editor.editor.workbench.quickInput.row(label).first();
    await row.hover();
    const found = row.getByRole("button", { name: button, exact: true });
    await found.waitFor();
    const start = nowInEpoch();
    await found.click();
    return start;
  }
}
