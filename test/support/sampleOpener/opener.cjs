// Opens the chat beside a file of the sample workspace, so that `npm start` ends where a person can begin.
const vscode = require("vscode");

exports.activate = async () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined || vscode.window.activeTextEditor !== undefined) return;
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "summary.ts"));
  await vscode.commands.executeCommand("inference.openChat");
};
