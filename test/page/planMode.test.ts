import assert from "node:assert/strict";
import type { ScriptPart } from "../service/script.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { themeNames } from "../support/page/themes.ts";
import { TestTools } from "../support/testTools.ts";
import { dropOn } from "../support/workbench/transfers.ts";
import { drawnText } from "../support/workbench/parts.ts";

const read = (path: string): ScriptPart => ({ call: "read_file", arguments: { path } });

function readingTools(): TestTools {
  const tools = new TestTools();
  tools.result = async () => ({
    outcome: "done",
    text: "1\texport const sum = (a, b) => a + b;",
    facts: { firstLine: 1, lastLine: 200 },
  });
  return tools;
}

describe("an answer with tools", () => {
  const { open } = chatPages();

  it("shows its steps as lines that open, with the text around them", async () => {
    const { chat, service, screenshot } = await open({ tools: readingTools() });
    service.script.add([
      { send: [{ text: "I look at the module." }, read("src/a.ts")] },
      { send: [read("src/b.ts"), read("src/c.ts"), read("src/d.ts")] },
      { send: [{ text: "It **adds** numbers." }] },
    ]);
    await chat.send("Explain the module");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("It adds numbers.").waitFor();
    const text = await drawnText(answer);
    const order = [
      "I look at the module.",
      "Read 'src/a.ts', lines 1-200",
      "Read 3 files",
      "It adds numbers.",
    ];
    const places = order.map((part) => text.indexOf(part));
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
    assert.ok(!places.includes(-1), text);
    await answer.getByText("Read 'src/a.ts', lines 1-200").click();
    const opened = answer.locator("details[open]").filter({ hasText: "Read 'src/a.ts'" });
    await opened.getByText('"path":"src/a.ts"').waitFor();
    await opened.getByText("export const sum").waitFor();
    await answer.getByText("Read 3 files").click();
    await answer.getByText("Read 'src/c.ts', lines 1-200").waitFor();
    await screenshot("plan-steps");
  });

  it("shows all steps of a long answer in order, also when the page is loaded again", async () => {
    const tools = readingTools();
    tools.maxRequests = 100;
    const { chat, page, service } = await open({ tools });
    const numbers = Array.from({ length: 45 }, (_, index) => index + 1);
    service.script.add([
      ...numbers.map((number) => ({ send: [{ text: `Part ${number}.` }, read(`src/${number}.ts`)] })),
      { send: [{ text: "That is all." }] },
    ]);
    await chat.send("Read all files");
    const answer = chat.turns("Assistant").first();
    const expected = numbers.flatMap((number) => [`Part ${number}.`, `Read 'src/${number}.ts', lines 1-200`]);
    for (const leave of [undefined, () => page.reload()]) {
      await leave?.();
      await answer.getByText("That is all.").waitFor();
      // The oldest steps come onto the page last.
      await answer.getByText("Part 1.", { exact: true }).waitFor();
      const shown = await answer.locator(".markdown, .tool-call > summary").allTextContents();
      assert.deepEqual(
        shown.map((each) => each.trim()),
        [...expected, "That is all."],
      );
    }
  });

  it("asks for approval by a card that the keyboard reaches, and reports a denial with its reason", async () => {
    const tools = readingTools();
    let reply: unknown;
    tools.result = async (_call, { ask }) => {
      reply = await ask({ type: "approval", reason: "sensitive-file", path: ".env" });
      return { outcome: "denied", text: "The user denied this call." };
    };
    const { chat, page, service, screenshot } = await open({ tools });
    service.script.add([{ send: [read(".env")] }, { send: [{ text: "Then I can't help." }] }]);
    await chat.send("What is in .env?");
    const card = chat.frame.getByRole("group", { name: "Approval needed" });
    await card.getByText("'.env' might contain keys or passwords. Let the model read it?").waitFor();
    await screenshot("plan-approval");
    await card.getByLabel("Reason (optional)").focus();
    await page.keyboard.type("It is secret");
    await page.keyboard.press("Escape");
    await chat.frame.getByText("Then I can't help.").waitFor();
    assert.deepEqual(reply, { type: "deny", why: "It is secret" });
    await chat.frame.getByText("Denied: Reading '.env'", { exact: true }).waitFor();
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("allows a call only by its button", async () => {
    const tools = readingTools();
    const replies: unknown[] = [];
    tools.result = async (_call, { ask }) => {
      replies.push(await ask({ type: "approval", reason: "outside-workspace", path: "/etc/hosts" }));
      return { outcome: "done", text: "127.0.0.1 localhost" };
    };
    const { chat, page, service } = await open({ tools });
    service.script.add([{ send: [read("/etc/hosts")] }, { send: [{ text: "Read." }] }]);
    await chat.send("Read the hosts");
    const card = chat.frame.getByRole("group", { name: "Approval needed" });
    await card.getByLabel("Reason (optional)").focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(replies, []);
    await card.getByRole("button", { name: "Allow" }).focus();
    await page.keyboard.press("Enter");
    await chat.frame.getByText("Read.", { exact: true }).waitFor();
    assert.deepEqual(replies, [{ type: "allow", scope: "call" }]);
  });

  it("shows a question of the model with its options, and sends a typed answer", async () => {
    const tools = readingTools();
    tools.result = async (_call, { ask }) => {
      const reply = await ask({ type: "question", question: "Which test fails?", options: ["Unit", "Page"] });
      return { outcome: "done", text: reply.type === "answer" ? reply.text : "none" };
    };
    const { chat, service, screenshot } = await open({ tools });
    service.script.add([
      { send: [{ call: "ask_user", arguments: { question: "Which test fails?" } }] },
      { expect: { results: ["Both of them"] }, send: [{ text: "Thank you." }] },
    ]);
    await chat.send("Find the failing test");
    const card = chat.frame.getByRole("group", { name: "Question" });
    await card.getByRole("button", { name: "Page" }).waitFor();
    await screenshot("plan-question");
    await card.getByLabel("Your answer").fill("Both of them");
    await card.getByLabel("Your answer").press("Enter");
    await chat.frame.getByText("Thank you.").waitFor();
  });

  it("pauses when its requests are used up, and continues or stops", async () => {
    const tools = readingTools();
    tools.maxRequests = 1;
    const { chat, service, screenshot } = await open({ tools });
    service.script.add([{ send: [read("a.ts")] }, { send: [read("b.ts")] }]);
    await chat.send("Read all");
    const card = chat.frame.getByRole("group", { name: "Paused" });
    await card.getByText("This answer has sent 1 request. Let it continue?").waitFor();
    await screenshot("plan-paused");
    await card.getByRole("button", { name: "Continue" }).click();
    await card.getByText("This answer has sent 2 requests. Let it continue?").waitFor();
    await card.getByRole("button", { name: "Stop" }).click();
    await chat.frame.getByText("Stopped.").waitFor();
  });

  it("offers Resume after a failure, and goes on in the same answer", async () => {
    const tools = readingTools();
    const { chat, service, screenshot } = await open({ tools });
    tools.result = async () => {
      service.failNext({ status: 401 });
      return { outcome: "done", text: "text" };
    };
    service.script.add([{ send: [{ text: "I look." }, read("a.ts")] }]);
    await chat.send("Explain");
    await chat.alert().waitFor();
    await screenshot("plan-resume");
    service.script.add([{ send: [{ text: "It adds numbers." }] }]);
    await chat.button("Resume").click();
    await chat.frame.getByText("It adds numbers.").waitFor();
    assert.equal(await chat.turns("Assistant").count(), 1);
    assert.match(await drawnText(chat.turns("Assistant").first()), /I look\..*It adds numbers\./s);
  });

  it("sends a message typed while it works with the next request, and shows it in the answer", async () => {
    const tools = readingTools();
    let finish: (() => void) | undefined;
    tools.result = async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { outcome: "done", text: "text" };
    };
    const { chat, service } = await open({ tools });
    service.script.add([
      { send: [read("a.ts")] },
      { expect: { user: "and b.ts" }, send: [{ text: "Both." }] },
    ]);
    await chat.send("Explain a.ts");
    await chat.frame.getByRole("group").getByText("Reading 'a.ts'...").waitFor();
    await chat.composer.fill("and b.ts");
    await chat.composer.press("Enter");
    await chat.frame.getByText("Sent with the next request: and b.ts").waitFor();
    finish?.();
    await chat.frame.getByText("Both.").waitFor();
    await chat.turns("Assistant").first().getByText("and b.ts", { exact: true }).waitFor();
  });

  it("says before the question why its mode cannot be used, with two ways out", async () => {
    const viewport = { width: 320, height: 480 };
    const header = { mode: "plan", obstacle: "not-verified" } as const;
    const { chat, host, wear, screenshot } = await open({ header, viewport });
    const note = chat.frame.getByRole("note");
    await note
      .getByText("The mode 'Plan' needs a model that can call tools, and this model hasn't been tested.")
      .waitFor();
    await chat.frame.getByRole("button", { name: "Mode: Plan" }).waitFor();
    for (const theme of themeNames) {
      await wear(theme);
      await screenshot(`plan-obstacle-320-${theme}`);
    }
    assert.deepEqual(await rowProblems(chat.frame), []);
    const removing = host.next("mend-mode");
    await note.getByRole("button", { name: "Verify Compatibility..." }).press("Enter");
    assert.equal((await removing).by, "removing");
    const asking = host.next("mend-mode");
    await note.getByRole("button", { name: "Use Ask Mode" }).press("Enter");
    assert.equal((await asking).by, "asking");
    await chat.frame.locator("textarea:focus").waitFor();
    const { obstacle: _, ...mended } = host.header;
    host.post({ type: "header", header: mended });
    await note.waitFor({ state: "detached" });
  });

  it("says at its top what it does, with its requests and tokens, also after scrolling and in 320 px", async () => {
    const tools = readingTools();
    const running = Promise.withResolvers<void>();
    tools.result = async () => {
      await running.promise;
      return { outcome: "done", text: "text" };
    };
    const price = { input: 3, output: 15, currency: "USD" };
    const viewport = { width: 320, height: 480 };
    const { chat, page, service, wear, screenshot } = await open({ tools, price, viewport });
    const path = `src/${"very/".repeat(10)}long.ts`;
    const long = Array.from({ length: 40 }, (_, index) => `Line ${index}`).join("\n\n");
    service.script.add([{ send: [{ text: long }, read(path)] }, { send: [{ text: "Done." }] }]);
    await chat.send("Explain");
    const line = chat.frame.getByRole("status", { name: "Progress" });
    await line.getByText(`Reading '${path}'...`).waitFor();
    await line.getByText(/^Request 1 of 25 · Tokens: [\d,]+ in, [\d,]+ out · \$/).waitFor();
    // The end of the answer is in view, and so are its line and Stop.
    const top = await line.evaluate((element) => {
      const { top: lineTop } = element.getBoundingClientRect();
      return lineTop - (element.closest(".log")?.getBoundingClientRect().top ?? Number.NaN);
    });
    assert.ok(top >= 0 && top < 20, `${top} px below the top`);
    await chat.button("Stop").waitFor();
    for (const theme of themeNames) {
      await wear(theme);
      await screenshot(`plan-progress-320-${theme}`);
    }
    assert.deepEqual(await rowProblems(chat.frame), []);
    running.resolve();
    await chat.frame.getByText("Done.").waitFor();
    await line.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.body.scrollWidth > window.innerWidth), false);
  });

  it("takes a message by mouse while it works, beside Stop", async () => {
    const tools = readingTools();
    const finish = Promise.withResolvers<undefined>();
    tools.result = async () => {
      await finish.promise;
      return { outcome: "done", text: "text" };
    };
    const { chat, page, service, screenshot, wear } = await open({
      tools,
      viewport: { width: 320, height: 600 },
    });
    service.script.add([
      { send: [read("a.ts")] },
      { expect: { user: "and b.ts" }, send: [{ text: "Both." }] },
    ]);
    await chat.send("Explain a.ts");
    await chat.button("Stop").waitFor();
    assert.equal(await chat.button("Send").count(), 0);
    const stop = await chat.button("Stop").boundingBox();
    await chat.composer.fill("and b.ts");
    await chat.button("Send").waitFor();
    assert.deepEqual(await chat.button("Stop").boundingBox(), stop, "Stop stays where it is.");
    for (const theme of themeNames) {
      await wear(theme);
      await screenshot(`composer-queue-320-${theme}`);
    }
    assert.deepEqual(await rowProblems(chat.frame), []);
    assert.equal(await page.evaluate(() => document.body.scrollWidth > window.innerWidth), false);
    await chat.button("Send").click();
    await chat.button("Send").waitFor({ state: "detached" });
    assert.equal(await chat.composer.inputValue(), "");
    await chat.turns("Assistant").first().getByText("Sent with the next request: and b.ts").waitFor();
    finish.resolve(undefined);
    await chat.frame.getByText("Both.").waitFor();
  });

  it("sends a file dropped while it works with the next request, and shows it under the message", async () => {
    const tools = readingTools();
    const finish = Promise.withResolvers<undefined>();
    tools.result = async () => {
      await finish.promise;
      return { outcome: "done", text: "text" };
    };
    const { chat, service, host, screenshot } = await open({ tools });
    service.script.add([
      { send: [read("a.ts")] },
      { expect: { user: "the text of b" }, send: [{ text: "Both." }] },
    ]);
    await chat.send("Explain a.ts");
    await chat.frame.locator(".tool-call").getByText("Reading 'a.ts'...").waitFor();
    await dropOn(chat.composer, {
      files: [{ name: "b.ts", type: "text/plain", data: btoa("the text of b") }],
    });
    await chat.attachment("b.ts").waitFor();
    await chat.composer.fill("and this");
    await chat.composer.press("Enter");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("Sent with the next request: and this").waitFor();
    const opener = answer.getByRole("button", { name: /^Open b\.ts/ });
    await opener.waitFor();
    await chat.attachment("b.ts").waitFor({ state: "detached" });
    await screenshot("plan queued attachment");
    finish.resolve(undefined);
    await chat.frame.getByText("Both.").waitFor();
    await answer.locator(".step-message").getByText("and this", { exact: true }).waitFor();
    const opened = host.nextRequest("open");
    await opener.click();
    assert.equal((await opened).turnId, await answer.getAttribute("data-turn"));
    await screenshot("plan sent attachment");
  });

  it("fits into 320 px with its mode in the composer, in every theme", async () => {
    const tools = readingTools();
    tools.result = async (_call, { ask }) => {
      await ask({
        type: "approval",
        reason: "excluded-file",
        path: "node_modules/left-pad/index.js",
        rule: ".gitignore",
      });
      return { outcome: "done", text: "text" };
    };
    const { chat, service, wear, screenshot } = await open({ tools, viewport: { width: 320, height: 640 } });
    service.script.add([{ send: [{ text: "I look." }, read("node_modules/left-pad/index.js")] }]);
    await chat.send("Why does left-pad fail?");
    await chat.frame.getByRole("button", { name: "Mode: Plan" }).waitFor();
    await chat.frame.getByRole("group", { name: "Approval needed" }).waitFor();
    for (const theme of themeNames) {
      await wear(theme);
      await screenshot(`plan-320-${theme}`);
    }
    assert.deepEqual(await rowProblems(chat.frame), []);
  });
});
