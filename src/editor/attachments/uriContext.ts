import * as vscode from "vscode";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import { Exclusions } from "../files/exclusions.ts";
import { gatherFiles, statOf, unreadText } from "./fileContext.ts";
import { gatherFolder } from "./folderContext.ts";
import { type Gathered, nothing, refused, together, tooMuchText } from "./gathered.ts";
import { nameOf } from "../files/workspacePaths.ts";

/** Files by their choice, folders by a further choice. */
export async function gatherUris(uris: readonly vscode.Uri[]): Promise<Gathered> {
  const exclusions = new Exclusions();
  const chosen = uris.slice(0, attachmentLimits.count);
  const kinds = await Promise.all(chosen.map(kindOf));
  const files = chosen.filter((_, index) => kinds[index] === "file");
  const ofFiles = new Map<vscode.Uri, Gathered>();
  for (const [index, gathered] of (await gatherFiles(files, exclusions)).entries()) {
    const file = files[index];
    if (file !== undefined) ofFiles.set(file, gathered);
  }
  const all: Gathered[] = [];
  for (const [index, uri] of chosen.entries()) {
    if (kinds[index] === undefined) all.push(refused(unreadText(nameOf(uri))));
    else if (kinds[index] === "folder") all.push(await gatherFolder(uri, exclusions));
    else all.push(ofFiles.get(uri) ?? nothing);
  }
  const rest = uris.length - attachmentLimits.count;
  return together(rest > 0 ? [...all, refused(tooMuchText(rest))] : all);
}

/** Undefined where there is nothing. */
async function kindOf(uri: vscode.Uri): Promise<"file" | "folder" | undefined> {
  const stat = await statOf(uri);
  if (stat === undefined) return undefined;
  return (stat.type & vscode.FileType.Directory) === 0 ? "file" : "folder";
}
