import * as vscode from "vscode";
import { findExposedKeys, positionsOf, type SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import { referenceEdits } from "../../connection/exposedKeys/referenceEdit.ts";
import { commandIds, productName } from "../../contributions.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { mayExist, readSearchedText } from "./searchedText.ts";

/** Milliseconds without a change before a document or file is searched. */
const quietTime = 300;

/** What people write; not logs, outputs, previews, nor the editor's own settings. */
const searchedSchemes = new Set(["file", "untitled", "vscode-remote", "vscode-vfs", "vscode-notebook-cell"]);

/** Those of them that are no files, of which nothing is left when they are closed. */
const passingSchemes = new Set(["untitled", "vscode-notebook-cell"]);

/** Marks stored keys that stand in documents as errors, with quick fixes. Nothing of a key is in a mark. */
export class ExposedKeyDiagnostics implements vscode.Disposable {
  readonly #searchedKeys: SearchedKeys;
  readonly #collection = vscode.languages.createDiagnosticCollection("inference.exposedKeys");
  readonly #files = new FileWatch((uri) => this.#searchMarkedSoon(uri));
  /** By the name of the document or file. */
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;

  constructor(searchedKeys: SearchedKeys) {
    this.#searchedKeys = searchedKeys;
    this.#subscriptions = vscode.Disposable.from(
      this.#collection,
      this.#files,
      vscode.workspace.onDidOpenTextDocument((document) => this.#searchWrittenSoon(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#searchWrittenSoon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.#follow(uri))),
      vscode.workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => this.#follow(oldUri, newUri)),
      ),
      vscode.languages.registerCodeActionsProvider(
        [...searchedSchemes].map((scheme) => ({ scheme })),
        { provideCodeActions: (document, range) => this.#actions(document, range) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.searchAgain();
  }

  /** Searches what is open, once nothing has changed for a moment: the keys are other ones. */
  searchAgain(): void {
    for (const document of vscode.workspace.textDocuments) this.#searchWrittenSoon(document);
  }

  /** Searches a text of a file that need not be open; gives the number of keys in it. */
  mark(uri: vscode.Uri, text: string, keys: readonly SearchedKey[]): number {
    const found = findExposedKeys(text, keys);
    const positions = positionsOf(
      text,
      found.flatMap(({ start, end }) => [start, end]),
    );
    const diagnostics = found.map(({ connectionName }, index) =>
      diagnosticOf(connectionName, positions[2 * index], positions[2 * index + 1]),
    );
    this.#set(uri, diagnostics);
    return found.length;
  }

  /** Takes the marks of closed files away: they were made for other keys, or are made anew. */
  forgetClosedFiles(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    this.#collection.forEach((uri) => {
      if (!open.has(uri.toString())) this.#set(uri, []);
    });
  }

  /** Files and lines in which a connection's key is marked, relative to the workspace. */
  places(connectionName: string): readonly string[] {
    const marked = messageFor(connectionName);
    const places: string[] = [];
    this.#collection.forEach((uri, diagnostics) => {
      const file = vscode.workspace.asRelativePath(uri);
      const own = diagnostics.filter(({ message }) => message === marked);
      places.push(...own.map(({ range }) => `${file}:${range.start.line + 1}`));
    });
    return places;
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.#subscriptions.dispose();
  }

  /** Of a document that is open. */
  #searchWrittenSoon({ uri }: vscode.TextDocument): void {
    if (searchedSchemes.has(uri.scheme)) this.#searchSoon(uri);
  }

  #searchSoon(uri: vscode.Uri): void {
    const name = uri.toString();
    clearTimeout(this.#waiting.get(name));
    const search = (): void => {
      this.#waiting.delete(name);
      // What cannot be searched now is searched at the next change.
      this.#search(uri).catch(() => undefined);
    };
    this.#waiting.set(name, setTimeout(search, quietTime));
  }

  async #search(uri: vscode.Uri): Promise<void> {
    // A key that cannot be read now is not found, which is no sign that it is gone.
    if (this.#collection.has(uri) && (await this.#searchedKeys.unreadableNames()).length > 0) return;
    const keys = await this.#searchedKeys.list();
    const text = keys.length === 0 ? undefined : await readSearchedText(uri);
    if (text !== undefined) this.mark(uri, text, keys);
    // What cannot be read now, as while another program writes it, may still hold the key.
    else if (keys.length === 0 || !(await mayExist(uri))) this.#set(uri, []);
  }

  /** What happens to a file, or to a folder, may have happened to the keys in it. */
  #searchMarkedSoon(changed: vscode.Uri): void {
    for (const [uri] of this.#marksIn(changed)) this.#searchSoon(uri);
  }

  #closed({ uri }: vscode.TextDocument): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
    if (passingSchemes.has(uri.scheme)) this.#set(uri, []);
    // A saved file still holds the key when nobody looks at it, unless it was saved without it, or is gone.
    else this.#searchMarkedSoon(uri);
  }

  /** Of a file, or of a folder with all that was in it, the marks go along to where it is now. */
  #follow(from: vscode.Uri, to?: vscode.Uri): void {
    for (const [uri, marks] of this.#marksIn(from)) {
      this.#set(uri, []);
      const rest = uri.toString().slice(from.toString().length);
      if (to !== undefined) this.#set(vscode.Uri.parse(`${to.toString()}${rest}`), marks);
    }
  }

  /** The marks of a file, or of all files in a folder. */
  #marksIn(place: vscode.Uri): readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] {
    const name = place.toString();
    const marked: [vscode.Uri, readonly vscode.Diagnostic[]][] = [];
    this.#collection.forEach((uri, marks) => {
      const own = uri.toString();
      if (own === name || own.startsWith(`${name}/`)) marked.push([uri, marks]);
    });
    return marked;
  }

  /** A mark of a file lasts as long as the key in it, of which nobody else tells once the file is closed. */
  #set(uri: vscode.Uri, marks: readonly vscode.Diagnostic[]): void {
    if (marks.length === 0) {
      this.#collection.delete(uri);
      this.#files.remove(uri);
    } else {
      this.#collection.set(uri, marks);
      if (!passingSchemes.has(uri.scheme)) this.#files.add(uri);
    }
  }

  async #actions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.CodeAction[] | undefined> {
    const marked = this.#collection.get(document.uri)?.filter((each) => each.range.intersection(range));
    if (marked === undefined || marked.length === 0) return undefined;
    // The text may have changed since it was marked, so it is searched once more before it is edited.
    const keys = await this.#searchedKeys.list();
    const text = document.getText();
    const rangeOf = ({ start, end }: { start: number; end: number }): vscode.Range =>
      new vscode.Range(document.positionAt(start), document.positionAt(end));
    return findExposedKeys(text, keys)
      .filter((found) => rangeOf(found).intersection(range) !== undefined)
      .flatMap((found) => {
        const edit = new vscode.WorkspaceEdit();
        const edits = referenceEdits(text, found, document.languageId);
        for (const each of edits) edit.replace(document.uri, rangeOf(each), each.text);
        const replace = replaceAction(found.connectionName, marked);
        return edits.length === 0 ? [replace] : [referenceAction(edit, marked), replace];
      });
  }
}

