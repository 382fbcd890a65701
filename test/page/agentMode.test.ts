import assert from "node:assert/strict";
import { editCautions } from "../../src/chat/transcript/steps.ts";
import { createTranslate } from "../../src/text/translate.ts";
import type { ScriptPart } from "../service/script.ts";
import { chatPages, type OpenChatPage } from "../support/page/chatPages.ts";
import { focusedName, namesOf, walk } from "../support/page/focusWalk.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { themeNames } from "../support/page/themes.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { commandRequest, editRequest, TestTools, websiteRequest } from "../support/testTools.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { heard, listen, spokenBy } from "../support/workbench/spoken.ts";
import { readBundle } from "../unit/languages/languages.ts";

const edit = (path = "src/sum.ts"): ScriptPart => ({ call: "edit_file", arguments: { path } });
const run = (command = "npm test"): ScriptPart => ({ call: "run_command", arguments: { command } });
const narrow = { width: 320, height: 800 };

/** Text of the diff by the elements of its lines. */
const linesOfDiff = inPage<readonly string[]>(
  `(diff) => [...diff.querySelectorAll("span")].map((line) => line.parentElement.tagName + line.textContent)`,
);
const isScrolledToEnd = inPage<boolean>(
  `(box) => box.scrollHeight > box.clientHeight
    && box.firstElementChild.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom`,
);
const textOf = inPage<string>("(element) => element.innerText");
const nextFrame = inPage<Promise<unknown>>("() => new Promise(requestAnimationFrame)");

function cardOf({ chat }: OpenChatPage) {
  return chat.frame.getByRole("group", { name: "Approval needed" });
}

/** The line of a call, without its announcement. */
function lineOf({ chat }: OpenChatPage, text: string) {
  return chat.turns("Assistant").getByText(text, { exact: true });
}

