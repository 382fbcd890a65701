import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { FromWebview } from "../../src/chat/panelProtocol.ts";
import { commandIds, type CommandId } from "../../src/contributions.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { pasteInto } from "../support/workbench/transfers.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_BILLING_KEY";
const key = fakeKey("billing");
const overloaded = { error: { type: "overloaded_error", message: "Overloaded" } };

/** Every message of the page: the buttons by which it leads to a request that is billed; none where it never does. */
const buttonsOf: Readonly<Record<FromWebview["type"], readonly string[]>> = {
  send: ["Send"],
  edit: ["Send"],
  continue: ["Continue"],
  retry: ["Retry"],
  "retry-with": ["Ask Again With..."],
  "retry-now": ["Retry Now"],
  // A remedy of a failure: these two ask the service to generate.
  action: ["Retry", "Check Connection"],
  ready: [],
  focused: [],
  blurred: [],
  stop: [],
  "keep-waiting": [],
  "select-version": [],
  include: [],
  "open-limit": [],
  "new-chat": [],
  draft: [],
  choose: [],
  context: [],
  copy: [],
  "open-link": [],
  "find-files": [],
  "open-file": [],
  "follow-code-colors": [],
  "code-action": [],
  "apply-answer": [],
  prompt: [],
};

/**
 * Every command: whether it leads to a request that is billed. One that does either asks before it is made,
 * or is what the user asks the model for, which its name and the menus with it say.
 */
const billing: Readonly<Record<CommandId, "free" | "asked" | "told">> = {
  [commandIds.checkConnection]: "asked",
  [commandIds.verifyCompatibility]: "asked",
  // Its last step is the check, by a button that names the requests.
  [commandIds.replaceExposedKey]: "asked",
  [commandIds.addConnection]: "free",
  [commandIds.editConnection]: "free",
  [commandIds.removeConnection]: "free",
  [commandIds.useConnection]: "free",
  [commandIds.setApiKey]: "free",
  [commandIds.removeApiKey]: "free",
  [commandIds.removeUnusedKeys]: "free",
  [commandIds.scanForExposedKeys]: "free",
  [commandIds.listModels]: "free",
  [commandIds.selectModel]: "free",
  [commandIds.openChat]: "free",
  [commandIds.openChatInEditor]: "free",
  [commandIds.newChat]: "free",
  [commandIds.showHistory]: "free",
  [commandIds.exportChat]: "free",
  [commandIds.importChat]: "free",
  [commandIds.deleteAllChats]: "free",
  [commandIds.copySupportReport]: "free",
  [commandIds.addSelectionToChat]: "free",
  [commandIds.addFileToChat]: "free",
  [commandIds.attachSelection]: "free",
  [commandIds.attachFile]: "free",
  [commandIds.showLog]: "free",
  [commandIds.acceptProposal]: "free",
  [commandIds.acceptProposalPartly]: "free",
  [commandIds.rejectProposal]: "free",
  [commandIds.acceptChange]: "free",
  [commandIds.rejectChange]: "free",
  [commandIds.stopProposal]: "free",
  [commandIds.selectClientStyle]: "free",
  [commandIds.showMenu]: "free",
  [commandIds.useInEditorChat]: "free",
  [commandIds.manageConnections]: "free",
  [commandIds.stopCommitMessage]: "free",
  [commandIds.resolveReviewComment]: "free",
  [commandIds.dismissReviewComment]: "free",
  [commandIds.dismissReview]: "free",
  [commandIds.refineProposal]: "told",
  [commandIds.editSelection]: "told",
  [commandIds.explain]: "told",
  [commandIds.explainTerminalSelection]: "told",
  [commandIds.fix]: "told",
  [commandIds.generateTests]: "told",
  [commandIds.generateDocs]: "told",
  [commandIds.review]: "told",
  [commandIds.generateCommitMessage]: "told",
  [commandIds.writeCommitMessage]: "told",
};

