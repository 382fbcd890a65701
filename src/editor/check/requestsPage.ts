import * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import { maxRecords } from "../../chat/requests/requestFiles.ts";
import type { RequestRecord } from "../../chat/requests/requestRecord.ts";
import {
  filterRequests,
  type RequestFilter,
  readFromRequestsPage,
  requestsCsv,
  type ShownRequests,
  type ToRequestsPage,
  withAdded,
} from "../../chat/requests/requestTable.ts";
import { causeTable } from "../../connection/diagnosis/causeTable.ts";
import type { RequestRecorder } from "../service/requestRecorder.ts";
import { localReasonOf, reportError, showWarning } from "../shared/notices.ts";
import { readPriceSetting, recordsRequests } from "../workspace/settings.ts";
import { reportPageHtml, reportViewType } from "./reportPanel.ts";

interface RequestsPageOptions {
  readonly extensionUri: vscode.Uri;
  readonly recorder: Pick<RequestRecorder, "files" | "onDidAdd">;
  /** Opens the store of chats, for their titles. */
  readonly loadStore: () => Promise<Pick<ConversationStore, "list">>;
}

const nothing: ShownRequests = { state: "loading", records: [], titles: {}, causes: {} };

/** The page with the requests of the last thirty days. There is at most one per window. */
export class RequestsPage implements vscode.Disposable {
  readonly #options: RequestsPageOptions;
  #open: OpenPage | undefined;

  constructor(options: RequestsPageOptions) {
    this.#options = options;
  }

  /** Opens the page, or brings it to the front with the requests of all windows. */
  show(): void {
    if (this.#open === undefined) {
      this.#open = new OpenPage(this.#options, () => (this.#open = undefined));
      return;
    }
    this.#open.reveal();
    reportError(this.#open.load());
  }

  dispose(): void {
    this.#open?.dispose();
  }
}

class OpenPage {
  readonly #options: RequestsPageOptions;
  readonly #panel: vscode.WebviewPanel;
  #shown = nothing;
  /** Whether the page has asked for its content. Nothing is posted earlier. */
  #isReady = false;
  /** Counts the loads, so that only the last one is shown. */
  #loads = 0;
  /** Requests that ended while the files are read, which may lack them. */
  #early: RequestRecord[] | undefined;

