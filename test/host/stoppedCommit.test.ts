import assert from "node:assert/strict";
import * as vscode from "vscode";
import { CommitMessages } from "../../src/editor/commit/commitMessages.ts";
import type { CommitRepository } from "../../src/editor/commit/commitBox.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";

const notAskedFor = (): Promise<never> => Promise.reject(new Error("must not be called here"));

describe("a commit message stopped while its changes are gathered", () => {
  const { getExtension } = vscode.extensions;
  const chat = withChat(withConnection({ name: "Committing" }));
  let repository: CommitRepository;
  let status: () => Promise<void>;
  const read = new vscode.EventEmitter<void>();
  let dialogues: ShownDialogues;
  let commits: CommitMessages;
  let running: boolean[];

  beforeEach(() => {
    repository = {
      rootUri: workspaceFolder().uri,
      status: () => status(),
      diffBetween: notAskedFor,
      getObjectDetails: notAskedFor,
      buffer: notAskedFor,
      log: async () => [],
      inputBox: { value: "" },
      state: { indexChanges: [], workingTreeChanges: [], mergeChanges: [], onDidChange: read.event },
    };
    const api = { getAPI: () => ({ repositories: [repository] }) };
    Object.assign(vscode.extensions, {
      getExtension: (id: string) => (id === "vscode.git" ? { activate: async () => api } : getExtension(id)),
    });
    running = [];
    commits = new CommitMessages(chat.talking, (isRunning) => running.push(isRunning));
    dialogues = new ShownDialogues(() => undefined);
  });
  afterEach(() => {
    dialogues.dispose();
    Object.assign(vscode.extensions, { getExtension });
  });

  const endings: readonly (readonly [string, (git: PromiseWithResolvers<void>) => void])[] = [
    ["finds nothing", ({ resolve }) => resolve()],
    ["fails", ({ reject }) => reject(new Error("not a git repository"))],
  ];
  for (const [ending, end] of endings) {
    it(`ends at once, and ignores git if it ${ending} afterwards`, async () => {
      const git = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      status = () => {
        asked.resolve();
        return git.promise;
      };
      const stopped = commits.generate(undefined);
      await asked.promise;
      commits.stop();
      await stopped;
      assert.deepEqual(running, [true, false]);
      status = async () => read.fire();
      end(git);
      // The command works again.
      await commits.generate(undefined);
      assert.deepEqual(running, [true, false, true, false]);
      assert.deepEqual(dialogues.messages, ["There are no changes to describe."]);
    });
  }
});
