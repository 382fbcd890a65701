import assert from "node:assert/strict";
import * as vscode from "vscode";
import { createTextAttachment } from "../../src/editor/attachments/textAttachment.ts";
import type { FromWebview } from "../../src/chat/page/protocol.ts";
import { type CommandId, commandIds } from "../../src/contributions.ts";
import { AnsweredInputs, type ExpectedInput } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeChatCap, writeDailyCap } from "./testConnections.ts";
import { hasTurns, withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";

/**
 * Whether each command leads to a billable request:
 * - `free`: never
 * - `asked`: only after a question
 * - `told`: at once, because the name of the command or its menus announce the request
 */
const billing: Readonly<Record<CommandId, "free" | "asked" | "told">> = {
  [commandIds.checkConnection]: "asked",
  [commandIds.verifyCompatibility]: "asked",
  // The last step is the check. Its button names the requests.
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
  [commandIds.selectMode]: "free",
  [commandIds.selectChatModel]: "free",
  [commandIds.selectEffort]: "free",
  [commandIds.selectTools]: "free",
  [commandIds.compactChat]: "asked",
  [commandIds.undoAnswerChanges]: "free",
  [commandIds.forgetApprovals]: "free",
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
  [commandIds.showRequests]: "free",
  [commandIds.acceptProposal]: "free",
  [commandIds.acceptProposalPartly]: "free",
  [commandIds.rejectProposal]: "free",
  [commandIds.acceptChange]: "free",
  [commandIds.rejectChange]: "free",
  [commandIds.stopProposal]: "free",
  [commandIds.selectClientStyle]: "free",
  [commandIds.showMenu]: "free",
  [commandIds.selectSide]: "free",
  [commandIds.useInEditorChat]: "free",
  [commandIds.manageConnections]: "free",
  [commandIds.stopCommitMessage]: "free",
  [commandIds.resolveReviewComment]: "free",
  [commandIds.dismissReviewComment]: "free",
  [commandIds.dismissReview]: "free",
  [commandIds.stopCompletion]: "free",
  [commandIds.refineProposal]: "told",
  [commandIds.editSelection]: "told",
  [commandIds.completeHere]: "told",
  [commandIds.explain]: "told",
  [commandIds.explainTerminalSelection]: "told",
  [commandIds.fix]: "told",
  [commandIds.generateTests]: "told",
  [commandIds.generateDocs]: "told",
  [commandIds.review]: "told",
  [commandIds.generateCommitMessage]: "told",
  [commandIds.writeCommitMessage]: "told",
};

const isAsked = (id: CommandId): boolean => billing[id] === "asked";

describe("billing", () => {
  const connection = withConnection({ name: "Billed" });
  const chat = withChat(connection);
  let dialogues: ShownDialogues;
  /** The button to press if it is offered. */
  let pressed: string | undefined;

  beforeEach(() => {
    pressed = undefined;
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeChatCap(undefined);
    await writeDailyCap(undefined);
  });

  /** The inputs that a command shows before its question about billing. */
  const ahead: Readonly<Partial<Record<CommandId, readonly ExpectedInput[]>>> = {
    [commandIds.verifyCompatibility]: [
      ["Client Styles", ["messages"]],
      [/\d+ Billable Requests/, ["Answer without streaming"]],
    ],
    // This command asks about billing at its end, after the new key.
    [commandIds.replaceExposedKey]: [["Which connection's key was exposed?", undefined]],
  };
  /** Needs a chat with an answer. */
  const ofChats: ReadonlySet<CommandId> = new Set([commandIds.compactChat]);
  for (const command of Object.values(commandIds).filter((id) => isAsked(id) && !ofChats.has(id))) {
    it(`asks before anything is sent by ${command}`, async () => {
      const inputs = new AnsweredInputs(...(ahead[command] ?? []));
      await vscode.commands.executeCommand(command);
      inputs.dispose();
      const asked = dialogues.all.map(({ message, detail = "" }) => `${message} ${detail}`).join();
      if (command !== commandIds.replaceExposedKey) assert.match(asked, /billable request/);
      assert.equal(connection.service.journal.answers.length, 0);
    });
  }

  it("asks before a chat is compacted, and sends one request if the user agrees", async () => {
    const page = chat.openPage();
    await page.compact();
    assert.match(dialogues.all[0]?.message ?? "", /nothing to compact/);
    page.say({ type: "send", text: "Tell me more" });
    await hasTurns(page.chat, 2);
    connection.service.journal.clear();
    await page.compact();
    assert.match(dialogues.all[1]?.message ?? "", /1 billable request/);
    assert.equal(connection.service.journal.answers.length, 0);
    pressed = "Compact Chat";
    await page.compact();
    assert.equal(connection.service.journal.answers.length, 1);
    assert.deepEqual(
      page.chat.session.transcript.turns.map(({ kind, text }) => (kind === "question" ? text : kind)),
      ["Tell me more", "answer", "/compact", "answer"],
    );
  });

  it("asks before a chat exceeds its cap, for every way to send", async () => {
    const page = chat.openPage();
    connection.service.failNext({ status: 400 });
    page.say({ type: "send", text: "Fail" });
    await hasTurns(page.chat, 2);
    page.say({ type: "send", text: "Tell me more" });
    await hasTurns(page.chat, 4);
    const { turns } = page.chat.session.transcript;
    const [, failed, question, answer] = turns.map(({ id }) => id);
    assert.ok(failed !== undefined && question !== undefined && answer !== undefined);
    await writeChatCap(10);
    connection.service.journal.clear();
    const ways: readonly FromWebview[] = [
      { type: "edit", turnId: question, text: "Tell me less" },
      { type: "continue" },
      { type: "retry", turnId: answer },
      { type: "retry-with", turnId: answer },
      { type: "action", action: "retry", turnId: failed },
      { type: "send", text: "One more" },
    ];
    const inputs = new AnsweredInputs(["Ask Again With a Model of 'Billed'", "service-mini"]);
    const restored = page.next("restore-draft");
    for (const [index, way] of ways.entries()) {
      page.say(way);
      while (dialogues.all.length <= index) await dialogues.next();
      assert.match(
        dialogues.messages.at(-1) ?? "",
        /would exceed your token cap of 10 for a chat\.$/,
        way.type,
      );
    }
    inputs.dispose();
    await restored;
    assert.ok(page.chat.resting);
    assert.equal(page.chat.session.transcript.turns, turns);
    assert.equal(connection.service.journal.answers.length, 0);
  });

  it("counts attachments toward the daily cap, and leaves them attached if the user declines", async () => {
    const page = chat.openPage();
    const text = "many words ".repeat(2000);
    page.chat.attach([createTextAttachment({ kind: "text", name: "Pasted text", text })]);
    await writeDailyCap(1000);
    await page.answered({ type: "send", text: "What is this?" }, "restore-draft");
    assert.match(
      dialogues.messages.join(),
      /today\. Your next question would exceed your daily token cap of 1,000\.$/,
    );
    assert.equal(page.chat.attachments.length, 1);
    assert.equal(connection.service.journal.answers.length, 0);
  });
});