describe("an answer in Agent mode", () => {
  const { open } = chatPages();

  /** Opens a page whose answer makes these calls and then says "Done." */
  async function openAgent(tools: TestTools, calls: readonly ScriptPart[], viewport?: typeof narrow) {
    const opened = await open({ tools, ...(viewport === undefined ? {} : { viewport }) });
    opened.service.script.add([{ send: [{ text: "I work." }, ...calls] }, { send: [{ text: "Done." }] }]);
    return opened;
  }

  /** Opens a page whose answer has edited two files and created one. */
  async function openChanged(viewport?: typeof narrow) {
    const tools = new TestTools("agent");
    const facts = [
      { path: "src/sum.ts", added: 2, removed: 1 },
      { path: "src/a/very/deep/folder/with/a/long/name/test.ts", added: 10, removed: 20 },
      { path: "notes.md", added: 5, removed: 0, isNew: true },
      { path: "src/sum.ts", added: 1, removed: 1 },
    ];
    tools.result = async () => ({
      outcome: "done",
      text: "ok",
      facts: facts[tools.calls.length - 1] ?? {},
    });
    const opened = await openAgent(
      tools,
      facts.map(({ path }) => edit(path)),
      viewport,
    );
    await opened.chat.send("Fix all");
    const list = opened.chat.frame.getByRole("group", { name: "Changed files" });
    await list.waitFor();
    return { opened, list };
  }

  it("asks before an edit with the whole diff and every caution, and allows it once", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(editRequest({ cautions: editCautions }), { path: "src/sum.ts", added: 1, removed: 1 });
    const opened = await openAgent(tools, [edit()]);
    await opened.chat.frame.getByRole("button", { name: "Mode: Agent" }).waitFor();
    await opened.chat.send("Fix the sum");
    const card = cardOf(opened);
    await card.getByText("Edit 'src/sum.ts'?", { exact: true }).waitFor();
    assert.deepEqual(await card.getByRole("group", { name: "Changes" }).evaluate(linesOfDiff), [
      "I@@ -1,3 +1,3 @@",
      "DIV export function sum(a, b) {",
      "DEL-  return a - b;",
      "INS+  return a + b;",
      "DIV }",
    ]);
    assert.deepEqual(await card.locator(".card-cautions > li").allTextContents(), [
      "VS Code or other tools run what this file says.",
      "Allowing also saves the unsaved text in this file.",
      "Saving runs formatters or other actions, which might change more.",
      "This change can't be undone, because no copy of the file can be stored.",
      "This answer has read content from outside the workspace.",
    ]);
    await opened.screenshot("agent-edit");
    await card.getByRole("button", { name: "Allow", exact: true }).click();
    await opened.chat.frame.getByText("Done.", { exact: true }).waitFor();
    assert.deepEqual(tools.replies, [{ type: "allow", scope: "call" }]);
    await lineOf(opened, "Edited 'src/sum.ts' (+1 −1)").waitFor();
  });

  it("asks before a website with its host and whole URL, and allows the host for the answer", async () => {
    const tools = new TestTools("agent");
    const url = `https://xn--pple-43d.example:8443/guide/\u202e?data=${"x".repeat(300)}`;
    tools.askFirst(websiteRequest({ url, host: "xn--pple-43d.example:8443" }));
    const call = {
      call: "fetch_url",
      arguments: { url: "https://xn--pple-43d.example:8443/guide/a?data=x" },
    };
    const opened = await openAgent(tools, [call]);
    await opened.chat.send("Read it");
    const card = cardOf(opened);
    await card.getByText("Read this website?", { exact: true }).waitFor();
    await card.getByText("Host: xn--pple-43d.example:8443", { exact: true }).waitFor();
    assert.equal(
      await card.getByRole("group", { name: "URL" }).evaluate(textOf),
      url.replace("\u202e", "[U+202E]"),
    );
    await card.getByText(/^This host name contains letters that can look like others\./).waitFor();
    assert.deepEqual(await card.getByRole("button").allTextContents(), [
      "Allow",
      "Deny",
      "Allow This Host for This Answer",
    ]);
    await opened.screenshot("agent-website");
    await card.getByRole("button", { name: "Allow This Host for This Answer" }).click();
    await opened.chat.frame.getByText("Done.", { exact: true }).waitFor();
    assert.deepEqual(tools.replies, [{ type: "allow", scope: "answer" }]);
    await lineOf(opened, "Read 'xn--pple-43d.example:8443/guide/a'").waitFor();
  });

  it("says that a website is not encrypted, and why an allowed one asks again", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(websiteRequest({ url: "http://docs.example/", asksAgain: true }));
    const opened = await openAgent(tools, [
      { call: "fetch_url", arguments: { url: "http://docs.example/" } },
    ]);
    await opened.chat.send("Read it");
    await cardOf(opened)
      .getByText(
        "The request isn't encrypted. This answer has read content from elsewhere, so your earlier permission asks again. The website gets everything in this URL, and the IP address of the machine that runs Inference Chat.",
        { exact: true },
      )
      .waitFor();
    assert.equal(
      await cardOf(opened)
        .getByText(/look like others/)
        .count(),
      0,
    );
  });

  it("leaves the focus where it is when a card appears, and allows edits for the answer by keyboard", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(editRequest({ path: "src/new.ts", isNew: true }), { path: "src/new.ts" });
    const opened = await openAgent(tools, [{ call: "create_file", arguments: { path: "src/new.ts" } }]);
    const { chat, page } = opened;
    await chat.send("Write it");
    await page.keyboard.type("And then");
    await cardOf(opened).getByText("Create 'src/new.ts'?", { exact: true }).waitFor();
    assert.equal(await focusedName(opened), "textbox Message");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focusedName(opened), "article Assistant");
    const stops = await walk(opened, "Tab", "button Allow Edits for This Answer");
    assert.deepEqual(namesOf(stops), [
      "summary Waiting for you: Creating 'src/new.ts'",
      "group Changes",
      "textbox Reason (optional)",
      "button Allow",
      "button Deny",
      "button Allow Edits for This Answer",
    ]);
    await page.keyboard.press("Enter");
    await chat.frame.getByText("Done.", { exact: true }).waitFor();
    assert.deepEqual(tools.replies, [{ type: "allow", scope: "answer" }]);
    assert.equal(await focusedName(opened), "textbox Message");
  });

  it("does not offer to allow all edits if this edit must ask", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(editRequest({ path: "package.json", canAllowForAnswer: false }));
    const opened = await openAgent(tools, [edit("package.json")]);
    await opened.chat.send("Fix it");
    const buttons = cardOf(opened).getByRole("button");
    await buttons.first().waitFor();
    assert.deepEqual(await buttons.allTextContents(), ["Allow", "Deny"]);
  });

  it("denies with the typed reason by Escape, and never allows by Enter in the reason", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(commandRequest());
    const opened = await openAgent(tools, [run()]);
    await opened.chat.send("Run the tests");
    await cardOf(opened).getByLabel("Reason (optional)").fill("Not now");
    await opened.page.keyboard.press("Enter");
    await opened.page.keyboard.press("Escape");
    await lineOf(opened, "Denied: Running 'npm test'").waitFor();
    assert.deepEqual(tools.replies, [{ type: "deny", why: "Not now" }]);
    await opened.chat.frame.getByText("Done.", { exact: true }).waitFor();
  });

  it("asks before a command with the whole of it, and allows the same command from now on", async () => {
    const tools = new TestTools("agent");
    const command = "git commit \\\n  --message 'a\u202Eb\u200B\u200B'\n\trm -rf build";
    tools.askFirst(commandRequest({ command, purpose: "Clean\u202E up" }), { exitCode: 0 });
    const opened = await openAgent(tools, [run(command)]);
    await opened.chat.send("Clean up");
    const card = cardOf(opened);
    await card.getByText("Run this command?", { exact: true }).waitFor();
    assert.equal(
      await card.getByRole("group", { name: "Command" }).textContent(),
      "git commit \\\n  --message 'a[U+202E]b[U+200B ×2]'\n\trm -rf build",
    );
    await card.getByText("The model says: Clean[U+202E] up", { exact: true }).waitFor();
    await card
      .getByText("Runs in 'app'. After 120 s, the command continues in the background.", { exact: true })
      .waitFor();
    await opened.screenshot("agent-command");
    await card.getByRole("button", { name: "Always Allow This Command" }).click();
    await opened.chat.frame.getByText("Done.", { exact: true }).waitFor();
    assert.deepEqual(tools.replies, [{ type: "allow", scope: "workspace" }]);
  });

  it("says why an allowed command asks again, and offers no lasting permission in another folder", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(commandRequest({ isElsewhere: true }));
    const opened = await openAgent(tools, [run(), run()]);
    await opened.chat.send("Run the tests");
    const card = cardOf(opened);
    const allow = card.getByRole("button", { name: "Allow" });
    await allow.waitFor();
    assert.deepEqual(await card.getByRole("button").allTextContents(), ["Allow", "Deny"]);
    tools.askFirst(commandRequest({ isAllowedBefore: true, isTask: true }));
    await allow.click();
    await card.getByText(/Runs as a task, because the terminal can't report when a command ends\./).waitFor();
    await card.getByText(/so your earlier permission asks again\./).waitFor();
    assert.deepEqual(await card.getByRole("button").allTextContents(), ["Allow", "Deny"]);
  });

  it("allows only the first of two cards by a double click", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(commandRequest(), { exitCode: 0 });
    const opened = await openAgent(tools, [run(), run()]);
    await opened.chat.send("Run the tests twice");
    const allow = cardOf(opened).getByRole("button", { name: "Allow", exact: true });
    const box = (await allow.boundingBox()) ?? assert.fail();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const { mouse } = opened.page;
    await mouse.click(x, y);
    const first = lineOf(opened, "Ran 'npm test': exit code 0").first();
    await first.waitFor();
    const next = (await allow.boundingBox()) ?? assert.fail();
    await mouse.move(next.x + next.width / 2, next.y + next.height / 2);
    await mouse.down({ clickCount: 2 });
    await mouse.up({ clickCount: 2 });
    assert.equal(tools.replies.length, 1);
    await allow.click();
    await opened.chat.frame.getByText("Done.", { exact: true }).waitFor();
    assert.equal(tools.replies.length, 2);
  });

  it("announces the whole command of a card, the file of an edit, and what the user did with the changes", async () => {
    const tools = new TestTools("agent");
    const command = `echo ${"word ".repeat(100)}end`;
    tools.askFirst(commandRequest({ command }), { exitCode: 1 });
    const opened = await openAgent(tools, [run(command)]);
    const { chat, host } = opened;
    await listen(chat);
    await chat.send("Say it");
    const spoken = await heard(chat, /Run this command\?/);
    assert.ok(spoken.some((text) => text.includes(command)));
    await cardOf(opened).getByRole("button", { name: "Allow", exact: true }).click();
    await heard(chat, /Ran 'echo word.*: exit code 1/);
    await chat.frame.getByText("Done.", { exact: true }).waitFor();
    tools.askFirst(editRequest(), { path: "src/sum.ts" });
    opened.service.script.add([{ send: [edit()] }, { send: [{ text: "Changed." }] }]);
    await chat.send("Edit it");
    await heard(chat, /Edit 'src\/sum\.ts'\?/);
    await cardOf(opened).getByRole("button", { name: "Allow", exact: true }).click();
    await chat.button("Undo").click();
    await heard(chat, /Undone$/);
    assert.equal(host.all("changes").length, 1);
  });

  it("gives a card and the list of changed files to a screen reader by roles and names", async () => {
    const tools = new TestTools("agent");
    tools.askFirst(editRequest({ cautions: ["unsaved-text"] }), {
      path: "src/sum.ts",
      added: 1,
      removed: 1,
    });
    const opened = await openAgent(tools, [edit()]);
    await opened.chat.send("Fix the sum");
    const card = cardOf(opened);
    assert.equal(
      await card.ariaSnapshot(),
      `- group "Approval needed":
  - paragraph: Edit 'src/sum.ts'?
  - group "Changes":
    - text: "@@ -1,3 +1,3 @@ export function sum(a, b) {"
    - deletion: "- return a - b;"
    - insertion: + return a + b;
    - text: "}"
  - list:
    - listitem: Allowing also saves the unsaved text in this file.
  - textbox "Reason (optional)"
  - button "Allow"
  - button "Deny"
  - button "Allow Edits for This Answer"`,
    );
    await card.getByRole("button", { name: "Allow", exact: true }).click();
    const list = opened.chat.frame.getByRole("group", { name: "Changed files" });
    assert.equal(
      await list.ariaSnapshot(),
      `- group "Changed files":
  - paragraph: Changed 1 file
  - list:
    - listitem:
      - button "Review 'src/sum.ts'": src/ sum.ts
      - insertion: "+1"
      - deletion: −1
  - button "Review"
  - button "Keep"
  - button "Undo"`,
    );
  });

  describe("while a command runs", () => {
    interface Running {
      readonly opened: OpenChatPage;
      readonly show: (output: string) => void;
      readonly finish: () => void;
    }

    /** Starts a command that ends with exit code 1, or goes on in the background if the user says so. */
    async function startCommand(options: { readonly transcript?: WrittenChat["transcript"] } = {}) {
      const tools = new TestTools("agent");
      const started = Promise.withResolvers<Omit<Running, "opened">>();
      tools.result = async (_call, { showOutput, background }) => {
        const end = Promise.withResolvers<void>();
        started.resolve({ show: showOutput, finish: end.resolve });
        background.addEventListener("abort", () => end.resolve());
        await end.promise;
        return {
          outcome: "done",
          text: "Output",
          facts: background.aborted ? { isInBackground: true } : { exitCode: 1 },
        };
      };
      const opened = await open({ tools, ...options });
      opened.service.script.add([{ send: [run()] }, { send: [{ text: "Done." }] }]);
      await opened.chat.send("Run the tests");
      return { opened, ...(await started.promise) };
    }

    it("shows the end of its output without announcing it, and then its exit code", async () => {
      const { opened, show, finish } = await startCommand();
      const { chat, screenshot } = opened;
      await listen(chat);
      const output = chat.frame.getByRole("group", { name: "Output" });
      assert.equal(await output.count(), 0);
      const lines = Array.from({ length: 40 }, (_, index) => `ok ${index + 1} - adds numbers`);
      for (const at of lines.keys()) show(lines.slice(0, at + 1).join("\n"));
      await output.getByText("ok 40 - adds numbers").waitFor();
      assert.ok(await output.evaluate(isScrolledToEnd));
      const box = (await output.boundingBox()) ?? assert.fail();
      assert.ok(box.height > 100 && box.height < 180, `${box.height}`);
      await screenshot("agent-output");
      finish();
      await lineOf(opened, "Ran 'npm test': exit code 1").waitFor();
      await output.waitFor({ state: "detached" });
      await heard(chat, /exit code 1/);
      assert.ok(!(await spokenBy(chat)).some((text) => text.includes("adds numbers")));
    });

    it("continues in the background by a button, which the keyboard reaches", async () => {
      const { opened, show } = await startCommand();
      const { chat, page } = opened;
      show("listening on port 3000");
      await chat.frame.getByText("listening on port 3000").waitFor();
      await chat.transcript.focus();
      await page.keyboard.press("ArrowUp");
      const stops = await walk(opened, "Tab", "button Continue in Background");
      assert.deepEqual(namesOf(stops), [
        "summary Running 'npm test'...",
        "group Output",
        "button Continue in Background",
      ]);
      await page.keyboard.press("Enter");
      await lineOf(opened, "Continued in the background: 'npm test'").waitFor();
      assert.equal(await focusedName(opened), "textbox Message");
    });

    it("shows the output so far when the page is loaded again", async () => {
      const { opened, show, finish } = await startCommand();
      show("the tests begin");
      await opened.chat.frame.getByText("the tests begin").waitFor();
      await opened.page.reload();
      await opened.chat.frame.getByText("the tests begin").waitFor();
      show("the tests end");
      await opened.chat.frame.getByText("the tests end").waitFor();
      finish();
      await lineOf(opened, "Ran 'npm test': exit code 1").waitFor();
    });

    it("renders nothing of the page for a piece of output", async () => {
      const chat = new WrittenChat();
      for (let count = 0; count < 3; count += 1)
        chat.add(`Question ${count}`, complete, { text: "An answer." });
      const { opened, show, finish } = await startCommand({ transcript: chat.transcript });
      const { frame } = opened.chat;
      show("piece 0");
      await frame.getByText("piece 0").waitFor();
      // The page formats the usage of the chat in each render.
      await frame.locator("html").evaluate(
        inPage<void>(`() => {
          const Format = Intl.NumberFormat;
          globalThis.renders = 0;
          Intl.NumberFormat = function (...given) {
            renders += 1;
            return new Format(...given);
          };
        }`),
      );
      const renders = (): Promise<number> =>
        frame.locator("html").evaluate(inPage<number>("() => globalThis.renders"));
      for (let piece = 1; piece <= 50; piece += 1) {
        show(`piece ${piece}`);
        await frame.locator("html").evaluate(nextFrame);
      }
      await frame.getByText("piece 50").waitFor();
      assert.equal(await renders(), 0);
      finish();
      await lineOf(opened, "Ran 'npm test': exit code 1").waitFor();
      assert.ok((await renders()) > 0, "a render is counted");
    });
  });

  describe("that has changed files", () => {
    it("lists them with their lines at its end, and folds its edits into one line", async () => {
      const { opened, list } = await openChanged();
      await opened.chat.frame.getByText("Edited 3 files", { exact: true }).waitFor();
      assert.deepEqual(
        (await list.getByRole("listitem").allTextContents()).map((text) => text.replaceAll(/\s+/g, " ")),
        ["src/sum.ts+3−2", "src/a/very/deep/folder/with/a/long/name/test.ts+10−20", "notes.mdnew+5−0"],
      );
      await list.getByText("Changed 3 files", { exact: true }).waitFor();
      await opened.screenshot("agent-changes");
    });

    it("offers no action for them before it has ended", async () => {
      const tools = new TestTools("agent");
      const end = Promise.withResolvers<void>();
      tools.result = async ({ name }) => {
        if (name === "run_command") await end.promise;
        return {
          outcome: "done",
          text: "ok",
          facts: name === "run_command" ? { exitCode: 0 } : { path: "a.ts" },
        };
      };
      const { chat } = await openAgent(tools, [edit("a.ts"), run()]);
      await chat.send("Fix and test");
      await chat.frame.locator(".tool-call").getByText("Running 'npm test'...", { exact: true }).waitFor();
      assert.equal(await chat.button("Undo").count(), 0);
      end.resolve();
      await chat.button("Undo").waitFor();
    });

    it("reviews one or all of them, and keeps them, by keyboard", async () => {
      const { opened, list } = await openChanged();
      const { chat, host, page } = opened;
      await list.getByRole("button", { name: "Review 'src/sum.ts'" }).focus();
      await page.keyboard.press("Enter");
      assert.deepEqual(namesOf(await walk(opened, "Tab", "button Review")), [
        "button Review 'src/a/very/deep/folder/with/a/long/name/test.ts'",
        "button Review 'notes.md'",
        "button Review",
      ]);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      assert.equal(await focusedName(opened), "button Keep");
      await page.keyboard.press("Enter");
      await list.getByText("Kept", { exact: true }).waitFor();
      assert.equal(await list.getByRole("button").count(), 0);
      assert.equal(await focusedName(opened), "textbox Message");
      const turnId = await chat.turns("Assistant").first().getAttribute("data-turn");
      assert.deepEqual(host.all("changes"), [
        { type: "changes", turnId, action: "review", path: "src/sum.ts" },
        { type: "changes", turnId, action: "review" },
        { type: "changes", turnId, action: "keep" },
      ]);
    });

    it("undoes them by mouse, and says so", async () => {
      const { opened, list } = await openChanged();
      await list.getByRole("button", { name: "Undo" }).click();
      await list.getByText("Undone", { exact: true }).waitFor();
      assert.equal(await list.getByRole("button").count(), 0);
      await opened.screenshot("agent-undone");
    });

    it("fits into 320 px in every theme", async () => {
      const { opened } = await openChanged(narrow);
      for (const theme of themeNames) {
        await opened.wear(theme);
        await opened.screenshot(`agent-320-changes-${theme}`);
        assert.deepEqual(await accessibilityProblems(opened.chat.frame, "--vscode-sideBar-background"), []);
      }
      assert.deepEqual(await layoutProblems(opened.chat.frame), []);
    });
  });

  it("fits its cards into 320 px in every theme", async () => {
    const wide = `@@ -1 +1 @@\n-${"const wide = 1; ".repeat(20)}\n+${"x".repeat(300)}\n`;
    const requests = [
      editRequest({ path: "packages/a-long-name/src/index.ts", diff: wide, cautions: editCautions }),
      commandRequest({
        command: `npm test -- --grep ${"x".repeat(200)}`,
        isTask: true,
        folder: "packages/a-long-name",
      }),
      websiteRequest({
        url: `https://xn--pple-43d.example/?data=${"x".repeat(500)}`,
        host: "xn--pple-43d.example",
        asksAgain: true,
      }),
    ];
    for (const request of requests) {
      const tools = new TestTools("agent");
      tools.askFirst(request);
      const opened = await openAgent(tools, [request.type === "edit" ? edit() : run()], narrow);
      await opened.chat.send("Do it");
      await cardOf(opened).waitFor();
      for (const theme of themeNames) {
        await opened.wear(theme);
        await opened.screenshot(`agent-320-${request.type}-${theme}`);
        assert.deepEqual(await accessibilityProblems(opened.chat.frame, "--vscode-sideBar-background"), []);
      }
      const { height } = (await cardOf(opened).boundingBox()) ?? assert.fail();
      const log = (await opened.chat.transcript.boundingBox()) ?? assert.fail();
      assert.ok(height < log.height, "the question and the buttons are in sight together");
      assert.deepEqual(await layoutProblems(opened.chat.frame), []);
      assert.deepEqual(await rowProblems(opened.chat.frame), []);
    }
  });

  it("keeps its layout with a diff of 2,000 lines and a command of 20,000 characters", async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${"+- "[index % 3] ?? ""}line ${index}`);
    const requests = [
      editRequest({ diff: `@@ -1,1333 +1,1334 @@\n${lines.join("\n")}\n` }),
      commandRequest({ command: `echo ${"a long word ".repeat(1700)}` }),
    ];
    for (const request of requests) {
      const tools = new TestTools("agent");
      tools.askFirst(request);
      const opened = await openAgent(tools, [request.type === "edit" ? edit() : run()], narrow);
      await opened.chat.send("Do it");
      const card = cardOf(opened);
      const whole = card.getByRole("group");
      await whole.waitFor();
      const shown = await whole.evaluate(textOf);
      if (request.type === "edit") assert.equal(shown.trimEnd().split("\n").length, 2001);
      else assert.ok(shown.includes(request.command.trim()));
      await opened.screenshot(`agent-long-${request.type}`);
      await card.getByRole("button", { name: "Allow", exact: true }).waitFor();
      const { height } = (await card.boundingBox()) ?? assert.fail();
      assert.ok(height < 700, `${height}`);
      assert.deepEqual(await layoutProblems(opened.chat.frame), []);
    }
  });

  for (const language of ["de", "es"] as const) {
    it(`fits its cards and its mode into 320 px in the language ${language}`, async () => {
      const t = createTranslate(readBundle(language));
      for (const request of [editRequest({ cautions: editCautions }), commandRequest({ isTask: true })]) {
        const tools = new TestTools("agent");
        tools.askFirst(request, { path: "src/sum.ts", added: 1, removed: 1 });
        const opened = await open({ tools, language, viewport: narrow });
        opened.service.script.add([{ send: [edit()] }, { send: [{ text: "Done." }] }]);
        const { frame } = opened.chat;
        await frame.getByRole("textbox", { name: t("Message"), exact: true }).fill("Do it");
        await frame.getByRole("button", { name: t("Send"), exact: true }).click();
        const allow = frame.getByRole("button", { name: t("Allow"), exact: true });
        await allow.waitFor();
        await opened.screenshot(`agent-${language}-${request.type}`);
        assert.deepEqual(await layoutProblems(frame), []);
        assert.deepEqual(await rowProblems(frame), []);
        await allow.click();
        await frame.getByRole("group", { name: t("Changed files"), exact: true }).waitFor();
        assert.deepEqual(await layoutProblems(frame), []);
      }
    });
  }
});
