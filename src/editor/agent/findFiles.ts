import * as vscode from "vscode";
import { compileGlob } from "../../files/globPattern.ts";
import { Exclusions } from "../files/exclusions.ts";
import { excludeGlob } from "../files/fileIndex.ts";
import { isOutside, realPlaceOf } from "../files/realPlaces.ts";
import { labelledFolders, nameOf, pathsInWorkspace } from "../files/workspacePaths.ts";
import { toCancellationToken } from "../shared/cancellationToken.ts";
import { defineTool, done, ToolError } from "./agentTool.ts";

const maxResults = 200;
/** Files in a workspace folder that are looked at for one call. Ignored files are among them. */
const usualMaxFound = 20_000;

export const findFilesTool = defineTool({
  name: "find_files",
  description:
    "Finds files of the workspace by a glob pattern, such as **/*.test.ts. Returns at most 200 paths.",
  parameters: {
    pattern: {
      type: "string",
      description: "Glob relative to the workspace. A pattern without a slash matches in all folders.",
      aliases: ["glob", "query"],
    },
    maxResults: {
      type: "integer",
      description: `Most paths to return, ${maxResults} at most.`,
      isOptional: true,
      aliases: ["max_results", "limit"],
    },
  },
  run: async ({ pattern, maxResults: wanted = maxResults }, { signal }) => {
    const limit = Math.min(Math.max(wanted, 1), maxResults);
    const found = await findReadable(pattern, signal);
    const paths = pathsInWorkspace(found.files).toSorted();
    const left = paths.length - limit;
    const lines = [
      ...(paths.length === 0 ? [`No file matches ${pattern}.`] : paths.slice(0, limit)),
      ...(left > 0 ? [`(${left} more are not shown. Use a narrower pattern.)`] : []),
      ...(found.isCut ? [tooManyFilesNote] : []),
    ];
    return done(lines.join("\n"), {
      count: Math.min(paths.length, limit),
      isCut: left > 0 || found.isCut,
    });
  },
});

export const tooManyFilesNote =
  "(The workspace has too many files: not all were looked at. Use a narrower pattern.)";

interface FoundFiles {
  readonly files: readonly vscode.Uri[];
  /** A folder has more files than the maximum. */
  readonly isCut: boolean;
}

/**
 * Finds the files of a glob in the workspace. Leaves out those that a rule keeps out of the chat by their names.
 *
 * @throws ToolError for a glob that cannot be read
 */
export async function findReadable(
  pattern: string,
  signal: AbortSignal,
  maxFound = usualMaxFound,
): Promise<FoundFiles> {
  const glob = pattern.includes("/") ? pattern.replace(/^\.?\//u, "") : `**/${pattern}`;
  if (compileGlob(glob) === undefined) throw new ToolError(`The pattern ${pattern} is not a valid glob.`);
  const exclusions = new Exclusions();
  const { token, dispose } = toCancellationToken(signal);
  try {
    const inFolders = await Promise.all(
      labelledFolders().map(({ folder, prefix }) =>
        vscode.workspace.findFiles(
          new vscode.RelativePattern(folder, withoutPrefix(glob, prefix)),
          excludeGlob(folder.uri),
          maxFound,
          token,
        ),
      ),
    );
    // A file of a workspace folder in another one is found twice.
    const all = [...new Map(inFolders.flat().map((uri) => [uri.toString(), uri])).values()];
    const targets = new LinkedFolders(exclusions);
    const areKeptOut = await Promise.all(
      all.map(async (uri) => (await exclusions.exclusionOfName(uri)) !== undefined || targets.keepsOut(uri)),
    );
    return {
      files: all.filter((_, index) => areKeptOut[index] === false),
      isCut: inFolders.some(({ length }) => length === maxFound),
    };
  } finally {
    dispose();
  }
}

/** VS Code follows links to folders. The names behind a link may be outside the workspace, or excluded. */
class LinkedFolders {
  readonly #exclusions: Exclusions;
  readonly #real = new Map<string, Promise<vscode.Uri | undefined>>();

  constructor(exclusions: Exclusions) {
    this.#exclusions = exclusions;
  }

  async keepsOut(uri: vscode.Uri): Promise<boolean> {
    const folder = vscode.Uri.joinPath(uri, "..");
    const known = this.#real.get(folder.path) ?? realFolder(folder);
    this.#real.set(folder.path, known);
    const real = await known;
    if (real?.path === folder.path) return false;
    return (
      real === undefined ||
      (await this.#exclusions.exclusionOfName(vscode.Uri.joinPath(real, nameOf(uri)))) !== undefined
    );
  }
}

/** Undefined outside the workspace. */
async function realFolder(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  return (await isOutside(folder)) ? undefined : realPlaceOf(folder);
}

/** In a workspace of several folders a path begins with the folder's name. */
function withoutPrefix(glob: string, prefix: string): string {
  return prefix !== "" && glob.startsWith(prefix) ? glob.slice(prefix.length) : glob;
}
