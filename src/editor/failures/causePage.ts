import * as vscode from "vscode";
import type { Cause } from "../../client/failure/cause.ts";
import { extensionId } from "../../contributions.ts";

/** Opens the page about a cause of failure: what it means, how to tell, what to do. */
export async function showCausePage(cause: Cause): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) return;
  const page = vscode.Uri.joinPath(extension.extensionUri, "docs", "causes", `${cause}.md`);
  await vscode.commands.executeCommand("markdown.showPreview", page);
}
