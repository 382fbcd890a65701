import * as vscode from "vscode";
import { attachmentLimits } from "../../chat/attachments.ts";
import { Exclusions } from "./exclusions.ts";
import { gatherFile, statOf, unreadText } from "./fileContext.ts";
import { gatherFolder } from "./folderContext.ts";
import { type Gathered, refused, together, tooMuchText } from "./gathered.ts";
import { nameOf } from "./workspacePaths.ts";

/** Files by their choice, folders by a further choice. */
export async function gatherUris(uris: readonly vscode.Uri[]): Promise<Gathered> {
  const exclusions = new Exclusions();
  const all: Gathered[] = [];
  for (const uri of uris.slice(0, attachmentLimits.count)) {
    const stat = await statOf(uri);
    if (stat === undefined) all.push(refused(unreadText(nameOf(uri))));
    else if ((stat.type & vscode.FileType.Directory) !== 0) all.push(await gatherFolder(uri, exclusions));
    else all.push(await gatherFile(uri, exclusions));
  }
  const rest = uris.length - attachmentLimits.count;
  return together(rest > 0 ? [...all, refused(tooMuchText(rest))] : all);
}
