import * as vscode from "vscode";
import type { ContextOffer } from "../../chat/page/protocol.ts";
import type { FileIndex } from "../files/fileIndex.ts";
import { type Gathered, nothing } from "./gathered.ts";
import { gatherCells, gatherSelection, gatherTerminal } from "./selectionContext.ts";
import { gatherSymbol } from "./symbolContext.ts";
import { gatherFileProblems, gatherWorkspaceProblems } from "./problemsContext.ts";
import { gatherDiff } from "./gitContext.ts";
import { gatherSearch } from "./searchContext.ts";
import { isWebUrl } from "../../text/webUrl.ts";
import { imageEndings, convertPathToLabel, nameOf, resolvePath } from "../files/workspacePaths.ts";
import { promptForText } from "../shared/promptForText.ts";
import { pickWhileTyping } from "./pickWhileTyping.ts";
import { gatherUris } from "./uriContext.ts";
import { wholeUrlText } from "./websiteContext.ts";

/** Resources that a context source can read from. */
interface ContextGround {
  readonly files: FileIndex;
  /** The text editor to read from, also while the chat itself has focus. */
  readonly editor: vscode.TextEditor | undefined;
  /** Asks the user, then reads the page at a URL. */
  readonly readPage: (url: string) => Promise<Gathered>;
}

/** An offer in the attach list. Its content is loaded only after the user selects it. */
export interface ContextSource extends ContextOffer {
  readonly gather: (ground: ContextGround) => Promise<Gathered>;
}

/** All context sources, in the order of the list. Those of a notebook come first if one is in use. */
export function contextSources(notebook: vscode.NotebookEditor | undefined): readonly ContextSource[] {
  return notebook === undefined
    ? usualSources(notebook)
    : [...notebookSources(notebook), ...usualSources(notebook)];
}

function notebookSources(editor: vscode.NotebookEditor): readonly ContextSource[] {
  const name = nameOf(editor.notebook.uri);
  return [
    {
      id: "cells",
      label: vscode.l10n.t("Selected Cells"),
      description: vscode.l10n.t("In '{0}', with outputs", name),
      gather: async () => gatherCells(editor.notebook, editor.selections),
    },
    {
      id: "notebook",
      label: vscode.l10n.t("Notebook"),
      description: vscode.l10n.t("All cells of '{0}', with outputs", name),
      gather: async () => gatherUris([editor.notebook.uri]),
    },
  ];
}

function usualSources(notebook: vscode.NotebookEditor | undefined): readonly ContextSource[] {
  const { t } = vscode.l10n;
  return [
    {
      id: "file",
      label: t("File..."),
      description: t("Find a file by name"),
      gather: async ({ files }) => gatherChosenFile(files),
    },
    {
      id: "folder",
      label: t("Folder..."),
      description: t("The folder tree, plus files you select"),
      gather: async () => gatherChosenFolder(),
    },
    {
      id: "selection",
      label: t("Selection"),
      description: t("In the active editor"),
      gather: async ({ editor }) => gatherSelection(editor),
    },
    {
      id: "symbol",
      label: t("Symbol..."),
      description: t("Find a function, class, or type by name"),
      gather: async ({ editor }) => gatherSymbol(editor),
    },
    {
      id: "problems-file",
      label: t("Problems in This File"),
      description: t("In the active editor"),
      gather: async ({ editor }) => gatherFileProblems(notebook?.notebook.uri ?? editor?.document.uri),
    },
    {
      id: "problems-workspace",
      label: t("Problems in the Workspace"),
      description: t("Everything in the Problems panel"),
      gather: async () => gatherWorkspaceProblems(),
    },
    {
      id: "diff-staged",
      label: t("Git: Staged Changes"),
      description: "git diff --cached",
      gather: async () => gatherDiff("staged"),
    },
    {
      id: "diff-unstaged",
      label: t("Git: Unstaged Changes"),
      description: "git diff",
      gather: async () => gatherDiff("unstaged"),
    },
    {
      id: "diff-commit",
      label: t("Git: Commit..."),
      description: t("The diff of one commit"),
      gather: async () => gatherDiff("commit"),
    },
    {
      id: "terminal",
      label: t("Terminal Selection"),
      description: t("In the active terminal"),
      gather: async () => gatherTerminal(),
    },
    {
      id: "search",
      label: t("Search Results..."),
      description: t("Lines that contain the text you enter"),
      gather: async () => gatherSearch(),
    },
    {
      id: "website",
      label: t("Web Page..."),
      description: t("The text of a page whose URL you enter"),
      gather: async ({ readPage }) => gatherEnteredPage(readPage),
    },
    {
      id: "image",
      label: t("Image..."),
      description: t("An image file from this computer"),
      gather: async () => gatherChosenImage(),
    },
    {
      id: "pdf",
      label: t("PDF File..."),
      description: t("A PDF file from this computer"),
      gather: async () => gatherChosenPdf(),
    },
  ];
}

async function gatherEnteredPage(readPage: ContextGround["readPage"]): Promise<Gathered> {
  const url = await promptForText({
    title: vscode.l10n.t("Attach a Web Page"),
    prompt: vscode.l10n.t("URL of the page"),
    placeholder: "https://...",
    validate: (text) =>
      isWebUrl(text.trim())
        ? undefined
        : {
            message: wholeUrlText(),
            severity: vscode.InputBoxValidationSeverity.Error,
          },
  });
  return url === undefined ? nothing : readPage(url.trim());
}

const listedFiles = 50;

async function gatherChosenFile(files: FileIndex): Promise<Gathered> {
  const path = await pickWhileTyping<string>({
    title: vscode.l10n.t("Attach a File"),
    placeholder: vscode.l10n.t("Type part of a file name"),
    find: async (typed) =>
      (await files.findAll(typed, listedFiles)).map((value) => ({ ...convertPathToLabel(value), value })),
  });
  const uri = path === undefined ? undefined : resolvePath(path);
  return uri === undefined ? nothing : gatherUris([uri]);
}

function gatherChosenFolder(): Promise<Gathered> {
  return gatherFromDialog({ canSelectFiles: false, canSelectFolders: true });
}

function gatherChosenImage(): Promise<Gathered> {
  return gatherFromDialog({
    canSelectMany: true,
    filters: { [vscode.l10n.t("Images")]: [...imageEndings] },
  });
}

function gatherChosenPdf(): Promise<Gathered> {
  return gatherFromDialog({ canSelectMany: true, filters: { [vscode.l10n.t("PDF files")]: ["pdf"] } });
}

async function gatherFromDialog(options: vscode.OpenDialogOptions): Promise<Gathered> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    ...options,
    openLabel: vscode.l10n.t("Attach"),
    ...(folder === undefined ? {} : { defaultUri: folder.uri }),
  });
  return chosen === undefined ? nothing : gatherUris(chosen);
}
