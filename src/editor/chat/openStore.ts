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
    folder: join(chatsFolder(storage), "conversations"),
    onWriteError: showWriteError,
    onBroughtBack: showBroughtBack,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  });
}

/** Absolute path of the folder for copies of the files that answers write. */
export function fileCopiesFolder(storage: Storage): string {
  return join(chatsFolder(storage), "file-copies");
}

/** Uses the workspace's storage, or global storage if the user prefers that or no workspace is open. */
function chatsFolder({ storageUri, globalStorageUri }: Storage): string {
  const own = readHistorySetting() === "workspace" ? storageUri : undefined;
  return own === undefined ? globalStorageUri.fsPath : sharedStorage(own.fsPath);
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
