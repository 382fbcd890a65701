import { join } from "node:path";
import * as vscode from "vscode";
import { ConversationStore } from "../../chat/history/conversationStore.ts";
import { localReasonOf, showInformation, showWarning } from "../shared/notices.ts";
import { readHistorySetting } from "../workspace/settings.ts";
import { sharedStorage } from "./crossWindowSync.ts";

/** The storage folders that VS Code provides to an extension. */
export type Storage = Pick<vscode.ExtensionContext, "storageUri" | "globalStorageUri">;

/** Opens the store of chats without loading open chats, so that the chat list can be shown earlier. */
export function openStore(storage: Storage): ConversationStore {
  return new ConversationStore({
    folder: conversationsFolder(storage),
    onWriteError: showWriteError,
    onBroughtBack: showBroughtBack,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  });
}

/** Uses the workspace's storage, or global storage if the user prefers that or no workspace is open. */
function conversationsFolder({ storageUri, globalStorageUri }: Storage): string {
  const own = readHistorySetting() === "workspace" ? storageUri : undefined;
  return join(own === undefined ? globalStorageUri.fsPath : sharedStorage(own.fsPath), "conversations");
}

function showWriteError(error: unknown): void {
  void showWarning(
    vscode.l10n.t(
      "Can't save the chat right now ({0}). It stays open and is saved automatically when possible.",
      localReasonOf(error),
    ),
  );
}

function showBroughtBack(): void {
  void showInformation(
    vscode.l10n.t("This chat was deleted in another window. It was restored because you continued it."),
  );
}