  constructor(options: RequestsPageOptions, onClosed: () => void) {
    this.#options = options;
    const { extensionUri, recorder } = options;
    const title = vscode.l10n.t("Requests");
    this.#panel = vscode.window.createWebviewPanel(reportViewType, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist", "webview")],
    });
    const { webview } = this.#panel;
    const subscriptions = vscode.Disposable.from(
      webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      // VS Code discards a hidden page. When shown again, the page reloads and asks for its content.
      this.#panel.onDidChangeViewState(() => (this.#isReady &&= this.#panel.visible)),
      recorder.onDidAdd((record) => reportError(this.#add(record))),
    );
    this.#panel.onDidDispose(() => {
      subscriptions.dispose();
      this.#isReady = false;
      this.#loads += 1;
      onClosed();
    });
    webview.html = reportPageHtml(webview, extensionUri, title);
    reportError(this.load());
  }

  reveal(): void {
    // Revealing an active page would lose its focus position.
    if (!this.#panel.active) this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** Reads the requests of all windows. Until then, the page shows what it showed. */
  async load(): Promise<void> {
    this.#loads += 1;
    const load = this.#loads;
    const early: RequestRecord[] = [];
    this.#early = early;
    const shown = await this.#read(early);
    if (load !== this.#loads) return;
    this.#early = undefined;
    this.#shown = shown;
    this.#postAll();
  }

  async #read(early: readonly RequestRecord[]): Promise<ShownRequests> {
    try {
      const { records, isCut, skipped } = await this.#options.recorder.files.read();
      const titles = await this.#titlesOf(records);
      const read = new Set(early.length === 0 ? [] : records.map((record) => JSON.stringify(record)));
      const missing = early.filter((record) => !read.has(JSON.stringify(record)));
      const all = withPrices([...missing.toReversed(), ...records]);
      return { state: "ready", records: all, titles, causes: causesOf(all), ...noteOf(isCut, skipped) };
    } catch (error) {
      const note = vscode.l10n.t("Couldn't read the recorded requests: {0}", localReasonOf(error));
      return { ...nothing, state: "failed", note };
    }
  }

  /** Shows a request of this window that has just ended. */
  async #add(record: RequestRecord): Promise<void> {
    if (this.#early !== undefined) {
      this.#early.push(record);
      return;
    }
    const isKnown = !("chat" in record.asker) || record.asker.chat in this.#shown.titles;
    const load = this.#loads;
    const titles = isKnown ? {} : await this.#titlesOf([record]);
    // If a load began during the lookup, it has read the request from the file.
    if (load !== this.#loads) return;
    const added = { records: withPrices([record]), titles, causes: causesOf([record]) };
    this.#shown = withAdded(this.#shown, added);
    this.#post({ type: "request-added", added });
  }

  /** Titles of the chats of this workspace. Without them, the page shows the IDs of the chats. */
  async #titlesOf(records: readonly RequestRecord[]): Promise<ShownRequests["titles"]> {
    const ids = new Set(records.flatMap(({ asker }) => ("chat" in asker ? [asker.chat] : [])));
    if (ids.size === 0) return {};
    try {
      const chats = await (await this.#options.loadStore()).list();
      return Object.fromEntries(chats.filter(({ id }) => ids.has(id)).map(({ id, title }) => [id, title]));
    } catch {
      return {};
    }
  }

  #receive(message: unknown): void {
    const read = readFromRequestsPage(message);
    if (read === undefined) return;
    switch (read.type) {
      case "ready":
        this.#isReady = true;
        this.#postAll();
        return;
      case "copy-csv":
        reportError(this.#copy(read.filter));
        return;
      case "action":
        reportError(read.id === "clear" ? this.#clear() : this.load());
    }
  }

  async #copy(filter: RequestFilter): Promise<void> {
    await vscode.env.clipboard.writeText(requestsCsv(filterRequests(this.#shown, filter, vscode.l10n.t)));
    vscode.window.setStatusBarMessage(vscode.l10n.t("Copied"), 3000);
  }

  async #clear(): Promise<void> {
    const clear = vscode.l10n.t("Clear");
    const detail = vscode.l10n.t(
      "This deletes the requests of all windows, but no chats. You can't undo this.",
    );
    const message = vscode.l10n.t("Clear the recorded requests?");
    if ((await showWarning(message, { modal: true, detail }, clear)) !== clear) return;
    try {
      await this.#options.recorder.files.deleteAll();
    } finally {
      await this.load();
    }
  }

  #postAll(): void {
    this.#post({ type: "requests", requests: this.#shown, translations: vscode.l10n.bundle ?? {} });
  }

  #post(message: ToRequestsPage): void {
    if (!this.#isReady) return;
    this.#panel.webview.postMessage(message).then(undefined, () => undefined);
  }
}

/** Adds the prices of today's settings to requests that were recorded without one. */
function withPrices(records: readonly RequestRecord[]): readonly RequestRecord[] {
  const models = new Set(
    records.flatMap(({ model, price }) => (price === undefined && model ? [model] : [])),
  );
  const prices = new Map([...models].map((model) => [model, readPriceSetting(model)]));
  return records.map((record) => {
    const price = record.price ?? (record.model === undefined ? undefined : prices.get(record.model));
    return price === undefined ? record : { ...record, price };
  });
}

function causesOf(records: readonly RequestRecord[]): ShownRequests["causes"] {
  const causes = new Set(records.flatMap(({ cause }) => (cause === undefined ? [] : [cause])));
  return Object.fromEntries([...causes].map((cause) => [cause, causeTable[cause].name(vscode.l10n.t)]));
}

function noteOf(isCut: boolean, skipped: number): Pick<ShownRequests, "note"> {
  const notes = [
    ...(recordsRequests()
      ? []
      : [
          vscode.l10n.t(
            "New requests aren't recorded, because the setting inference.requests.record is off.",
          ),
        ]),
    ...(isCut ? [vscode.l10n.t("Older requests are left out. At most {0} are shown.", maxRecords)] : []),
    ...(skipped === 0
      ? []
      : [
          skipped === 1
            ? vscode.l10n.t("1 recorded request isn't shown. A later version may have recorded it.")
            : vscode.l10n.t(
                "{0} recorded requests aren't shown. A later version may have recorded them.",
                skipped,
              ),
        ]),
  ];
  return notes.length === 0 ? {} : { note: notes.join(" ") };
}
