// Opens a sample file with the chat beside it, so that a user can begin right after `npm start`.
const vscode = require("vscode");

exports.activate = async () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined || vscode.window.activeTextEditor !== undefined) return;
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, "summary.ts"));
  await vscode.commands.executeCommand("inference.openChat");
};
