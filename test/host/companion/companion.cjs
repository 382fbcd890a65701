// Another extension in the same host: lends tests a real secret store and state of its own.
exports.activate = (context) => ({
  secrets: context.secrets,
  workspaceState: context.workspaceState,
  globalState: context.globalState,
});
