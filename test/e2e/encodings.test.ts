import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { legacyBytes } from "../support/legacyBytes.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { attachFromButton } from "./contextWorkspace.ts";
import { askInNewChat, drawnText, partsOf, showFailedTest } from "./parts.ts";
import { proposalParts } from "./proposalParts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const source = "// 設定を読み込む\r\nint value = 1;\r\n";

const answer = [
  "## 结果",
  "请看**“要点”**一节，**结论：**可以。详见 https://service.example/docs，然后继续。",
  "これは**「必須」**です。~~（旧）~~新しい値は https://service.example/ja/設定、または www.service.example。",
  '**"설정"**을 https://service.example/ko를 보고 바꾸세요.',
  "```c\nint other = 2;\n```",
].join("\n\n");

describe("files and answers in Chinese, Japanese and Korean, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let file: string;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({ answers: () => answer, onAsk: (ask) => asks.push(ask) });
    const key = fakeKey("encodings");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
      prepareWorkspace: (folder) => writeFile(path.join(folder, "old.c"), legacyBytes("shift_jis", source)),
      viewport: { width: 1500, height: 900 },
    });
    file = path.join(editor.workspace, "old.c");
    await editor.workbench.chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("attaches an old file as what it says, and tells that its encoding was guessed", async () => {
    const { chat, quickInput, screenshot } = partsOf(editor);
    await attachFromButton(editor, "File...");
    await quickInput.waitFor("Attach a File");
    await quickInput.fill("old.c");
    await quickInput.pick("old.c");
    await chat
      .attachment("old.c")
      .getByRole("button", { name: /^Open old\.c, Shift JIS \(guessed\), about/ })
      .waitFor();
    await screenshot("encoding-guessed");
    await chat.send("What is this?");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    assert.match(
      asks.at(-1)?.messages.at(-1)?.text ?? "",
      /old\.c, read as Shift JIS \(guessed\)[^]*設定を読み込む/,
    );
  });

  it("draws emphasis beside full-width punctuation, and links that end at it", async () => {
    const { screenshot } = partsOf(editor);
    const turn = await askInNewChat(editor, "Show them");
    assert.doesNotMatch(await drawnText(turn), /\*|~~/);
    assert.deepEqual(await turn.locator("strong").allTextContents(), [
      "“要点”",
      "结论：",
      "「必須」",
      '"설정"',
    ]);
    const links = await turn.locator("a[href]").evaluateAll((all) => all.map((link) => link.textContent));
    assert.deepEqual(links, [
      "https://service.example/docs",
      "https://service.example/ja/設定",
      "www.service.example",
      "https://service.example/ko",
    ]);
    await screenshot("wide-scripts");
  });

  it("refuses to change an old file that is open as UTF-8, and leads to its encoding", async () => {
    const { chat, notifications, quickInput, screenshot } = partsOf(editor);
    const { goTo } = proposalParts(editor);
    const before = await readFile(file);
    await goTo("old.c", 1);
    await chat.turns("Assistant").first().getByRole("button", { name: "Insert at Cursor" }).click();
    await notifications.message("'old.c' was not changed: it is open as UTF-8");
    await screenshot("encoding-refused");
    const lines = editor.workbench.page.locator(".view-lines");
    assert.doesNotMatch(await lines.innerText(), /other/);
    await notifications.press("'old.c' was not changed", "Change Encoding...");
    await quickInput.row("Reopen with Encoding").waitFor();
    await screenshot("encoding-reopen");
    await quickInput.pick("Reopen with Encoding");
    await quickInput.fill("Shift JIS");
    await quickInput.accept();
    await lines.filter({ hasText: "設定を読み込む" }).waitFor();
    assert.deepEqual(await readFile(file), before);
    await chat.turns("Assistant").first().getByRole("button", { name: "Insert at Cursor" }).click();
    await lines.filter({ hasText: "int other = 2;" }).waitFor();
    await editor.workbench.page.keyboard.press("Control+S");
    await editor.workbench.page.getByRole("tab", { name: /^old\.c$/ }).waitFor();
  });
});
