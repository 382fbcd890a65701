import { commandIds } from "../../contributions.ts";
import type { CommandTable } from "../shared/registration.ts";
import { homedir } from "node:os";
import * as vscode from "vscode";
import type { ConversationStore } from "../../chat/history/conversationStore.ts";
import { decodeBytes } from "../../text/decodeBytes.ts";
import { fileNameOf } from "../../text/fileNames.ts";
import type { ConversationFormat } from "../../chat/history/export/portableConversation.ts";
import { showError, showErrorReason, showInformation, showWarning } from "../shared/notices.ts";
import { withDelayedProgress, withWholeProgress } from "../shared/delayedProgress.ts";
import { ChatHistory } from "./chatHistory.ts";
import type { HistoryNeeds } from "./registerHistory.ts";
import type { ChatPage } from "../page/chatPage.ts";
import type { PickedChat } from "./historyList.ts";
import type { LoadedChats } from "../chat/chats.ts";
import { closeRemovedChats } from "./closeRemovedChats.ts";
import { sizeText } from "../files/workspaceFiles.ts";
import { nameOf } from "../files/workspacePaths.ts";

/** The commands that list, open, export, import, and delete chats. */
export function historyCommands(options: HistoryNeeds): CommandTable<"history"> {
  return {
    [commandIds.showHistory]: (place) => showHistory(options, place),
    [commandIds.exportChat]: () => exportChat(options),
    [commandIds.importChat]: () => importChat(options),
    [commandIds.deleteAllChats]: () => deleteAllChats(options),
  };
}

const formats: Readonly<Record<ConversationFormat, { readonly name: string; readonly ending: string }>> = {
  markdown: { name: "Markdown", ending: "md" },
  json: { name: "JSON", ending: "json" },
};

/** Moves all chats to the trash after the user confirms. */
async function deleteAllChats(options: HistoryNeeds): Promise<void> {
  await historyOf(await options.loadStore(), options).removeAll();
}

function historyOf(store: ConversationStore, { loadChats, view, editors }: HistoryNeeds): ChatHistory {
  return new ChatHistory({
    store,
    cleanText: async (text) => (await loadChats()).knownKeys.cleanText(text),
    unsent: async () => (await loadChats()).chats.unsent(),
    onRemove: async (ids) => (await loadChats()).chats.end(ids),
    onRemoved: async (ids) => {
      const { chats } = await loadChats();
      const restore = chats.forget(ids);
      return { restore, reopen: await closeRemovedChats(new Set(ids), { chats, view, editors }) };
    },
    onRenamed: async (id, title) => {
      const { chats } = await loadChats();
      const chat = await chats.find(id);
      if (chat === undefined) return;
      chat.customTitle = title === "" ? null : title;
      editors.renamed(id);
      // `find` may have loaded the chat only for this. After its release, another window can continue it.
      chats.release(chat);
    },
  });
}

/** Shows the chat history and opens the chosen chat. */
async function showHistory(options: HistoryNeeds, place?: unknown): Promise<void> {
  const page = options.editors.pagePressedIn(place);
  const store = await options.loadStore();
  const picked = await historyOf(store, options).pick();
  // Runs in the background. If the purge fails, the next call tries again.
  store.purge().catch(() => undefined);
  if (picked !== undefined) await openChat(options, picked, page);
}

/** Opens a chat. If a page already shows the chat, brings that page to the front: no chat is shown twice. */
async function openChat(
  { loadChats, view, editors }: HistoryNeeds,
  { chatId, turnId }: PickedChat,
  page?: ChatPage,
): Promise<void> {
  const { chats } = await loadChats();
  const chat = await chats.find(chatId);
  if (chat === undefined) {
    await showWarning(vscode.l10n.t("This chat no longer exists."));
    return;
  }
  if (editors.reveal(chat, turnId)) return;
  const isInView = (await view.current()).id === chat.id;
  if (page === undefined || isInView) await view.open(chat, turnId);
  else page.goTo(chat, turnId);
}

