import * as vscode from "vscode";

/** What answers for files that can be read and never change under their name. */
export type ReadOnlyFiles = Pick<vscode.FileSystemProvider, "stat" | "readFile">;

/** Offers files under a scheme of their own. */
export function registerReadOnlyFiles(scheme: string, files: ReadOnlyFiles): vscode.Disposable {
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
  return vscode.workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true });
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}

function listenToNothing(): vscode.Disposable {
  return new vscode.Disposable(() => undefined);
}
