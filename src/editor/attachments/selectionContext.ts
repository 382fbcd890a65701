import * as vscode from "vscode";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { showWarning } from "../shared/notices.ts";
import {
  confirmFaultyPattern,
  confirmSendingFaulty,
  confirmSendingSensitive,
  confirmSensitiveFiles,
} from "./consent.ts";
import { Exclusions } from "../files/exclusions.ts";
import { exclusionText } from "./fileContext.ts";
import { attached, type Gathered, nothing, refused, together } from "./gathered.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { fileOf as notebookOf, findCell } from "../shared/notebooks.ts";
import { readCell } from "../shared/readTextFile.ts";
import { writeCells } from "../../text/notebookText.ts";
import { isSensitiveFile } from "../files/realPlaces.ts";
import { nameOf, placeOf, shownName, shownPath } from "../files/workspacePaths.ts";
import { TerminalSelection } from "./terminalSelection.ts";

/** Gathers the editor's selected text, one attachment per selection. */
export async function gatherSelection(editor: vscode.TextEditor | undefined): Promise<Gathered> {
  const selections = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
  if (editor === undefined || selections.length === 0) {
    return refused(vscode.l10n.t("Nothing is selected. Select some text in an editor first."));
  }
  return gatherSelectionOf(editor);
}

/** Like {@link gatherSelection}, for an editor with a selection. */
export async function gatherSelectionOf({ document, selections: all }: vscode.TextEditor): Promise<Gathered> {
  const selections = all.filter(({ isEmpty }) => !isEmpty);
  if (!(await mayShow(document.uri))) return nothing;
  return together(selections.map((selection) => attached(rangeAttachment(document, selection, "selection"))));
}

/**
 * Whether lines of a file can be attached. Only `inference.chat.exclude` applies, because the user selected these
 * lines. If it excludes the file, shows a warning. If the file might be excluded or usually holds keys, asks the user.
 */
export function mayShow(shown: vscode.Uri): Promise<boolean> {
  return mayUse(shown, {
    excluded: (name) => exclusionText(name, "chat.exclude"),
    confirmFaulty: (path, pattern) => confirmFaultyPattern([path], pattern),
    confirmSensitive: (path) => confirmSensitiveFiles([path]),
  });
}

/** Whether text of a file can be sent at once, by the same rules as {@link mayShow}. */
export function maySend(shown: vscode.Uri): Promise<boolean> {
  return mayUse(shown, {
    excluded: (name) =>
      vscode.l10n.t("Nothing was sent because inference.chat.exclude excludes '{0}'.", name),
    confirmFaulty: confirmSendingFaulty,
    confirmSensitive: confirmSendingSensitive,
  });
}

interface Consent {
  /** The warning about an excluded file. */
  readonly excluded: (name: string) => string;
  readonly confirmFaulty: (path: string, pattern: string) => Promise<boolean>;
  readonly confirmSensitive: (path: string) => Promise<boolean>;
}

async function mayUse(
  shown: vscode.Uri,
  { excluded, confirmFaulty, confirmSensitive }: Consent,
): Promise<boolean> {
  const uri = fileOf(shown);
  const exclusions = new Exclusions();
  if (await exclusions.isExcluded(uri, "chat.exclude")) {
    void showWarning(excluded(nameOf(uri)));
    return false;
  }
  const path = shownPath(uri);
  const pattern = await exclusions.faultyPatternOf(uri, ["chat.exclude"]);
  if (pattern !== undefined && !(await confirmFaulty(path, pattern))) return false;
  return !(await isSensitiveFile(uri)) || confirmSensitive(path);
}

/**
 * Maps a version of a file, such as the old side of a diff, to its workspace file. The exclusions of that file apply.
 * Maps a cell to its notebook, and returns other URIs unchanged.
 */
function fileOf(given: vscode.Uri): vscode.Uri {
  const uri = notebookOf(given);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = [uri, ...folders.map((folder) => folder.uri.with({ path: uri.path }))];
  return files.find((file) => vscode.workspace.getWorkspaceFolder(file) !== undefined) ?? uri;
}

/** Gathers the selected cells of a notebook with their outputs, one attachment per range. */
export async function gatherCells(
  notebook: vscode.NotebookDocument,
  selections: readonly vscode.NotebookRange[],
): Promise<Gathered> {
  const ranges = selections.filter(({ isEmpty }) => !isEmpty);
  if (ranges.length === 0) return refused(vscode.l10n.t("No cell is selected. Select a cell first."));
  if (!(await mayShow(notebook.uri))) return nothing;
  return attached(...ranges.map((range) => cellsAttachment(notebook, range)));
}

/** Creates an attachment from cells of a notebook, with their outputs. */
export function cellsAttachment(notebook: vscode.NotebookDocument, range: vscode.NotebookRange): Attachment {
  const { start, end } = range;
  const place = placeOf(notebook.uri);
  const withCells = (name: string): string =>
    end - start === 1
      ? vscode.l10n.t("{0}, cell {1}", name, start + 1)
      : vscode.l10n.t("{0}, cells {1}-{2}", name, start + 1, end);
  return createTextAttachment({
    kind: "selection",
    name: withCells(nameOf(notebook.uri)),
    text: writeCells(notebook.getCells(range).map(readCell), start + 1),
    place: place && { ...place, cell: start + 1 },
    detail: withCells(shownPath(notebook.uri)),
  });
}

/**
 * Creates an attachment from a range of a document. `name` defaults to the file's name; for a cell of a notebook, also
 * names the cell and the lines.
 */
export function rangeAttachment(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: "selection" | "symbol",
  name?: string,
) {
  const firstLine = range.start.line + 1;
  // A selection that ends before a line's first character does not include that line.
  const endsBefore = range.end.character === 0 && range.end.line > range.start.line;
  const lastLine = range.end.line + (endsBefore ? 0 : 1);
  const place = placeOf(document.uri);
  const isInCell = findCell(document.uri) !== undefined;
  const withLines = (file: string): string => {
    if (!isInCell) return `${file}:${firstLine}${lastLine === firstLine ? "" : `-${lastLine}`}`;
    return lastLine === firstLine
      ? vscode.l10n.t("{0}, line {1}", file, firstLine)
      : vscode.l10n.t("{0}, lines {1}-{2}", file, firstLine, lastLine);
  };
  const file = shownName(document.uri);
  return createTextAttachment({
    kind,
    name: name ?? (isInCell ? withLines(file) : file),
    text: document.getText(range),
    language: document.languageId,
    place: place && { ...place, firstLine, lastLine },
    detail: withLines(shownPath(document.uri)),
  });
}

/** Shared by all callers, because there is only one clipboard. */
const selection = new TerminalSelection(vscode.env.clipboard, () =>
  vscode.commands.executeCommand("workbench.action.terminal.copySelection"),
);

/** Gathers the active terminal's selected text. */
export async function gatherTerminal(): Promise<Gathered> {
  const terminal = vscode.window.activeTerminal;
  const selected = terminal === undefined ? undefined : await selection.read();
  if (terminal === undefined || selected === undefined || selected.trim() === "") {
    return refused(vscode.l10n.t("Nothing is selected in the terminal. Select some output first."));
  }
  return attached(
    createTextAttachment({
      kind: "terminal",
      name: vscode.l10n.t("Terminal: {0}", terminal.name),
      text: selected,
      detail: vscode.l10n.t("Selection in terminal '{0}'", terminal.name),
    }),
  );
}
