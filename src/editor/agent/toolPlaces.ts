import * as vscode from "vscode";
import type { CallRequest } from "../../chat/transcript/steps.ts";
import { findPathFault, mayHaveShortName, type PathFault } from "../../files/plainPath.ts";
import { type FileFacts, findFile } from "../shared/readTextFile.ts";
import { Exclusions } from "../files/exclusions.ts";
import { isOutside, isSensitiveFile, realPlaceOf } from "../files/realPlaces.ts";
import { placesInWorkspace } from "../files/workspaceFiles.ts";
import { labelledFolders, pathInWorkspace } from "../files/workspacePaths.ts";
import { type AgentRun, requireAllowed, ToolError } from "./agentTool.ts";

const faultTexts: Readonly<Record<PathFault, string>> = {
  empty: "The path is empty.",
  "too-long": "The path is too long.",
  "control-character": "The path holds a control character.",
  "device-name": "The path holds the name of a device.",
  "trailing-dot-or-space": "A name in the path ends in a dot or a space.",
  stream: "A name in the path holds a colon.",
};

/**
 * Resolves a path that the model wrote: relative to the workspace, with the name of a folder in front, or absolute.
 * An existing place comes before a missing one, and the workspace before other places.
 *
 * @throws ToolError
 */
export async function findPlace(given: string): Promise<vscode.Uri> {
  const fault = findPathFault(given) ?? findPathFault(given.normalize("NFC"));
  if (fault !== undefined) throw new ToolError(faultTexts[fault]);
  // The target of a short name is known on this machine only.
  if (isElsewhere() && mayHaveShortName(given))
    throw new ToolError("A name in the path could be a short name of Windows. Give the full name.");
  // Some file systems tell forms of a letter apart.
  const forms = [...new Set([given, given.normalize("NFC"), given.normalize("NFD")])];
  for (const uri of forms.flatMap(placesOf)) if ((await findFile(uri)) !== undefined) return uri;
  const path = given.normalize("NFC");
  return placesOf(path)[0] ?? outsidePlace(path);
}

/** Whether the first folder of the workspace is not on the disk of this machine. */
function isElsewhere(): boolean {
  const scheme = vscode.workspace.workspaceFolders?.[0]?.uri.scheme;
  return scheme !== undefined && scheme !== "file";
}

/** Possible places of a path, the likeliest first. */
function placesOf(path: string): readonly vscode.Uri[] {
  const folders = labelledFolders();
  const roots = folders.filter(({ label }) => label === path.replace(/[/\\]+$/u, ""));
  const named = roots.map(({ folder }) => folder.uri);
  const below = placesInWorkspace(path);
  const places = folders.length > 1 ? [...named, ...below] : [...below, ...named];
  return [...places, outsidePlace(path)];
}

/** An absolute path on the machine of the workspace, or a path that leads out of its first folder. */
function outsidePlace(path: string): vscode.Uri {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (path.startsWith("/") || /^[a-z]:[/\\]/iu.test(path)) {
    // Windows reads two slashes as the name of another machine, and would sign in there.
    const file = vscode.Uri.file(path.replace(/^[/\\]{2,}/u, "/"));
    return root === undefined || root.scheme === "file" ? file : root.with({ path: file.path });
  }
  if (root === undefined) throw new ToolError("No folder is open in this workspace.");
  return vscode.Uri.joinPath(root, path.replaceAll("\\", "/"));
}

/** @throws ToolError for a missing file */
export async function requireExisting(uri: vscode.Uri): Promise<FileFacts> {
  const found = await findFile(uri);
  if (found !== undefined) return found;
  throw new ToolError(`There is no file ${placeName(uri)} in this workspace. Use find_files to look for it.`);
}

/** The path as the model and the user see it; absolute only for a place outside the workspace. */
export function placeName(uri: vscode.Uri): string {
  return pathInWorkspace(uri) ?? (uri.scheme === "file" ? uri.fsPath : uri.toString(true));
}

/** The path that the user is asked about; with the target if a link leads elsewhere. */
export async function placeNameWithTarget(uri: vscode.Uri): Promise<string> {
  const [name, target] = [placeName(uri), placeName(await realPlaceOf(uri))];
  return name === target ? name : `${name} → ${target}`;
}

/**
 * Asks the user before a file is read that is outside the workspace, usually holds keys, or is ignored.
 * @throws DeniedError, or ToolError for a file that `inference.chat.exclude` names
 */
export async function requireReadable(uri: vscode.Uri, { ask, allowed }: AgentRun): Promise<void> {
  const request = await requestFor(uri);
  if (request === undefined) return;
  await requireAllowed(ask(request));
  if (request.reason === "outside-workspace" || request.reason === "excluded-file")
    allowed.noteOutsideContent();
}

type ReadRequest = Extract<CallRequest, { type: "approval" }>;

async function requestFor(uri: vscode.Uri): Promise<ReadRequest | undefined> {
  const path = placeName(uri);
  const exclusions = new Exclusions();
  const [shownPath, outside, exclusion, sensitive, faulty] = await Promise.all([
    placeNameWithTarget(uri),
    isOutside(uri),
    exclusions.exclusionOf(uri),
    isSensitiveFile(uri),
    exclusions.faultyPatternOf(uri),
  ]);
  const approval = (reason: ReadRequest["reason"], rule?: string): ReadRequest => ({
    type: "approval",
    reason,
    path: shownPath,
    ...(rule === undefined ? {} : { rule }),
  });
  if (outside) return approval("outside-workspace");
  if (exclusion === "chat.exclude") {
    throw new ToolError(`The user's setting inference.chat.exclude keeps ${path} out of the chat.`);
  }
  if (sensitive) return approval("sensitive-file");
  if (exclusion !== undefined)
    return approval("excluded-file", exclusion === "gitignore" ? ".gitignore" : exclusion);
  return faulty === undefined ? undefined : approval("faulty-pattern", faulty);
}
