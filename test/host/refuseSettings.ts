import * as vscode from "vscode";

/** As where the file of the settings has changes that are not saved. The result lets them be written again. */
export function refuseSettings(): () => void {
  const { getConfiguration } = vscode.workspace;
  const update = { value: async () => Promise.reject(new Error("The settings were not written.")) };
  Object.assign(vscode.workspace, {
    getConfiguration: (...asked: Parameters<typeof getConfiguration>) =>
      Object.create(getConfiguration(...asked), { update }),
  });
  return () => void Object.assign(vscode.workspace, { getConfiguration });
}
