import * as vscode from "vscode";
import { findExposedKeys, positionsOf, type SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import { referenceEdits } from "../../connection/exposedKeys/referenceEdit.ts";
import { commandIds, productName } from "../../contributions.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { fileOf } from "../shared/notebooks.ts";
import { mayExist, readSearchedText } from "./searchedText.ts";

/** Debounce of a search, in milliseconds. */
const quietTime = 300;

/** Schemes of documents that users write. Logs, outputs, previews and VS Code's own settings are not searched. */
const searchedSchemes = new Set(["file", "untitled", "vscode-remote", "vscode-vfs", "vscode-notebook-cell"]);

/** Searched schemes without files. Closing such a document removes its marks. */
const passingSchemes = new Set(["untitled", "vscode-notebook-cell"]);

/** Marks stored keys in documents as errors, with quick fixes. A mark contains no part of a key. */
export class ExposedKeyDiagnostics implements vscode.Disposable {
  readonly #searchedKeys: SearchedKeys;
  readonly #collection = vscode.languages.createDiagnosticCollection("inference.exposedKeys");
  readonly #files = new FileWatch((uri) => this.#searchMarkedSoon(uri));
  /** Timers by URI of the document or file. */
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

  /** Searches all open documents after a short pause. Call this when the keys have changed. */
  searchAgain(): void {
    for (const document of vscode.workspace.textDocuments) this.#searchWrittenSoon(document);
  }

  /** Marks the keys in a file's text and returns their number. The file need not be open. */
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

  /** Removes the marks of closed files, because the keys have changed or a new scan marks them again. */
  forgetClosedFiles(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    this.#collection.forEach((uri) => {
      if (!open.has(uri.toString())) this.#set(uri, []);
    });
  }

  /** Returns where a connection's key is marked, as `file:line` relative to the workspace. */
  places(connectionName: string): readonly string[] {
    const marked = messageFor(connectionName);
    const places: string[] = [];
    this.#collection.forEach((uri, diagnostics) => {
      const file = vscode.workspace.asRelativePath(fileOf(uri));
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

  #searchWrittenSoon({ uri }: vscode.TextDocument): void {
    if (searchedSchemes.has(uri.scheme)) this.#searchSoon(uri);
  }

  #searchSoon(uri: vscode.Uri): void {
    const name = uri.toString();
    clearTimeout(this.#waiting.get(name));
    const search = (): void => {
      this.#waiting.delete(name);
      // The next change repeats a failed search.
      this.#search(uri).catch(() => undefined);
    };
    this.#waiting.set(name, setTimeout(search, quietTime));
  }

  async #search(uri: vscode.Uri): Promise<void> {
    // A search cannot find an unreadable key, so leave the existing marks.
    if (this.#collection.has(uri) && (await this.#searchedKeys.unreadableNames()).length > 0) return;
    const keys = await this.#searchedKeys.list();
    const text = keys.length === 0 ? undefined : await readSearchedText(uri);
    if (text !== undefined) this.mark(uri, text, keys);
    // A file that cannot be read now, such as during a write, may still contain the key.
    else if (keys.length === 0 || !(await mayExist(uri))) this.#set(uri, []);
  }

  /** Searches a changed file, or the files in a changed folder, again soon if they have marks. */
  #searchMarkedSoon(changed: vscode.Uri): void {
    for (const [uri] of this.#marksIn(changed)) this.#searchSoon(uri);
  }

  #closed({ uri }: vscode.TextDocument): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
    if (passingSchemes.has(uri.scheme)) this.#set(uri, []);
    // The saved file may still contain the key. Check whether it was saved without the key or deleted.
    else this.#searchMarkedSoon(uri);
  }

  /** Moves the marks of a file, or of all files in a folder. If there is no new location, removes them. */
  #follow(from: vscode.Uri, to?: vscode.Uri): void {
    for (const [uri, marks] of this.#marksIn(from)) {
      this.#set(uri, []);
      const rest = uri.toString().slice(from.toString().length);
      if (to !== undefined) this.#set(vscode.Uri.parse(`${to.toString()}${rest}`), marks);
    }
  }

  /** Returns the marks of a file, or of all files in a folder. */
  #marksIn(place: vscode.Uri): readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] {
    const name = place.toString();
    const marked: [vscode.Uri, readonly vscode.Diagnostic[]][] = [];
    this.#collection.forEach((uri, marks) => {
      const own = uri.toString();
      if (own === name || own.startsWith(`${name}/`)) marked.push([uri, marks]);
    });
    return marked;
  }

  /** Sets or removes marks. Marked files are watched, because closed files cause no document events. */
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
    // The text may have changed since it was marked, so search again before editing.
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
  /** The marked files in the watched folder or workspace. */
  readonly files: Set<string>;
  readonly watcher: vscode.Disposable;
}

/** Reports changes to watched files, including changes by other programs. */
class FileWatch implements vscode.Disposable {
  readonly #onEvent: (uri: vscode.Uri) => void;
  readonly #watched = new Map<string, Watched>();

  /** @param onEvent also called for other files, and for a folder instead of the files in it */
  constructor(onEvent: (uri: vscode.Uri) => void) {
    this.#onEvent = onEvent;
  }

  /** Workspace files share one watcher. Each folder elsewhere has its own. */
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
