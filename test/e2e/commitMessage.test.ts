import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { SourceControl } from "../support/workbench/sourceControl.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { TestRepository } from "./commitWorkspace.ts";
import { assertNoLeaksElsewhere } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_COMMIT_KEY";
const canary = fakeKey("commit-2e90");
const message = "readings: add the station by the lake\n\nIt was asked for by the people who live there.";
/** As the box shows it, where lines wrap. */
const shownMessage = message.replaceAll(/\s+/g, " ");
const generate = "Generate Commit Message (Billable Request)";
const stop = "Stop Commit Message";

describe("commit messages, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let repository: TestRepository;
  let scm: SourceControl;
  let answer = message;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ onAsk: (ask) => asks.push(ask), answers: () => answer });
    service.keys.add({}, canary);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.chat.exclude": { "**/secrets": true },
        "git.openRepositoryInParentFolders": "never",
        "scm.inputMaxLineCount": 20,
      },
      environment: { [keyVariable]: canary },
      prepareWorkspace: async (folder) => {
        repository = new TestRepository(folder);
        await repository.begin();
        await repository.write("readings.csv", "lake-station,4.5\n");
        await repository.git("add", "readings.csv");
        await repository.write("convert.py", "# an unstaged line\n");
      },
    });
    scm = new SourceControl(editor.workbench.page);
    await scm.open();
  });
  beforeEach(() => {
    service.pace = 0;
    answer = message;
    asks.length = 0;
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  /** What the service was asked last. */
  function asked(): string {
    return asks.at(-1)?.messages.at(-1)?.text ?? "";
  }

  it("writes the message of the staged changes, in the style of the last commits and by the rules", async () => {
    const before = await repository.commits();
    await scm.press(generate);
    assert.equal(await scm.waitForMessage(/who live there/), shownMessage);
    await editor.workbench.screenshot("commit message written");
    const text = asked();
    for (const subject of [
      "readings: note the frost",
      "summary: count the nights",
      "readings: tidy the columns",
    ])
      assert.ok(text.includes(subject), text);
    assert.match(text, /Follow the style of the last commits/);
    assert.match(text, /Name the station first\./);
    assert.doesNotMatch(text, /Run them all|Use tabs/);
    assert.match(text, /\+lake-station,4\.5/);
    assert.doesNotMatch(text, /an unstaged line/);
    assert.equal(await repository.commits(), before, "nothing is committed");
  });

  it("replaces a message of its own, which the box's undo brings back", async () => {
    const { page } = partsOf(editor);
    answer = "readings: say it in other words";
    await scm.press(generate);
    assert.equal(await scm.waitForMessage(/in other words/), answer);
    await scm.focus();
    await page.keyboard.press("Control+Z");
    await scm.waitForMessage(/by the lake/);
  });

  it("replaces a message whose first character has a half in common with the next one's", async () => {
    await scm.fill("");
    for (const each of ["🐛 readings: mend a line", "📝 readings: write it down"]) {
      answer = each;
      await scm.press(generate);
      assert.equal(await scm.waitForMessage(new RegExp(`${each}$`)), each);
      await scm.waitForButton(generate);
    }
  });

  it("writes of the unstaged changes where none are staged, and names new files", async () => {
    await repository.git("reset", "--quiet");
    await repository.write("stations/new-station.txt", "nothing of this text is sent\n");
    await repository.write("id_rsa", "not even the name\n");
    await scm.fill("");
    // The editor hears of new files after a while, and shows them then.
    await scm.change("id_rsa").waitFor();
    await scm.change("new-station.txt").waitFor();
    await scm.press(generate);
    await scm.waitForMessage(/by the lake/);
    assert.match(asked(), /stations\/new-station\.txt: new file/);
    assert.match(asked(), /unstaged changes/);
    assert.match(asked(), /\+# an unstaged line/);
    assert.doesNotMatch(asked(), /nothing of this text|id_rsa/);
    assert.match(asked(), /1 more, kept out/);
    const { notifications } = partsOf(editor);
    assert.match(await notifications.message("without all of the changes"), /id_rsa/);
  });

  it("is taken back by one undo however long it took to arrive", async () => {
    const { page } = partsOf(editor);
    await scm.fill("");
    answer = `readings: a paced one\n\n${"with words that come one by one ".repeat(3)}at last`;
    service.pace = 60;
    await scm.press(generate);
    await scm.waitForMessage(/readings: a paced one with words/);
    await scm.waitForButton(generate);
    await scm.waitForMessage(/at last$/);
    await scm.focus();
    await page.keyboard.press("Control+Z");
    await scm.waitForMessage(/^$/);
    await page.keyboard.press("Control+Shift+Z");
    await scm.waitForMessage(/at last$/);
  });

  it("says that the answer was withheld, and that it was cut at its limit", async () => {
    const { notifications } = partsOf(editor);
    await scm.fill("kept");
    service.failNext({
      status: 200,
      body: {
        choices: [
          { index: 0, message: { role: "assistant", content: null }, finish_reason: "content_filter" },
        ],
      },
    });
    await scm.press(generate);
    await notifications.message(/^Acme: /);
    assert.equal(await scm.message(), "kept");
    await notifications.clear();
    await editor.workbench.updateSettings({ "inference.maxTokens": 4 });
    answer = message;
    await scm.press(generate);
    await notifications.message("cut at the answer's token limit");
    await scm.waitForButton(generate);
    await editor.workbench.updateSettings({ "inference.maxTokens": 1024 });
  });

  it("says what is waited for, and asks before the cap of a day is passed", async () => {
    const { notifications, page, dialog } = partsOf(editor);
    await notifications.clear();
    await scm.fill("");
    service.failNext({
      status: 529,
      headers: { "retry-after": "50" },
      body: { error: { type: "overloaded_error" } },
    });
    await scm.press(generate);
    await page
      .locator(".part.statusbar")
      .getByText(/Trying again in \d+ seconds/)
      .waitFor();
    await scm.press(stop);
    await scm.waitForButton(generate);
    await editor.workbench.updateSettings({ "inference.chat.dailyTokenCap": 10 });
    asks.length = 0;
    await scm.press(generate);
    assert.match((await dialog.read()).message, /passes your cap of 10/);
    await dialog.press("Cancel");
    await scm.waitForButton(generate);
    assert.equal(asks.length, 0);
    await editor.workbench.updateSettings({ "inference.chat.dailyTokenCap": 0 });
  });

  it("stops by its button, and keeps what has arrived", async () => {
    await scm.fill("");
    answer = `readings: a long one\n\n${"and then another sentence of it ".repeat(100)}`;
    service.pace = 150;
    await scm.press(generate);
    await scm.waitForMessage(/readings: a long one\s+and then/);
    await editor.workbench.screenshot("commit message arriving");
    await scm.press(stop);
    await scm.waitForButton(generate);
    const kept = await scm.message();
    assert.match(kept, /^readings: a long one and then/);
    assert.ok(kept.length < answer.length / 2, kept);
    await service.journal.next(({ state }) => state === "aborted", soon());
    assert.equal(await scm.message(), kept);
  });

  it("leaves the box to whoever types meanwhile, and offers the message", async () => {
    const { page, notifications } = partsOf(editor);
    await scm.fill("");
    answer = `readings: a slow one\n\n${"with a body that takes its time ".repeat(6)}`;
    service.pace = 300;
    await scm.press(generate);
    await scm.waitForMessage(/readings: a slow one/);
    await scm.focus();
    await page.keyboard.type(" MINE");
    await scm.waitForButton(generate);
    // It stays where the pointer is.
    await notifications.toast("You changed the box").hover();
    const typed = await scm.message();
    assert.match(typed, / MINE$/);
    await editor.workbench.screenshot("commit message typed meanwhile");
    await notifications.press("You changed the box", "Insert Below");
    const whole = await scm.waitForMessage(/readings: a slow one[^]* MINE[^]*readings: a slow one/);
    assert.ok(whole.endsWith("takes its time"), whole);
  });

  it("puts the message below a text of the user's, and offers it alone or not at all", async () => {
    const { notifications } = partsOf(editor);
    await scm.fill("my own words");
    await scm.press(generate);
    const whole = await scm.waitForMessage(/who live there/);
    assert.equal(whole, `my own words ${shownMessage}`);
    await notifications.press("stands below", "Undo");
    await scm.waitForMessage(/^my own words$/);
    await scm.press(generate);
    await scm.waitForMessage(/who live there/);
    await notifications.press("stands below", "Use Message Alone");
    assert.equal(await scm.waitForMessage(/^readings: add/), shownMessage);
  });

  it("says why it failed with a remedy, and leaves the box as it was", async () => {
    const { notifications } = partsOf(editor);
    await scm.fill("before the failure");
    service.failNext({ status: 401 });
    await scm.press(generate);
    const buttons = await notifications.buttons(/^Acme: /);
    assert.ok(buttons.length > 0, buttons.join());
    await editor.workbench.screenshot("commit message failed");
    assert.equal(await scm.message(), "before the failure");
    await scm.waitForButton(generate);
  });

  it("cuts large changes by its rule, and tells the service and the user", async () => {
    const { notifications } = partsOf(editor);
    await scm.fill("");
    await repository.clean();
    await repository.write("large-one.txt", "a line of the first large file\n".repeat(3000));
    await repository.write("large-two.txt", "a line of the second large file\n".repeat(3000));
    await repository.write("readings.csv", "small-change,1\n");
    await repository.write("package-lock.json", '{ "lockfileVersion": 4 }\n');
    await repository.write("picture.bin", Uint8Array.of(1, 0, 3));
    await repository.write(".env", `PASSWORD=hunter2 ${canary}\n`);
    await repository.write("secrets/who.txt", "someone\n");
    await repository.write("keyed.txt", `the key ${canary}\n`);
    await repository.git("add", "--all", "--force");
    await scm.press(generate);
    await scm.waitForMessage(/who live there/);
    const text = asked();
    assert.ok(text.length < 50_000, `${text.length}`);
    assert.match(text, /\+small-change,1/);
    const first = text.split("first large file").length;
    const second = text.split("second large file").length;
    assert.ok(Math.abs(first - second) < 60 && first > 400, `${first} and ${second} lines`);
    assert.match(text, /\[\d+ characters left out\]/);
    assert.match(text, /package-lock\.json: lock file, \+1 -1 lines/);
    assert.match(text, /picture\.bin: binary file/);
    assert.doesNotMatch(text, /hunter2|\.env|secrets|someone/);
    assert.ok(!text.includes(canary));
    assert.match(text, /the key \[API key\]/);
    const told = await notifications.message(/without all of the changes.*large-one/);
    assert.match(told, /\.env/);
    assert.match(told, /secrets\/who\.txt/);
    assert.match(told, /large-one\.txt/);
    await editor.workbench.screenshot("commit message of large changes");
    await assertNoLeaksElsewhere(editor, canary, "after commit messages");
  });
});

describe("commit messages of two repositories, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ onAsk: (ask) => asks.push(ask), answers: () => message });
    service.keys.add({}, canary);
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: canary },
      prepareWorkspace: async (folder) => {
        for (const [place, line] of [
          [folder, "a line of the outer one"],
          [path.join(folder, "inner"), "a line of the inner one"],
        ] as const) {
          await mkdir(place, { recursive: true });
          const repository = new TestRepository(place);
          await repository.begin();
          await repository.write("changed.txt", `${line}\n`);
          await repository.git("add", "changed.txt");
        }
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

  it("are written for the one whose button is pressed", async () => {
    const scm = new SourceControl(editor.workbench.page);
    await scm.open();
    await scm.box(1).waitFor();
    await scm.press(generate, "inner");
    // Which of the boxes is the inner one's is the editor's to say.
    const [written, other] = await Promise.any([
      scm.waitForMessage(/who live there/, 0).then((text) => [text, 1] as const),
      scm.waitForMessage(/who live there/, 1).then((text) => [text, 0] as const),
    ]);
    assert.equal(written, shownMessage);
    await editor.workbench.screenshot("commit message of the inner repository");
    assert.match(asks[0]?.messages.at(-1)?.text ?? "", /a line of the inner one/);
    assert.doesNotMatch(asks[0]?.messages.at(-1)?.text ?? "", /outer/);
    assert.equal(await scm.message(other), "");
  });
});
