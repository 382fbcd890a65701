// Another extension in the same host: lends tests a real secret store and state of its own, and the
// editor's API as an extension gets it that knows nothing of ours.
const vscode = require("vscode");

exports.activate = (context) => ({
  secrets: context.secrets,
  workspaceState: context.workspaceState,
  globalState: context.globalState,
  extensions: vscode.extensions,
  languageModels: vscode.lm,
  commands: vscode.commands,
});
