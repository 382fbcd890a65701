import * as vscode from "vscode";
import { showErrorReason, showInformation } from "./notices.ts";

type Undo = () => Promise<unknown>;

/** The undo functions of the open notifications, by message, newest first. */
const offered = new Map<string, readonly Undo[]>();

/**
 * Shows what was done, and offers to undo it while the notification is open. VS Code replaces an open notification that
 * has the same message. After the newer action is undone, the notification for the earlier one appears again.
 */
export function offerUndo(message: string, undo: Undo): void {
  offer(message, [undo, ...(offered.get(message) ?? [])]).catch(() => undefined);
}

async function offer(message: string, undos: readonly Undo[]): Promise<void> {
  const [newest, ...before] = undos;
  if (newest === undefined) return;
  offered.set(message, undos);
  const label = vscode.l10n.t("Undo");
  const chosen = await showInformation(message, label);
  if (offered.get(message) !== undos) return;
  offered.delete(message);
  if (chosen !== label) return;
  const isUndone = await takeBack(newest);
  // Offer a failed undo again, because it holds the only copy of the removed data.
  const left = isUndone ? before : undos;
  await offer(message, [...(offered.get(message) ?? []), ...left]);
}

/** Undoes something at once. If that fails, offers the undo again with this message. */
export async function undoNow(message: string, undo: Undo): Promise<void> {
  if (!(await takeBack(undo))) offerUndo(message, undo);
}

/** Undoes something. If that fails, shows the reason and resolves to false. */
async function takeBack(undo: Undo): Promise<boolean> {
  try {
    await undo();
    return true;
  } catch (error) {
    showErrorReason(error, (reason) => vscode.l10n.t("Couldn't undo: {0}", reason));
    return false;
  }
}