/** Exports the last used chat, or else the view's chat. The user selects the file, which is then opened. */
async function exportChat({ loadChats, view }: HistoryNeeds): Promise<void> {
  const { chats, store, knownKeys } = await loadChats();
  const chat = chats.lastUsed ?? (await view.current());
  const { transcript } = chat.session;
  const chosen = await promptForFormat(
    transcript.turns.some((turn) => turn.kind === "answer" && turn.reasoning !== ""),
  );
  if (chosen === undefined) return;
  const { format, hasReasoning } = chosen;
  const exported = await withDelayedProgress(vscode.l10n.t("Exporting the chat"), async () => ({
    text: await store.exportConversation(
      chat.id,
      format,
      knownKeys,
      { title: chat.customTitle, transcript: chat.session.transcript },
      hasReasoning,
    ),
  }));
  if (exported === undefined) return;
  const { text } = exported;
  if (text === undefined) {
    await showInformation(vscode.l10n.t("This chat is empty. There is nothing to export."));
    return;
  }
  const file = await promptForFile(knownKeys.cleanText(chat.title), format);
  if (file === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  } catch (error) {
    showErrorReason(error, (reason) => vscode.l10n.t("Couldn't export the chat: {0}.", reason));
    return;
  }
  await vscode.window.showTextDocument(file);
}

function promptForFile(title: string, format: ConversationFormat): Thenable<vscode.Uri | undefined> {
  const { name, ending } = formats[format];
  const fileName = `${fileNameOf(title) || "chat"}.${ending}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export Chat"),
    saveLabel: vscode.l10n.t("Export"),
    filters: { [name]: [ending] },
    defaultUri: vscode.Uri.joinPath(folder, fileName),
  });
}

interface ChosenFormat {
  readonly format: ConversationFormat;
  readonly hasReasoning: boolean;
}

/** @param canReason whether the chat has reasoning to export */
async function promptForFormat(canReason: boolean): Promise<ChosenFormat | undefined> {
  const items: (vscode.QuickPickItem & ChosenFormat)[] = [
    {
      label: formats.markdown.name,
      detail: vscode.l10n.t("Only the version of the chat that is shown, for reading"),
      format: "markdown",
      hasReasoning: false,
    },
    {
      label: formats.json.name,
      detail: vscode.l10n.t("All versions of the chat. You can import the file again."),
      format: "json",
      hasReasoning: false,
    },
  ];
  if (canReason)
    items.push({
      label: vscode.l10n.t("JSON with Reasoning"),
      detail: vscode.l10n.t(
        "All versions of the chat and the models' reasoning. You can import the file again.",
      ),
      format: "json",
      hasReasoning: true,
    });
  return vscode.window.showQuickPick(items, { title: vscode.l10n.t("Export Chat") });
}

/** Imports an exported chat and opens it. */
async function importChat(options: HistoryNeeds): Promise<void> {
  const loaded = await options.loadChats();
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Import Chat"),
      filters: { [vscode.l10n.t("Exported Chats")]: ["json", "md"] },
    })) ?? [];
  if (file === undefined) return;
  const refusal = await tooLargeToImport(file);
  if (refusal !== undefined) {
    await showError(refusal);
    return;
  }
  const id = await withWholeProgress(vscode.l10n.t("Importing the chat"), importFrom(file, loaded));
  if (id === undefined) {
    await showError(
      vscode.l10n.t("Nothing was imported because this file is not a chat exported from Inference Chat."),
    );
    return;
  }
  await openChat(options, { chatId: id });
}

async function importFrom(file: vscode.Uri, { store, knownKeys }: LoadedChats): Promise<string | undefined> {
  const bytes = await vscode.workspace.fs.readFile(file);
  const decoded = decodeBytes(bytes);
  // An export is UTF-8. A byte order mark shows that a tool has converted the file. A guessed encoding is ignored.
  const isMarked = decoded.kind === "text" && !decoded.guessed;
  const text = isMarked ? decoded.text : new TextDecoder().decode(bytes);
  const format = file.path.toLowerCase().endsWith(".json") ? "json" : "markdown";
  return store.importConversation(text, format, knownKeys);
}

/**
 * Maximum size of a file to import, in bytes. The largest question takes 160 MiB. The largest answer takes 48 MiB, or
 * 96 MiB if all of it is escaped. Larger files are not loaded into memory: a string in VS Code has at most 512 MiB.
 */
const maxImportBytes = 256 * 1024 * 1024;

/** Returns a message for the user if a file is too large to be read as a chat. */
export async function tooLargeToImport(file: vscode.Uri): Promise<string | undefined> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size <= maxImportBytes) return undefined;
  return vscode.l10n.t(
    "'{0}' is too large to read ({1}, the limit is {2}).",
    nameOf(file),
    sizeText(size),
    sizeText(maxImportBytes),
  );
}
