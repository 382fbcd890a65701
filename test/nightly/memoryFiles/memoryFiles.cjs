// A virtual workspace: the folder /project with one file, both read-only.
const vscode = require("vscode");

const text = Buffer.from("The quarterly figures are due on Friday.\n");
const { Directory, File } = vscode.FileType;

function typeOf({ path }) {
  if (path === "/" || path === "/project") return Directory;
  if (path === "/project/notes.md") return File;
  throw vscode.FileSystemError.FileNotFound(path);
}

function refuse() {
  throw vscode.FileSystemError.NoPermissions();
}

exports.activate = ({ subscriptions }) => {
  const provider = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => ({ dispose() {} }),
    stat: (uri) => ({ type: typeOf(uri), ctime: 0, mtime: 0, size: text.length }),
    readDirectory: (uri) => (uri.path === "/project" ? [["notes.md", File]] : [["project", Directory]]),
    readFile: (uri) => (typeOf(uri) === File ? text : refuse()),
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  subscriptions.push(vscode.workspace.registerFileSystemProvider("memory", provider, { isReadonly: true }));
};
