// An extension that catches nothing of what ours rejects with: a heap of promises, and then exceptions.
const vscode = require("vscode");

/** For each error. */
const promises = 500;

async function leaveErrors() {
  const ours = await vscode.extensions.getExtension("inference-chat.inference-chat").activate();
  const api = ours.getAPI(1);
  const [refused] = await Promise.allSettled([api.listModels()]);
  // A step that fails is no rejection; an extension may make one of it.
  const checked = await api.checkConnection();
  for (const error of [refused.reason, new Error(JSON.stringify(checked))]) {
    for (let count = 0; count < promises; count += 1) void Promise.reject(error);
    setTimeout(() => {
      throw error;
    });
  }
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand("careless.leaveErrors", leaveErrors));
};
