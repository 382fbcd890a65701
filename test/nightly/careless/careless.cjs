// An extension that ignores rejections of our API. It leaves many unhandled rejections and two uncaught exceptions.
const vscode = require("vscode");

/** Number of rejected promises per error. */
const promises = 500;

async function leaveErrors() {
  const ours = await vscode.extensions.getExtension("inference-chat.inference-chat").activate();
  const api = ours.getAPI(1);
  const [refused] = await Promise.allSettled([api.listModels()]);
  // A failed step of a check does not reject. This extension turns the result into an error.
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
