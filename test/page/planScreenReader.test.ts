import assert from "node:assert/strict";
import type { CallRequest, CallResult } from "../../src/chat/transcript/steps.ts";
import type { ScriptPart } from "../service/script.ts";
import { chatPages, type OpenChatPage } from "../support/page/chatPages.ts";
import { focusedName, namesOf, walk } from "../support/page/focusWalk.ts";
import { TestTools } from "../support/testTools.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { heard, listen } from "../support/workbench/spoken.ts";

const read = (path: string): ScriptPart => ({ call: "read_file", arguments: { path } });
const twoLines: CallResult = {
  outcome: "done",
  text: "1\tone\n2\ttwo",
  facts: { firstLine: 1, lastLine: 2 },
};

/** Tools whose second call asks the user. */
function askingTools(request: CallRequest): TestTools {
  const tools = new TestTools();
  tools.result = async (_call, { ask }) => {
    if (tools.calls.length === 2) await ask(request);
    return twoLines;
  };
  return tools;
}

const isBusy = inPage<boolean>('(card) => card.closest("[aria-busy=true]") !== null');

const tree = ({ chat }: OpenChatPage): Promise<string> => chat.turns("Assistant").first().ariaSnapshot();

/** Asks, and resolves when the card is shown. The focus stays in the composer. */
async function askUntil(opened: OpenChatPage, card: string, script: readonly ScriptPart[]): Promise<void> {
  const { chat, service, page } = opened;
  await listen(chat);
  service.script.add([{ send: [...script] }]);
  await page.keyboard.type("Explain");
  await page.keyboard.press("Enter");
  const shown = chat.frame.getByRole("group", { name: card, exact: true });
  await shown.waitFor();
  assert.equal(await shown.evaluate(isBusy), false, "a screen reader may leave out what is busy");
  assert.equal(await focusedName(opened), "textbox Message", "the focus stays");
}

/** The stops from the composer to the last control of the last answer, and behind it. */
async function stopsInAnswer(opened: OpenChatPage): Promise<readonly string[]> {
  await opened.page.keyboard.press("Shift+Tab");
  await opened.page.keyboard.press("End");
  assert.equal(await focusedName(opened), "article Assistant");
  return namesOf(await walk(opened, "Tab", "textbox Message"));
}

async function assertAccessible({ chat }: OpenChatPage): Promise<void> {
  assert.deepEqual(await accessibilityProblems(chat.frame, "--vscode-sideBar-background"), []);
}

describe("the screen reader, in Plan mode", () => {
  const { open } = chatPages();

  it("finds the steps of an answer as text and folded lines, and hears each call", async () => {
    const tools = new TestTools();
    tools.result = async () => twoLines;
    const opened = await open({ tools });
    const { chat, service } = opened;
    await listen(chat);
    service.script.add([
      { send: [{ text: "I look." }, read("a.ts")] },
      { send: [read("b.ts"), read("c.ts"), read("d.ts")] },
      { send: [{ text: "It adds." }] },
    ]);
    await chat.send("Explain");
    const spoken = await heard(chat, /Answer complete/);
    assert.match(spoken.join(" "), /I look\. .*Read 'a\.ts', lines 1-2.* It adds\. Answer complete/);
    await chat.usage.first().waitFor();
    assert.equal(
      await tree(opened),
      `
- article "Assistant":
  - paragraph: I look.
  - group: Read 'a.ts', lines 1-2
  - group: Read 3 files
  - paragraph: It adds.
  - button "Copy"
  - button "Retry"
  - button "Ask Again With..."
  - text: service-core · Chat Completions
  - status "Usage": "Tokens: 84 in, 8 out"
`.trim(),
    );
    assert.deepEqual(await stopsInAnswer(opened), [
      "summary Read 'a.ts', lines 1-2",
      "summary Read 3 files",
      "button Copy",
      "button Retry",
      "button Ask Again With...",
      "textbox Message",
    ]);
    await assertAccessible(opened);
  });

  it("hears an approval, finds its card, and reaches each control by Tab", async () => {
    const opened = await open({
      tools: askingTools({ type: "approval", reason: "sensitive-file", path: ".env" }),
    });
    await askUntil(opened, "Approval needed", [{ text: "I look." }, read("a.ts"), read(".env")]);
    await heard(opened.chat, /'\.env' might contain keys or passwords\. Let the model read it\?/);
    assert.equal(
      await tree(opened),
      `
- article "Assistant":
  - status "Progress": "Waiting for you Request 1 of 25 · Tokens: 20 in, 4 out"
  - paragraph: I look.
  - group: Read 'a.ts', lines 1-2
  - group: "Waiting for you: Reading '.env'"
  - group "Approval needed":
    - paragraph: "'.env' might contain keys or passwords. Let the model read it?"
    - textbox "Reason (optional)"
    - button "Allow"
    - button "Deny"
`.trim(),
    );
    assert.deepEqual(await stopsInAnswer(opened), [
      "summary Read 'a.ts', lines 1-2",
      "summary Waiting for you: Reading '.env'",
      "textbox Reason (optional)",
      "button Allow",
      "button Deny",
      "textbox Message",
    ]);
    await assertAccessible(opened);
  });

  it("hears a question, finds its card, and reaches each control by Tab", async () => {
    const opened = await open({
      tools: askingTools({ type: "question", question: "Which one?", options: ["Unit", "Pa\u202ege"] }),
    });
    await askUntil(opened, "Question", [
      read("a.ts"),
      { call: "ask_user", arguments: { question: "Which one?" } },
    ]);
    await heard(opened.chat, /Which one\?/);
    assert.equal(
      await tree(opened),
      `
- article "Assistant":
  - status "Progress": "Waiting for you Request 1 of 25 · Tokens: 20 in, 4 out"
  - group: Read 'a.ts', lines 1-2
  - group: "Asking you: Which one?"
  - group "Question":
    - paragraph: Which one?
    - button "Unit"
    - button "Pa[U+202E]ge"
    - textbox "Your answer"
    - button "Answer" [disabled]
    - button "Skip"
`.trim(),
    );
    assert.deepEqual(await stopsInAnswer(opened), [
      "summary Read 'a.ts', lines 1-2",
      "summary Asking you: Which one?",
      "button Unit",
      "button Pa[U+202E]ge",
      "textbox Your answer",
      "button Answer",
      "button Skip",
      "textbox Message",
    ]);
    await assertAccessible(opened);
  });

  it("hears a pause, finds its card, and reaches each control by Tab", async () => {
    const tools = new TestTools();
    tools.maxRequests = 1;
    tools.result = async () => twoLines;
    const opened = await open({ tools });
    await askUntil(opened, "Paused", [{ text: "I look." }, read("a.ts")]);
    await heard(opened.chat, /This answer has sent 1 request\. Let it continue\?/);
    assert.equal(
      await tree(opened),
      `
- article "Assistant":
  - status "Progress": "Waiting for you Request 1 of 1 · Tokens: 20 in, 3 out"
  - paragraph: I look.
  - group: Read 'a.ts', lines 1-2
  - group "Paused":
    - paragraph: This answer has sent 1 request. Let it continue?
    - button "Continue"
    - button "Stop"
`.trim(),
    );
    assert.deepEqual(await stopsInAnswer(opened), [
      "summary Read 'a.ts', lines 1-2",
      "button Continue",
      "button Stop",
      "textbox Message",
    ]);
    await assertAccessible(opened);
  });
});
