import * as vscode from "vscode";

/** Files that only VS Code can read, such as those of another machine. `/ws/away` is a symbolic link. */
export class FarFiles implements vscode.FileSystemProvider {
  static readonly scheme = "far-files";
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  readonly #files: ReadonlyMap<string, string>;

  /** @param files texts by path */
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const type = this.#typeOf(uri.path);
    if (type === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return { type, size: this.#files.get(uri.path)?.length ?? 0, ctime: 0, mtime: 0 };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const start = `${uri.path}/`;
    const below = [...this.#files.keys()].filter((each) => each.startsWith(start));
    const names = new Set(below.map((each) => each.slice(start.length).replace(/\/.*/, "")));
    if (names.size === 0) throw vscode.FileSystemError.FileNotADirectory(uri);
    return [...names].map((name) => [name, this.#typeOf(start + name) ?? vscode.FileType.Unknown]);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const text = this.#files.get(uri.path);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(text);
  }

  #typeOf(path: string): vscode.FileType | undefined {
    if (this.#files.has(path)) return vscode.FileType.File;
    const { Directory, SymbolicLink } = vscode.FileType;
    if (path === "/ws/away") return Directory | SymbolicLink;
    return [...this.#files.keys()].some((each) => each.startsWith(`${path}/`)) ? Directory : undefined;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}
