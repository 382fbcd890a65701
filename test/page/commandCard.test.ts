import assert from "node:assert/strict";
import { chatPages, type OpenChatPage } from "../support/page/chatPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { commandRequest, TestTools } from "../support/testTools.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { heard, listen } from "../support/workbench/spoken.ts";

const isScrollable = inPage<boolean>("(box) => box.scrollHeight > box.clientHeight");
/** Draws nothing until `releaseFrames`, so that all events until then are drawn at once. */
const holdFrames = inPage<void>(`() => {
  const request = window.requestAnimationFrame.bind(window);
  globalThis.held = [];
  window.requestAnimationFrame = (act) => held.push(act);
  globalThis.nextCard = new Promise((resolve) =>
    window.addEventListener("message", ({ data }) => JSON.stringify(data).includes("call-asks") && resolve()),
  );
  globalThis.release = () => {
    window.requestAnimationFrame = request;
    held.forEach((act) => request(act));
  };
}`);
const releaseFrames = inPage<Promise<void>>("() => nextCard.then(release)");

describe("the card of a command", () => {
  const { open } = chatPages();

  /** Opens a page whose answer runs this command. */
  async function openCard(
    tools: TestTools,
    command: string,
    viewport = { width: 800, height: 800 },
  ): Promise<OpenChatPage> {
    const opened = await open({ tools, viewport });
    opened.service.script.add([
      { send: [{ text: "I work." }, { call: "run_command", arguments: { command } }] },
    ]);
    return opened;
  }

  it("says how many lines a long command has, and shows at its end that it goes on", async () => {
    const tools = new TestTools("agent");
    const command = `echo ok\n${"\n".repeat(60)}rm -rf build`;
    tools.askFirst(commandRequest({ command }), { exitCode: 0 });
    const opened = await openCard(tools, command, { width: 320, height: 800 });
    await listen(opened.chat);
    await opened.chat.send("Clean up");
    const card = opened.chat.frame.getByRole("group", { name: "Approval needed" });
    await card.getByText("62 lines", { exact: true }).waitFor();
    await heard(opened.chat, /Run this command\? 62 lines: echo ok/);
    const code = card.getByRole("group", { name: "Command" });
    assert.ok(await code.evaluate(isScrollable));
    for (const theme of themeNames) {
      await opened.wear(theme);
      await opened.screenshot(`agent-long-command-320-${theme}`);
    }
    assert.deepEqual(await layoutProblems(opened.chat.frame), []);
  });

  it("keeps no typed reason for the next card of the same call", async () => {
    const tools = new TestTools("agent");
    tools.result = async (_call, { ask }) => {
      for (const command of ["npm test", "npm start"]) await ask(commandRequest({ command }));
      return { outcome: "done", text: "ok" };
    };
    const opened = await openCard(tools, "npm test");
    await opened.chat.send("Run both");
    const card = opened.chat.frame.getByRole("group", { name: "Approval needed" });
    await card.getByLabel("Reason (optional)").fill("Not this one");
    const root = opened.chat.frame.locator("html");
    await root.evaluate(holdFrames);
    await card.getByRole("button", { name: "Allow", exact: true }).click();
    await root.evaluate(releaseFrames);
    await card.getByText("npm start", { exact: true }).waitFor();
    assert.equal(await card.getByLabel("Reason (optional)").inputValue(), "");
  });
});
