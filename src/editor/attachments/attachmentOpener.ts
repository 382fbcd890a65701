import * as vscode from "vscode";
import { attachmentTraits, type Attachment } from "../../chat/transcript/attachments.ts";
import { resolvePath } from "../files/workspacePaths.ts";
import { showDocument } from "../shared/notebooks.ts";

const scheme = "inference-attachment";

/** Opens an attachment's source. Without a suitable source, opens the attached content read-only. */
export class AttachmentOpener implements ReadOnlyFiles, vscode.Disposable {
  /** Contents by path. Each is dropped once no tab shows it. */
  readonly #contents = new Map<string, Uint8Array>();
  /** Paths whose tab is still opening. */
  readonly #opening = new Set<string>();
  readonly #registrations: vscode.Disposable;

  constructor() {
    this.#registrations = vscode.Disposable.from(
      registerReadOnlyFiles(scheme, this),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#dropClosed()),
    );
  }

  async open(attachment: Attachment): Promise<void> {
    if (!(await openPlace(attachment))) await this.#openContent(attachment);
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#contents.clear();
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const content = this.#contents.get(uri.path);
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).byteLength };
  }

  async #openContent({ id, name, content }: Attachment): Promise<void> {
    if (content === undefined) return;
    const isText = content.type === "text";
    const bytes = isText ? new TextEncoder().encode(content.text) : Buffer.from(content.data, "base64");
    const ending = isText && content.language === "diff" ? ".diff" : "";
    const path = `/${id}/${name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "_")}${ending}`;
    this.#contents.set(path, bytes);
    this.#opening.add(path);
    try {
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.from({ scheme, path }));
    } finally {
      this.#opening.delete(path);
    }
  }

  #dropClosed(): void {
    const open = new Set(openPaths());
    for (const path of this.#contents.keys()) {
      if (!open.has(path) && !this.#opening.has(path)) this.#contents.delete(path);
    }
  }
}

/** Returns the paths of attachments that tabs show, as text or image. */
function openPaths(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => {
      const isShown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return isShown && input.uri.scheme === scheme ? [input.uri.path] : [];
    }),
  );
}

/** Opens the attachment's source. Returns false if the attached content must be opened instead. */
async function openPlace({ place, kind, content }: Attachment): Promise<boolean> {
  const { opens } = attachmentTraits[kind];
  if (place === undefined || opens === "content") return false;
  const uri = resolvePath(place.path);
  if (uri === undefined) return false;
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return false;
  }
  // Instructions must appear as they were sent. Do not open the file if its text has changed since.
  if (opens === "unchanged-place" && content?.type === "text" && !(await holds(uri, content.text)))
    return false;
  if (opens === "folder") {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return true;
  }
  const { cell, firstLine, lastLine = firstLine } = place;
  if (cell !== undefined) return openCell(uri, cell - 1);
  const selection =
    firstLine === undefined || lastLine === undefined
      ? {}
      : { selection: new vscode.Range(firstLine - 1, 0, lastLine, 0) };
  await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...selection });
  return true;
}

/** False if the file no longer opens as a notebook with this cell. */
async function openCell(uri: vscode.Uri, index: number): Promise<boolean> {
  try {
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    if (index >= notebook.cellCount) return false;
    await showDocument(notebook.cellAt(index).document.uri);
    return true;
  } catch {
    return false;
  }
}

async function holds(uri: vscode.Uri, text: string): Promise<boolean> {
  try {
    const written = (await vscode.workspace.openTextDocument(uri)).getText();
    // The attached text has no front matter, and its line endings can differ from the file's.
    return written.replaceAll("\r\n", "\n").endsWith(text.replaceAll("\r\n", "\n"));
  } catch {
    return false;
  }
}

/** Read-only files whose content never changes under the same path. */
type ReadOnlyFiles = Pick<vscode.FileSystemProvider, "stat" | "readFile">;

function registerReadOnlyFiles(ownScheme: string, files: ReadOnlyFiles): vscode.Disposable {
  const provider: vscode.FileSystemProvider = {
    stat: (uri) => files.stat(uri),
    readFile: (uri) => files.readFile(uri),
    readDirectory: () => [],
    onDidChangeFile: listenToNothing,
    watch: listenToNothing,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(ownScheme, provider, { isReadonly: true });
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}

function listenToNothing(): vscode.Disposable {
  return new vscode.Disposable(() => undefined);
}
