import * as vscode from "vscode";
import { isLoopback } from "../../client/http/address.ts";

/** Web and mail links only; the editor asks before it leaves for another site. */
export async function openLink(href: string): Promise<void> {
  const url = URL.parse(href);
  if (url === null || !["https:", "http:", "mailto:"].includes(url.protocol)) return;
  // A Uri loses which characters were escaped; a page of this machine is reached from afar only by one.
  const isText = url.protocol !== "mailto:" && !isLoopback(url.hostname);
  if (isText) await vscode.commands.executeCommand("vscode.open", url.href);
  else await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