function referenceAction(edit: vscode.WorkspaceEdit, diagnostics: vscode.Diagnostic[]): vscode.CodeAction {
  const title = vscode.l10n.t("Replace with environment variable reference");
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = edit;
  action.diagnostics = diagnostics;
  action.isPreferred = true;
  return action;
}

function replaceAction(connectionName: string, diagnostics: vscode.Diagnostic[]): vscode.CodeAction {
  const title = vscode.l10n.t("Replace Exposed API Key...");
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command: commandIds.replaceExposedKey, arguments: [connectionName] };
  action.diagnostics = diagnostics;
  return action;
}

type Place = ReturnType<typeof positionsOf>[number];

function diagnosticOf(
  connectionName: string,
  start: Place = { line: 0, character: 0 },
  end: Place = start,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(start.line, start.character, end.line, end.character),
    messageFor(connectionName),
    vscode.DiagnosticSeverity.Error,
  );
  diagnostic.source = productName;
  diagnostic.code = "exposed-key";
  return diagnostic;
}

function messageFor(connectionName: string): string {
  return vscode.l10n.t(
    "This text contains the API key for '{0}'. Anyone who can read this file can use the key.",
    connectionName,
  );
}

interface Watched {
  /** The files that it is watched for. */
  readonly files: Set<string>;
  readonly watcher: vscode.Disposable;
}

/** Hears of what becomes of some files, also outside of the editor. Nothing is watched while there are none. */
class FileWatch implements vscode.Disposable {
  readonly #onEvent: (uri: vscode.Uri) => void;
  readonly #watched = new Map<string, Watched>();

  /** @param onEvent hears of other files as well, and of a folder in the place of all that was in it */
  constructor(onEvent: (uri: vscode.Uri) => void) {
    this.#onEvent = onEvent;
  }

  /** The workspace has one watcher for all; each folder elsewhere has its own. */
  add(uri: vscode.Uri): void {
    const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const folder = vscode.Uri.joinPath(uri, "..");
    const place = isInWorkspace ? "" : folder.toString();
    const watched: Watched = this.#watched.get(place) ?? {
      files: new Set(),
      watcher: this.#watch(isInWorkspace ? "**/*" : new vscode.RelativePattern(folder, "*")),
    };
    watched.files.add(uri.toString());
    this.#watched.set(place, watched);
  }

  remove(uri: vscode.Uri): void {
    for (const [place, { files, watcher }] of this.#watched) {
      if (!files.delete(uri.toString()) || files.size > 0) continue;
      watcher.dispose();
      this.#watched.delete(place);
    }
  }

  dispose(): void {
    for (const { watcher } of this.#watched.values()) watcher.dispose();
    this.#watched.clear();
  }

  #watch(pattern: vscode.GlobPattern): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(this.#onEvent),
      watcher.onDidChange(this.#onEvent),
      watcher.onDidDelete(this.#onEvent),
    );
  }
}
