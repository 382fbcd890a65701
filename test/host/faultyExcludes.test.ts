import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { Exclusions, isWithheld } from "../../src/editor/files/exclusions.ts";
import { FaultyExcludeNotices, showFaultyPattern } from "../../src/editor/files/faultyExcludes.ts";
import { excludeGlob } from "../../src/editor/files/fileIndex.ts";
import { maySend, mayShow } from "../../src/editor/attachments/selectionContext.ts";
import { gatherUris } from "../../src/editor/attachments/uriContext.ts";
import { readSmallFile } from "../../src/editor/prompts/smallFile.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

describe("an exclude pattern that cannot be read", () => {
  const pattern = "faulty/{notes,plans";
  let meant: vscode.Uri;
  let other: vscode.Uri;

  before(async () => {
    const folder = workspaceFolder();
    meant = vscode.Uri.joinPath(folder.uri, "faulty", "notes.md");
    other = vscode.Uri.joinPath(folder.uri, "summary.ts");
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(meant, ".."));
    await writeFile(meant.fsPath, "words of a faulty pattern\n");
    await exclude({ [pattern]: true, "**/*.none": true });
  });
  after(async () => {
    await exclude(undefined);
    await rm(path.dirname(meant.fsPath), { recursive: true });
  });

  it("may match files whose path begins like the pattern, and no others", async () => {
    const exclusions = new Exclusions();
    assert.equal(await exclusions.exclusionOf(meant), undefined);
    assert.equal(await exclusions.faultyPatternOf(meant), pattern);
    assert.equal(await exclusions.faultyPatternOf(other), undefined);
  });

  it("asks before attaching a file that it may match", async () => {
    for (const [answer, names] of [
      [undefined, ["summary.ts"]],
      ["Attach", ["notes.md", "summary.ts"]],
    ] as const) {
      const dialogues = new ShownDialogues(() => answer);
      try {
        const { attachments } = await gatherUris([meant, other]);
        assert.deepEqual(
          attachments.map(({ name }) => name),
          names,
        );
        assert.match(
          dialogues.messages.join(),
          /notes\.md' might match the exclude pattern 'faulty\/\{notes,plans'/,
        );
        assert.equal(await mayShow(meant), answer === "Attach");
        assert.equal(dialogues.all.length, 2);
      } finally {
        dialogues.dispose();
      }
    }
  });

  it("asks before text of a file that it may match is sent at once", async () => {
    for (const answer of [undefined, "Send"]) {
      const dialogues = new ShownDialogues(() => answer);
      try {
        assert.equal(await maySend(meant), answer === "Send");
        assert.deepEqual(
          dialogues.all.map(({ message, detail }) => [message.replace(/^.*(?=' might)/, ""), detail]),
          [
            [
              "' might match the exclude pattern 'faulty/{notes,plans', which can't be read. Send text of this file?",
              "The text is sent to the service with this request.",
            ],
          ],
        );
      } finally {
        dialogues.dispose();
      }
    }
  });

  it("asks once for all files of a folder, and leaves them out of its tree if the user declines", async () => {
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items });
    const folder = vscode.Uri.joinPath(meant, "..");
    try {
      for (const [answer, count] of [
        [undefined, 0],
        ["Attach", 2],
      ] as const) {
        const dialogues = new ShownDialogues(() => answer);
        try {
          const { attachments } = await gatherUris([folder]);
          assert.deepEqual([attachments.length, dialogues.all.length], [count, 1]);
        } finally {
          dialogues.dispose();
        }
      }
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
  });

  it("withholds files that it may match if no user is asked", async () => {
    assert.equal(await isWithheld(meant, new Exclusions()), true);
    const read = await readSmallFile(meant);
    assert.ok(read.kind === "problem" && read.sentence.includes(pattern));
  });

  it("does not affect other patterns of a search", () => {
    assert.ok(excludeGlob(other)?.includes("**/*.none"));
    assert.ok(!excludeGlob(other)?.includes(pattern));
  });

  it("is reported once", async () => {
    const told: string[] = [];
    const notices = new FaultyExcludeNotices(
      async (setting, faulty) => void told.push(`${setting} ${faulty}`),
    );
    try {
      const changed = new Promise<void>((resolve) => {
        const listening = vscode.workspace.onDidChangeConfiguration(() => {
          listening.dispose();
          resolve();
        });
      });
      await exclude({ [pattern]: true, "other/{a": true });
      await changed;
      assert.deepEqual(told, [`inference.chat.exclude ${pattern}`, "inference.chat.exclude other/{a"]);
    } finally {
      notices.dispose();
    }
  });

  it("is quoted in its notice, which opens the setting", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await showFaultyPattern("inference.chat.exclude", pattern);
      const [told] = dialogues.all;
      assert.ok(
        told?.message.includes(`'${pattern}' in inference.chat.exclude can't be read`),
        told?.message,
      );
      assert.deepEqual(told?.buttons, ["Open Settings"]);
    } finally {
      dialogues.dispose();
    }
  });
});

function exclude(patterns: object | undefined): Thenable<void> {
  return writeSetting("inference.chat.exclude", patterns);
}
