import * as vscode from "vscode";

/**
 * Makes settings reject writes, as with unsaved changes in the settings file. Returns a function that allows writes
 * again.
 */
export function refuseSettings(): () => void {
  const { getConfiguration } = vscode.workspace;
  const update = { value: async () => Promise.reject(new Error("The settings were not written.")) };
  Object.assign(vscode.workspace, {
    getConfiguration: (...asked: Parameters<typeof getConfiguration>) =>
      Object.create(getConfiguration(...asked), { update }),
  });
  return () => void Object.assign(vscode.workspace, { getConfiguration });
}
