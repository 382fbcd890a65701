import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import * as vscode from "vscode";
import { isOverWithin } from "../../src/editor/shared/abort.ts";
import type { SpokenPage } from "./spokenPage.ts";
import { withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const settings: Readonly<Record<string, object>> = {
  "inference.chat.exclude": { "**/kept-back": true },
  "search.exclude": { "**/unsearched": true },
  "files.exclude": { "**/hidden-*": true, "**/*.js": { when: "$(basename).ts" } },
};

describe("the files offered for #", () => {
  const test = withChat(withConnection());
  let root: string;
  let page: SpokenPage;
  let searchId = 0;

  before(async () => {
    root = path.join(workspaceFolder().uri.fsPath, "lanterns");
    const names = [
      "lantern-open.md",
      "deep/lantern-made.ts",
      "deep/lantern-made.js",
      "deep/lantern-ignored.log",
      "kept-back/lantern-kept.md",
      "unsearched/lantern-unsearched.md",
      "hidden-lantern.md",
    ];
    for (const name of names) await write(name, "A line.\n");
    await write("deep/.gitignore", "*.log\n");
    for (const [name, value] of Object.entries(settings)) await writeSetting(name, value);
  });
  beforeEach(() => {
    page = test.openPage();
  });
  after(async () => {
    for (const name of Object.keys(settings)) await writeSetting(name, undefined);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(root, { recursive: true });
  });

  async function write(name: string, text: string): Promise<void> {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** The offers for this text when all files are listed. */
  async function offered(typed: string): Promise<readonly string[]> {
    searchId += 1;
    const own = searchId;
    const whole = page.next(
      "context-offers",
      (offers) => offers.searchId === own && offers.isPartial !== true,
    );
    page.say({ type: "context", request: { type: "find", searchId: own, typed } });
    return (await whole).offers.map(({ label }) => label);
  }

  it("are the files that no rule excludes, with an open file first", async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(root, "lantern-open.md")));
    const first = (await offered("")).find((label) => /\.\w+$/.test(label));
    assert.equal(first, "lantern-open.md");
    const found = (await offered("lantern")).filter((label) => label.includes("lantern"));
    assert.deepEqual(found.toSorted(), ["lantern-made.ts", "lantern-open.md"]);
    assert.equal((await offered("lntrnmdts"))[0], "lantern-made.ts");
  });

  it("include files that were created after the previous search", async () => {
    await offered("lantern");
    const told = new Promise<vscode.Disposable>((resolve) => {
      const watcher = vscode.workspace.createFileSystemWatcher("**/lantern-new.md");
      watcher.onDidCreate(() => resolve(watcher));
      // VS Code joins a deletion and a creation that come at once into one change.
      watcher.onDidChange(() => resolve(watcher));
    });
    await write("deep/lantern-new.md", "A line.\n");
    // VS Code watches only some time after a watcher is created, so the first file may have come too early.
    while (!(await isOverWithin(told, 500))) {
      await rm(path.join(root, "deep/lantern-new.md"));
      await write("deep/lantern-new.md", "A line.\n");
    }
    (await told).dispose();
    // Files are listed again at most every two seconds.
    while (!(await offered("lantern-new")).includes("lantern-new.md")) await setImmediate();
  });
});
