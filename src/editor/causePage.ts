import * as vscode from "vscode";
import type { Cause } from "../client/cause.ts";
import { documentScheme } from "../contributions.ts";

/** Opens the page about a cause of failure: what it means, how to tell, what to do. */
export async function showCausePage(cause: Cause): Promise<void> {
  const page = vscode.Uri.from({ scheme: documentScheme, path: `/causes/${cause}.md` });
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
