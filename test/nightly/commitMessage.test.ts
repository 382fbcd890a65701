import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { SourceControl } from "../support/workbench/sourceControl.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { git } from "../support/inPlaceRepository.ts";
import { assertNoLeaks } from "../support/leaks.ts";

const canary = fakeKey("commit-2e90");
const message = "readings: add the station by the lake\n\nIt was asked for by the people who live there.";
/** The message as the wrapping input box shows it. */
const shownMessage = message.replaceAll(/\s+/g, " ");
const generate = "Generate Commit Message (Billable Request)";
const stop = "Stop Generating Commit Message";

/** Creates a repository with a staged file. */
async function prepareRepository(folder: string, line: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await git(folder, "init", "--quiet", "--initial-branch=main");
  await writeFile(path.join(folder, "changed.txt"), `${line}\n`);
  await git(folder, "add", "changed.txt");
}

describe("commit messages, in a real editor", () => {
  const asks: Ask[] = [];
  let answer = message;
  const { service, editor } = withConnectedEditor({
    key: canary,
    service: { onAsk: (ask) => asks.push(ask), answers: () => answer, pace: 60 },
    recordMessages: true,
    settings: { "scm.inputMaxLineCount": 20 },
    // Tall enough to show the lists of both repositories.
    viewport: { width: 1280, height: 1200 },
    prepareWorkspace: async (folder) => {
      await prepareRepository(folder, "a line of the outer one");
      await prepareRepository(path.join(folder, "inner"), "a line of the inner one");
    },
  });

  it("fill the box of the repository whose button is pressed, can be stopped, and are undone in one step", async () => {
    const { page } = editor.workbench;
    const scm = new SourceControl(page);
    await scm.open();
    await scm.box(1).waitFor();
    await scm.press(generate, "inner");
    // VS Code decides which box belongs to the inner repository.
    const [inner, outer] = await Promise.any([
      scm.waitForMessage(/who live there/, 0).then(() => [0, 1] as const),
      scm.waitForMessage(/who live there/, 1).then(() => [1, 0] as const),
    ]);
    await scm.waitForButton(generate, "inner");
    assert.equal(await scm.message(inner), shownMessage);
    assert.equal(await scm.message(outer), "");
    await editor.workbench.screenshot("commit message of the inner repository");
    const asked = asks[0]?.messages.at(-1)?.text ?? "";
    assert.match(asked, /a line of the inner one/);
    assert.doesNotMatch(asked, /outer/);

    await scm.focus(inner);
    await page.keyboard.press("Control+Z");
    await scm.waitForMessage(/^$/, inner);
    await page.keyboard.press("Control+Shift+Z");
    await scm.waitForMessage(/who live there\.$/, inner);

    answer = `readings: a long one\n\n${"and then another sentence of it ".repeat(100)}`;
    await scm.press(generate, "inner");
    await scm.waitForMessage(/readings: a long one\s+and then/, inner);
    await scm.press(stop, "inner");
    await scm.waitForButton(generate, "inner");
    await service.journal.next(({ state }) => state === "aborted", soon());
    const kept = await scm.message(inner);
    assert.match(kept, /^readings: a long one and then/);
    assert.ok(kept.length < answer.length / 2, kept);
    await assertNoLeaks(editor, [canary], { after: "after commit messages" });
  });
});
