import * as vscode from "vscode";
import { showWarning } from "../shared/notices.ts";
import { confirmFaultyPattern, confirmSensitiveFiles } from "./consent.ts";
import { Exclusions } from "../files/exclusions.ts";
import { exclusionText } from "./fileContext.ts";
import { attached, type Gathered, nothing, refused, together } from "./gathered.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { isSensitiveFile } from "../files/realPlaces.ts";
import { nameOf, pathInWorkspace, shownPath } from "../files/workspacePaths.ts";
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
export async function mayShow(shown: vscode.Uri): Promise<boolean> {
  const uri = fileOf(shown);
  const exclusions = new Exclusions();
  if (await exclusions.isExcluded(uri, "chat.exclude")) {
    void showWarning(exclusionText(nameOf(uri), "chat.exclude"));
    return false;
  }
  const pattern = await exclusions.faultyPatternOf(uri, ["chat.exclude"]);
  if (pattern !== undefined && !(await confirmFaultyPattern([shownPath(uri)], pattern))) return false;
  return !(await isSensitiveFile(uri)) || confirmSensitiveFiles([shownPath(uri)]);
}

/**
 * Maps a version of a file, such as the old side of a diff, to its workspace file. The exclusions of that file apply.
 * Returns other URIs unchanged.
 */
function fileOf(uri: vscode.Uri): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = [uri, ...folders.map((folder) => folder.uri.with({ path: uri.path }))];
  return files.find((file) => vscode.workspace.getWorkspaceFolder(file) !== undefined) ?? uri;
}

/** Creates an attachment from a range of a document. `name` defaults to the file's name. */
export function rangeAttachment(
  document: vscode.TextDocument,
  range: vscode.Range,
  kind: "selection" | "symbol",
  name = nameOf(document.uri),
) {
  const firstLine = range.start.line + 1;
  // A selection that ends before a line's first character does not include that line.
  const endsBefore = range.end.character === 0 && range.end.line > range.start.line;
  const lastLine = range.end.line + (endsBefore ? 0 : 1);
  const path = pathInWorkspace(document.uri);
  const lines = lastLine === firstLine ? `${firstLine}` : `${firstLine}-${lastLine}`;
  return createTextAttachment({
    kind,
    name,
    text: document.getText(range),
    language: document.languageId,
    place: path === undefined ? undefined : { path, firstLine, lastLine },
    detail: `${shownPath(document.uri)}:${lines}`,
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
