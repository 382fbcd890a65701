import * as vscode from "vscode";
import { stagedStates, unstagedStates } from "../../chat/commit/gitChange.ts";
import {
  partChanges,
  readDiffs,
  refreshState,
  rulesOf,
  stagedChanges,
  unstagedChanges,
  untrackedPaths,
} from "../attachments/gitChanges.ts";
import { findRepositories, type GitRepository } from "../files/gitRepositories.ts";
import { placesIn } from "../files/realPlaces.ts";
import { shownPath } from "../files/workspacePaths.ts";
import type { AgentServices } from "./agentServices.ts";
import { type AgentRun, defineTool, done, ToolError } from "./agentTool.ts";
import { readFreshText } from "./writeDocument.ts";

/** UTF-16 code units of the diffs. */
const maxLength = 20_000;
/** Files that are only named. */
const maxListed = 200;

export const getChangesTool = defineTool({
  name: "get_changes",
  description:
    "Returns the diff of the changes that are not committed: those that are not staged, or those that are. Lists new files by name.",
  parameters: {
    staged: {
      type: "boolean",
      description: "True for the staged changes. Default: false.",
      isOptional: true,
    },
  },
  run: async ({ staged = false }, run) => {
    const repositories = await findRepositories();
    if (repositories === undefined) throw new ToolError("The Git extension of VS Code is not available.");
    if (repositories.length === 0) throw new ToolError("This workspace is not a Git repository.");
    const parts: string[] = [];
    let count = 0;
    for (const repository of repositories) {
      const changes = await readChanges(repository, staged, maxLength - parts.join("").length, run);
      count += changes.count;
      if (changes.count > 0 && repositories.length > 1)
        parts.push(`Repository ${shownPath(repository.rootUri)}:\n`);
      parts.push(changes.text);
    }
    const text = parts.join("");
    const nothing = staged ? "Nothing is staged." : "There are no changes that are not staged.";
    return done(text === "" ? nothing : text, { count });
  },
});

interface Changes {
  readonly text: string;
  /** Files with changes that may be read. */
  readonly count: number;
}

async function readChanges(
  repository: GitRepository,
  staged: boolean,
  room: number,
  { signal, chatId, services }: AgentRun,
): Promise<Changes> {
  await refreshState(repository);
  const rules = await rulesOf(repository);
  const placeOf = await placesIn(repository.rootUri);
  const isKeptOut = async (path: string): Promise<boolean> =>
    // The repository may begin above the workspace.
    vscode.workspace.getWorkspaceFolder(placeOf(path)) === undefined ||
    (await rules.isExcluded(path)) ||
    (await rules.isSensitive(path)) ||
    (await rules.faultyPatternOf(path)) !== undefined;
  const all = staged ? stagedChanges(repository) : unstagedChanges(repository);
  const { rest } = await partChanges(all, isKeptOut);
  let text = "";
  let shown = 0;
  for await (const diff of readDiffs(repository, rest, staged ? stagedStates : unstagedStates, signal)) {
    if (text.length + diff.text.length > room) break;
    text += diff.text;
    shown += 1;
    const path = staged ? undefined : diff.paths.at(-1);
    if (path !== undefined && diff.withoutLines === undefined)
      await noteRead(placeOf(path), chatId, services);
  }
  const left = rest.slice(shown).map(({ path }) => path);
  if (left.length > 0) text += `(Changed too, but not shown because of their size: ${listed(left)})\n`;
  const added = staged ? [] : await readable(untrackedPaths(repository), isKeptOut);
  if (added.length > 0) text += `New files that Git does not track: ${listed(added)}\n`;
  return { text, count: rest.length + added.length };
}

/** A file whose changes were shown may be edited. */
async function noteRead(uri: vscode.Uri, chatId: string, { readTexts }: AgentServices): Promise<void> {
  const decoded = await readFreshText(uri).catch(() => undefined);
  if (decoded?.kind === "text") await readTexts.note(chatId, uri, decoded.text);
}

function listed(paths: readonly string[]): string {
  const left = paths.length - maxListed;
  return [...paths.slice(0, maxListed), ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}

async function readable(
  paths: readonly string[],
  isKeptOut: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const areKeptOut = await Promise.all(paths.map(isKeptOut));
  return paths.filter((_, index) => areKeptOut[index] === false);
}
