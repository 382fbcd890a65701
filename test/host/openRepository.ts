import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CommitRepository } from "../../src/editor/commit/commitBox.ts";

interface GitExtension {
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<CommitRepository | null> };
}

// Some tests replace this function.
const { getExtension } = vscode.extensions;

/** Opens a repository on disk with VS Code's Git extension. */
export async function openRepository(folder: string): Promise<CommitRepository> {
  const git = await getExtension<GitExtension>("vscode.git")?.activate();
  return (await git?.getAPI(1).openRepository(vscode.Uri.file(folder))) ?? assert.fail("It was not opened.");
}
