import * as vscode from "vscode";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import { Exclusions } from "../files/exclusions.ts";
import { fileOf, openNotebookOf } from "../shared/notebooks.ts";
import { findFile } from "../shared/readTextFile.ts";
import { exclusionText, gatherFiles, unreadText } from "./fileContext.ts";
import { attached, type Gathered, nothing, refused, together, tooMuchText } from "./gathered.ts";
import { nameOf, placeOf, shownPath } from "../files/workspacePaths.ts";
import { withDelayedProgress } from "../shared/delayedProgress.ts";
import { confirmFaultyPattern, confirmOutsideFiles } from "./consent.ts";
import { isOutside } from "../files/realPlaces.ts";
import { createTextAttachment } from "./textAttachment.ts";

/** Gathers files directly, and folders as a tree plus the files that the user selects from it. A cell means its notebook. */
export async function gatherUris(given: readonly vscode.Uri[]): Promise<Gathered> {
  const uris = given.map(fileOf);
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

/** Undefined if nothing exists at the URI. An open notebook may not be saved yet. */
async function kindOf(uri: vscode.Uri): Promise<"file" | "folder" | undefined> {
  if (openNotebookOf(uri) !== undefined) return "file";
  const found = await findFile(uri);
  if (found === undefined) return undefined;
  return found.isFolder ? "folder" : "file";
}

const maxEntries = 1000;
const maxDepth = 20;
const maxFiles = 49;

interface Entry {
  readonly uri: vscode.Uri;
  readonly depth: number;
  readonly isFolder: boolean;
}

interface Tree {
  readonly entries: readonly Entry[];
  /** Whether entries were left out. */
  readonly isCut: boolean;
}

/** Gathers a folder as a tree, plus the contents of the files that the user selects. */
async function gatherFolder(folder: vscode.Uri, exclusions: Exclusions): Promise<Gathered> {
  const name = nameOf(folder);
  const exclusion = await exclusions.exclusionOf(folder, true);
  if (exclusion !== undefined) return refused(exclusionText(name, exclusion));
  const isFromOutside = await isOutside(folder);
  if (isFromOutside && !(await confirmOutsideFiles([name]))) return nothing;
  const listed = await withDelayedProgress(vscode.l10n.t("Reading {0}", name), (signal) =>
    listFolder(folder, exclusions, signal),
  );
  if (listed === undefined) return nothing;
  const tree = await confirmFaultyEntries(listed, exclusions);
  if (tree.entries.length === 0) {
    return refused(vscode.l10n.t("'{0}' contains nothing that can be attached.", name));
  }
  const chosen = await chooseFiles(name, tree);
  if (chosen === undefined) return nothing;
  const place = placeOf(folder);
  const folderTree = createTextAttachment({
    kind: "folder",
    name,
    text: treeText(name, tree),
    place,
    detail: `${shownPath(folder)}/`,
  });
  const files = chosen.slice(0, maxFiles);
  const left = chosen.length - files.length;
  const gathered = [
    attached(folderTree),
    ...(await gatherFiles(files, exclusions, { outside: isFromOutside, faulty: true })),
  ];
  if (left === 1)
    gathered.push(
      refused(
        vscode.l10n.t(
          "1 selected file in '{0}' was not attached because a question can have up to 50 attachments.",
          name,
        ),
      ),
    );
  if (left > 1)
    gathered.push(
      refused(
        vscode.l10n.t(
          "{0} selected files in '{1}' were not attached because a question can have up to 50 attachments.",
          left,
          name,
        ),
      ),
    );
  return together(gathered);
}

/** Lists a folder depth-first without excluded entries. Subfolders come before files. */
async function listFolder(folder: vscode.Uri, exclusions: Exclusions, signal: AbortSignal): Promise<Tree> {
  const entries: Entry[] = [];
  let isCut = false;
  const visit = async (parent: vscode.Uri, depth: number): Promise<void> => {
    for (const [name, type] of await readSorted(parent)) {
      if (signal.aborted) return;
      const uri = vscode.Uri.joinPath(parent, name);
      const isFolder = type === vscode.FileType.Directory;
      if (name === ".git" || (await exclusions.exclusionOfName(uri, isFolder)) !== undefined) continue;
      isCut ||= entries.length >= maxEntries || depth > maxDepth;
      if (isCut) return;
      entries.push({ uri, depth, isFolder });
      if (isFolder) await visit(uri, depth + 1);
    }
  };
  await visit(folder, 0);
  return { entries, isCut };
}

/**
 * Asks about entries that an unreadable exclude pattern might match. Without consent, returns the tree without them.
 */
async function confirmFaultyEntries(tree: Tree, exclusions: Exclusions): Promise<Tree> {
  const patterns = tree.entries.map(({ uri }) => exclusions.faultyPatternOfName(uri));
  const pattern = patterns.find((each) => each !== undefined);
  if (pattern === undefined) return tree;
  const isFaulty = (_: Entry, index: number): boolean => patterns[index] !== undefined;
  const files = tree.entries.filter(isFaulty).filter(({ isFolder }) => !isFolder);
  const paths = (files.length === 0 ? tree.entries.filter(isFaulty) : files).map(({ uri }) => shownPath(uri));
  if (await confirmFaultyPattern(paths, pattern)) return tree;
  return { ...tree, entries: tree.entries.filter((_, index) => patterns[index] === undefined) };
}

async function readSorted(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries.sort(
      ([left, leftType], [right, rightType]) =>
        Number(rightType === vscode.FileType.Directory) - Number(leftType === vscode.FileType.Directory) ||
        left.localeCompare(right),
    );
  } catch {
    return [];
  }
}

function treeText(name: string, { entries, isCut }: Tree): string {
  const lines = entries.map(
    ({ uri, depth, isFolder }) => `${"  ".repeat(depth + 1)}${nameOf(uri)}${isFolder ? "/" : ""}`,
  );
  return [`${name}/`, ...lines, ...(isCut ? ["  [more entries left out]"] : []), ""].join("\n");
}

interface EntryItem extends vscode.QuickPickItem {
  readonly entry: Entry;
}

/** Lets the user select files to attach with the tree, possibly none. Undefined on Escape. */
async function chooseFiles(name: string, { entries }: Tree): Promise<readonly vscode.Uri[] | undefined> {
  const items = entries.map((entry): EntryItem => ({
    // Indent with em spaces, because VS Code trims ordinary leading spaces.
    label: `${"\u2003".repeat(entry.depth)}$(${entry.isFolder ? "folder" : "file"}) ${nameOf(entry.uri)}`,
    entry,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: vscode.l10n.t("Attach the folder '{0}'", name),
    placeHolder: vscode.l10n.t("The folder tree will be attached. Select files to attach their text too."),
  });
  if (picked === undefined) return undefined;
  const chosen = picked.map(({ entry }) => entry);
  const folders = chosen.filter(({ isFolder }) => isFolder).map(({ uri }) => `${uri.path}/`);
  return entries
    .filter(({ isFolder }) => !isFolder)
    .filter((entry) => chosen.includes(entry) || folders.some((path) => entry.uri.path.startsWith(path)))
    .map(({ uri }) => uri);
}
