// Another extension in the same host. It lends tests real secret storage and state, and VS Code's API as other
// extensions see it.
const vscode = require("vscode");

exports.activate = (context) => ({
  secrets: context.secrets,
  workspaceState: context.workspaceState,
  globalState: context.globalState,
  extensions: vscode.extensions,
  languageModels: vscode.lm,
  commands: vscode.commands,
});
