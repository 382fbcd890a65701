import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CommitRepository } from "../../src/editor/commit/commitRepository.ts";
import { gatherCommit } from "../../src/editor/commit/gatherCommit.ts";
import { gatherDiff } from "../../src/editor/context/gitContext.ts";

const usual = "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n";
/** As a program that the user has set for diffs may write. */
const foreign = "private/notes.md --- Text\nan old secret  a new secret\n";

describe("diffs that git has another program write", () => {
  const { getExtension } = vscode.extensions;
  let root: vscode.Uri;
  let diff: string;

  const repository = (): CommitRepository => ({
    rootUri: root,
    diff: async () => diff,
    diffBetween: (): Promise<never> => Promise.reject(new Error("not asked for here")),
    log: async () => [],
    inputBox: { value: "" },
    state: { workingTreeChanges: [] },
  });

  before(() => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri;
    const api = { getAPI: () => ({ repositories: [repository()] }) };
    Object.assign(vscode.extensions, {
      getExtension: (id: string) => (id === "vscode.git" ? { activate: async () => api } : getExtension(id)),
    });
  });
  after(() => Object.assign(vscode.extensions, { getExtension }));

  it("are attached without what may be of any file, which is said", async () => {
    diff = usual + foreign;
    const { attachments, refusals } = await gatherDiff("staged");
    const [{ content } = assert.fail()] = attachments;
    assert.equal(content?.type === "text" ? content.text : "", usual);
    assert.equal(refusals.length, 1);
  });

  it("are not attached where nothing of them is git's own", async () => {
    diff = foreign;
    const { attachments, refusals } = await gatherDiff("unstaged");
    assert.deepEqual([attachments.length, refusals.length], [0, 2]);
  });

  it("are no part of what a commit message is written from", async () => {
    diff = `${foreign}\u001B[1m${usual.replaceAll("\n", "\u001B[m\n\u001B[1m")}`;
    const gathered = await gatherCommit(repository(), { maxTokens: 1000, charactersPerToken: 4 });
    assert.equal(gathered?.diff.text, usual);
    assert.equal(gathered?.withheld, 1);
    assert.equal(gathered?.withheldPaths.length, 1);
  });
});
