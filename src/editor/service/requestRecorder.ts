import { join } from "node:path";
import * as vscode from "vscode";
import { recordOf, RequestFiles } from "../../chat/requests/requestFiles.ts";
import type { RequestRecord } from "../../chat/requests/requestRecord.ts";
import type { CallRecord } from "../../client/request/call.ts";
import { readPriceSetting, recordsRequests } from "../workspace/settings.ts";
import type { RequestSender } from "./clients.ts";

/** Records the requests of this window, and reads those of all windows. */
export class RequestRecorder implements vscode.Disposable {
  readonly #added = new vscode.EventEmitter<RequestRecord>();
  readonly files: RequestFiles;
  /** Fires for each recorded request of this window. */
  readonly onDidAdd = this.#added.event;

  constructor({ globalStorageUri }: Pick<vscode.ExtensionContext, "globalStorageUri">) {
    this.files = new RequestFiles({
      folder: join(globalStorageUri.fsPath, "requests"),
      window: crypto.randomUUID(),
      now: () => new Date(),
    });
  }

  /** Called when a request has ended. Without recording, old files are still deleted. */
  add(call: CallRecord, { asker, connection, key }: RequestSender): void {
    if (!recordsRequests()) {
      void this.files.clean();
      return;
    }
    const record = recordOf(call, {
      asker,
      connection: connection.name,
      price: call.model === undefined ? undefined : readPriceSetting(call.model),
      clean: (name) => key.redactServiceText(name),
    });
    this.files.add(record);
    this.#added.fire(record);
  }

  dispose(): void {
    this.#added.dispose();
  }
}