describe("what is billed, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 60,
        "inference.network.stallTimeout": 1,
      },
      environment: { [keyVariable]: key },
    });
  });
  beforeEach(() => service.journal.clear());
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  const generated = () => service.journal.entries.filter(({ method }) => method === "POST").length;

  it("is told by every button of the chat that leads to it, and by no other", async () => {
    const { chat, screenshot } = partsOf(editor);
    const billed = new Set<string>();
    const free = new Set<string>();
    const look = async (): Promise<void> => {
      for (const { name, isBilled } of await readButtons(chat.frame.getByRole("button"))) {
        (isBilled ? billed : free).add(name);
      }
    };
    await chat.open();
    await look();
    await chat.send("Tell me more /long 20000 /pace 0");
    const cut = chat.turns("Assistant").first();
    await cut.getByText("cut at its token limit").waitFor();
    await chat.button("Edit").click();
    await chat.frame.getByRole("textbox", { name: "Edit question" }).waitFor();
    await look();
    await chat.button("Cancel").click();
    await chat.send("Go on /long 60 /pace 60000");
    await chat.silenceNotice.waitFor();
    await look();
    await chat.silenceNotice.getByRole("button", { name: "Stop" }).click();
    await chat.turns("Assistant").nth(1).getByText("Stopped.").waitFor();
    service.failNext({ status: 529, headers: { "retry-after": "50" }, body: overloaded });
    await chat.send("Hello");
    await chat.retryNotice.waitFor();
    await look();
    await chat.retryNotice.getByRole("button", { name: "Stop" }).click();
    await chat.alert("overloaded").waitFor();
    await look();
    service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
    await chat.send("Hello again");
    await chat.alert("server-error").getByRole("button", { name: "Check Connection" }).hover();
    await look();
    await screenshot("billable-hint");
    assert.deepEqual([...billed].sort(), [...new Set(Object.values(buttonsOf).flat())].sort());
    assert.deepEqual(
      [...free].filter((name) => billed.has(name)),
      [],
      "one name, one meaning",
    );
  });

  for (const command of Object.values(commandIds).filter((id) => billing[id] === "asked")) {
    it(`is asked about by ${command} before anything is sent`, async () => {
      const { palette, dialog, quickInput } = partsOf(editor);
      await palette.run(command);
      switch (command) {
        case commandIds.checkConnection:
          assert.match((await dialog.read()).detail, /one billable request/);
          await dialog.press("Cancel");
          break;
        case commandIds.verifyCompatibility:
          await quickInput.waitFor("Client Styles");
          await quickInput.accept();
          await quickInput.waitFor(/\d+ Billable Requests/);
          await quickInput.accept();
          assert.match((await dialog.read()).message, /Make \d+ billable requests to Acme\?/);
          await dialog.press("Cancel");
          break;
        default:
          // Asked at its end, which its own tests reach.
          await quickInput.waitFor("Whose key was exposed?");
          await quickInput.cancel();
      }
      assert.equal(generated(), 0);
    });
  }

  it("is asked about first, by whichever way it would pass the cap of a chat", async () => {
    const { workbench, chat, dialog, quickInput } = partsOf(editor);
    await editor.workbench.beginChat();
    await chat.send("Tell me more /long 20000 /pace 0");
    await chat.turns("Assistant").first().getByText("cut at its token limit").waitFor();
    await workbench.updateSettings({ "inference.chat.tokenCap": 10 });
    await chat.open();
    const answer = chat.turns("Assistant").last();
    await answer.getByText("cut at its token limit").waitFor();
    service.journal.clear();
    const refuse = async (): Promise<void> => {
      assert.match((await dialog.read()).message, /passes your cap of 10/);
      assert.equal(generated(), 0);
      await dialog.press("Cancel");
    };
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      Send: () => chat.send("One more"),
      Edit: async () => {
        await chat.button("Edit").click();
        await chat.frame.getByRole("textbox", { name: "Edit question" }).press("Control+End");
        await chat.frame.locator(".question-editor").getByRole("button", { name: "Send" }).click();
      },
      Continue: () => chat.button("Continue").click(),
      Retry: () => answer.getByRole("button", { name: "Retry" }).click(),
      "Ask Again With...": async () => {
        await answer.getByRole("button", { name: "Ask Again With..." }).click();
        await quickInput.waitFor("Ask Acme Again With");
        await quickInput.row("service-mini").first().click();
      },
    };
    for (const [way, go] of Object.entries(ways)) {
      await chat.composer.fill("");
      await go();
      await refuse();
      assert.equal(generated(), 0, way);
    }
    assert.equal(await chat.turns("Assistant").count(), 1);
    // Of a failed answer, by the button of its notice.
    service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
    await answer.getByRole("button", { name: "Retry" }).click();
    await dialog.press("Send Anyway");
    await chat.alert("server-error").waitFor();
    service.journal.clear();
    await workbench.reload();
    await chat.open();
    await chat.failure("server-error").getByRole("button", { name: "Retry" }).click();
    await refuse();
  });

  it("counts what is attached before the cap of a day is passed", async () => {
    const { workbench, chat, dialog, page } = partsOf(editor);
    await workbench.updateSettings({ "inference.chat.tokenCap": 0, "inference.chat.dailyTokenCap": 1000 });
    await chat.open();
    await editor.workbench.beginChat();
    const long = "many words ".repeat(2000);
    await pasteInto(chat.composer, { texts: { "text/plain": long } });
    await chat.composer.fill(long);
    await chat.button("Attach Instead").click();
    await chat.attachments.waitFor();
    service.journal.clear();
    await chat.send("What is this?");
    assert.match((await dialog.read()).message, /today; with the next question it passes your cap of 1,000/);
    assert.equal(generated(), 0);
    await dialog.press("Cancel");
    assert.equal(await chat.attachments.count(), 1, "nothing is lost");
    await page.keyboard.press("Escape");
  });

  it("is asked about for the day also where a new chat is begun, and what was typed outlasts a reload", async () => {
    const { workbench, chat, dialog } = partsOf(editor);
    await workbench.updateSettings({ "inference.chat.tokenCap": 1, "inference.chat.dailyTokenCap": 1 });
    await chat.open();
    await editor.workbench.beginChat();
    service.journal.clear();
    await chat.send("A question of some length");
    assert.match((await dialog.read()).message, /This chat has used 0 tokens/);
    await workbench.loadPageAgain();
    await chat.open();
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "A question of some length");
    await chat.composer.press("Enter");
    await dialog.root.getByRole("button", { name: "Start New Chat" }).click();
    await dialog.root.getByText(/today; with the next question it passes your cap of 1/).waitFor();
    assert.equal(generated(), 0);
    await dialog.press("Cancel");
    await chat.frame.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor();
    assert.equal(await chat.composer.inputValue(), "A question of some length");
    assert.equal(generated(), 0);
  });
});

interface ShownButton {
  readonly name: string;
  readonly isBilled: boolean;
}

/** Names of the buttons that are on the screen, and whether they tell of a billable request, by hint and description. */
async function readButtons(buttons: Locator): Promise<readonly ShownButton[]> {
  const shown: ShownButton[] = [];
  for (const button of await buttons.all()) {
    const name = (await button.getAttribute("aria-label")) ?? (await button.innerText()).trim();
    const hint = (await button.getAttribute("title")) ?? "";
    const isBilled = (await button.getAttribute("aria-description")) === "Billable request";
    assert.equal(hint.endsWith(" · billable request"), isBilled, `${name}: ${hint}`);
    shown.push({ name, isBilled });
  }
  return shown;
}
