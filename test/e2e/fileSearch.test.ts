import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { writeSampleFiles } from "../bench/sampleFiles.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_FILES_KEY";
const key = fakeKey("files-71ac");
const fileCount = 5000;

describe("files behind # in a large workspace, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.chat.exclude": { "**/kept-back": true },
        "search.exclude": { "**/unsearched": true },
        "files.exclude": { "**/hidden-*": true, "**/*.js": { when: "$(basename).ts" } },
      },
      environment: { [keyVariable]: key },
      prepareWorkspace: async (folder) => {
        await writeSampleFiles(path.join(folder, "many"), fileCount);
        await writeFiles(folder, [
          "lantern-open.md",
          "deep/below/lantern-made.ts",
          "deep/below/lantern-made.js",
          "deep/below/lantern-ignored.log",
          "kept-back/lantern-kept.md",
          "unsearched/lantern-unsearched.md",
          "hidden-lantern.md",
        ]);
        await writeFile(path.join(folder, "deep", ".gitignore"), "*.log\n");
        await writeFiles(path.join(folder, "..", "second"), ["lantern-second.md", "other/lantern-open.md"]);
        await writeFile(
          path.join(folder, "..", "both.code-workspace"),
          JSON.stringify({ folders: [{ path: path.basename(folder), name: "first" }, { path: "second" }] }),
        );
      },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** What is offered for this. Key by key, what was offered for the text of before could be read. */
  async function offered(typed: string): Promise<readonly string[]> {
    const { chat } = partsOf(editor);
    await chat.composer.fill("");
    await chat.composer.fill(typed);
    await chat.offer(/^lantern-made\.ts/).waitFor();
    const labels = await chat.offer(/./).locator(".offer-label").allInnerTexts();
    // Letters in their order are in the paths of others too.
    return labels.filter((label) => label.includes("lantern")).toSorted();
  }

  it("lists an open file ahead of others, and nothing that is kept out", async () => {
    const { chat } = partsOf(editor);
    await editor.workbench.openFile("lantern-open.md");
    await chat.open();
    await chat.composer.pressSequentially("#");
    const labels = chat.offer(/./).locator(".offer-label");
    await chat.offer(/^lantern-open\.md/).waitFor();
    const first = (await labels.allInnerTexts()).find((label) => /\.\w+$/.test(label));
    assert.equal(first, "lantern-open.md");
    assert.deepEqual(await offered("#lantern"), ["lantern-made.ts", "lantern-open.md"]);
  });

  it("finds by letters in their order, and what was made since", async () => {
    assert.deepEqual(await offered("#lntrnmdts"), ["lantern-made.ts"]);
    await writeFiles(editor.workspace, ["deep/lantern-new.md"]);
    await retype("#lantern-new", /^lantern-new\.md/);
  });

  it("searches each folder of a workspace with several", async () => {
    await editor.workbench.openFolder(path.join(editor.workspace, "..", "both.code-workspace"));
    await partsOf(editor).chat.open();
    await retype("#lantern-second", /^lantern-second\.md/);
    assert.deepEqual(await offered("#lantern"), [
      "lantern-made.ts",
      "lantern-new.md",
      "lantern-open.md",
      "lantern-open.md",
      "lantern-second.md",
    ]);
  });

  /** The editor hears of new files after a while; whoever types on sees them then. */
  async function retype(typed: string, wanted: RegExp): Promise<void> {
    const { chat } = partsOf(editor);
    const found = chat.offer(wanted);
    for (let left = 0; (await found.count()) === 0; left = 1 - left) {
      await chat.composer.fill(typed.slice(0, typed.length - left));
      await found.waitFor({ timeout: 500 }).catch(() => undefined);
    }
  }
});

async function writeFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, "A line.\n");
  }
}
