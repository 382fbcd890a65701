import * as vscode from "vscode";
import { showWarning } from "../shared/notices.ts";
import type { ProposalTarget } from "./proposalTarget.ts";
import { nameOf } from "./proposalTabs.ts";

/** Asks what to do with code that leaves out parts of a file, where these cannot be told from it. */
export async function askUnsure({ uri, exists }: ProposalTarget, code: string): Promise<void> {
  const copy = vscode.l10n.t("Copy Code");
  const open = vscode.l10n.t("Open File");
  const message = vscode.l10n.t(
    "Can't tell where this code belongs in '{0}'. Nothing was changed.",
    nameOf(uri),
  );
  const detail = vscode.l10n.t(
    'The code leaves parts out, as in "// ... existing code ...". Applying it could delete them. Ask for the whole function or file, or copy the code and place it yourself.',
  );
  const buttons = exists ? [copy, open] : [copy];
  const chosen = await showWarning(message, { modal: true, detail }, ...buttons);
  if (chosen === copy) await vscode.env.clipboard.writeText(code);
  if (chosen === open) await vscode.window.showTextDocument(uri);
}
