import * as vscode from "vscode";
import { Exclusions } from "../files/exclusions.ts";
import { isOutside, realPlaceOf } from "../files/realPlaces.ts";
import { labelledFolders } from "../files/workspacePaths.ts";
import { defineTool, DeniedError, done, ToolError } from "./agentTool.ts";
import { findPlace, placeName, placeNameWithTarget } from "./toolPlaces.ts";

const maxEntries = 500;

export const listFolderTool = defineTool({
  name: "list_folder",
  description:
    "Lists the files and folders in a folder of the workspace; folders end in /. Returns at most 500 entries. Ignored files are left out.",
  parameters: {
    path: {
      type: "string",
      description: "Path relative to the workspace. Default: the workspace itself.",
      isOptional: true,
      aliases: ["folder", "directory", "dir"],
    },
    recursive: { type: "boolean", description: "Also lists what is in its folders.", isOptional: true },
  },
  run: async ({ path = ".", recursive = false }, { ask, signal }) => {
    const roots = await rootsOf(path);
    for (const { uri } of roots) {
      if (!(await isOutside(uri))) continue;
      const reply = await ask({
        type: "approval",
        reason: "outside-workspace",
        path: await placeNameWithTarget(uri),
      });
      if (reply.type !== "allow") throw new DeniedError(reply.type === "deny" ? reply.why : "");
    }
    const listing = new Listing(signal);
    // Rules may name the target of a link.
    for (const { uri, prefix } of roots)
      await listing.add({ uri: await realPlaceOf(uri), prefix }, recursive);
    const { entries, isCut } = listing;
    if (entries.length === 0) return done("The folder is empty, or all of it is ignored.", { count: 0 });
    const note = isCut ? ["(More entries are not shown. List a folder in it instead.)"] : [];
    return done([...entries, ...note].join("\n"), { count: entries.length, isCut });
  },
});

interface Root {
  readonly uri: vscode.Uri;
  /** In front of each entry. */
  readonly prefix: string;
}

async function rootsOf(path: string): Promise<readonly Root[]> {
  const isWorkspace = ["", ".", "./", "/"].includes(path);
  const folders = labelledFolders();
  if (isWorkspace && folders.length === 0) throw new ToolError("No folder is open in this workspace.");
  if (isWorkspace) return folders.map(({ folder, prefix }) => ({ uri: folder.uri, prefix }));
  const uri = await findPlace(path);
  return [{ uri, prefix: "" }];
}

/** Breadth first, so that a limit cuts the deepest entries. */
class Listing {
  readonly entries: string[] = [];
  isCut = false;
  readonly #signal: AbortSignal;
  readonly #exclusions = new Exclusions();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async add(root: Root, recursive: boolean): Promise<void> {
    const ahead = [root];
    for (let next = ahead.shift(); next !== undefined && !this.isCut; next = ahead.shift()) {
      this.#signal.throwIfAborted();
      const folders = await this.#addFolder(next);
      if (recursive) ahead.push(...folders);
    }
  }

  async #addFolder({ uri, prefix }: Root): Promise<readonly Root[]> {
    const folders: Root[] = [];
    for (const [name, type] of (await readFolder(uri)).toSorted(byName)) {
      const child = vscode.Uri.joinPath(uri, name);
      const isFolder = (type & vscode.FileType.Directory) !== 0;
      if ((await this.#exclusions.exclusionOfName(child, isFolder)) !== undefined) continue;
      if (this.entries.length === maxEntries) {
        this.isCut = true;
        return [];
      }
      this.entries.push(`${prefix}${name}${isFolder ? "/" : ""}`);
      // A link may lead back up.
      if (isFolder && (type & vscode.FileType.SymbolicLink) === 0) {
        folders.push({ uri: child, prefix: `${prefix}${name}/` });
      }
    }
    return folders;
  }
}

async function readFolder(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(uri);
  } catch {
    throw new ToolError(`There is no folder ${placeName(uri)} in this workspace.`);
  }
}

function byName([one]: [string, vscode.FileType], [other]: [string, vscode.FileType]): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
