import * as vscode from "vscode";
import { showErrorReason, showInformation } from "./notices.ts";

type Undo = () => Promise<unknown>;

/** What can be taken back by the notifications that stand, by their messages; the newest comes first. */
const offered = new Map<string, readonly Undo[]>();

/**
 * Says what was done, with a way back for as long as the notification stands. The editor lets one that says the same
 * take the place of the one before: once its own is taken back, it stands again for that of before.
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
  // What failed holds the only copy of what was removed.
  const left = isUndone ? before : undos;
  await offer(message, [...(offered.get(message) ?? []), ...left]);
}

/** Undoes something at once; where that fails, it is offered again by this message. */
export async function undoNow(message: string, undo: Undo): Promise<void> {
  if (!(await takeBack(undo))) offerUndo(message, undo);
}

/** Undoes something; where that fails, it is said why. */
async function takeBack(undo: Undo): Promise<boolean> {
  try {
    await undo();
    return true;
  } catch (error) {
    showErrorReason(error, (reason) => vscode.l10n.t("Couldn't undo: {0}", reason));
    return false;
  }
}
