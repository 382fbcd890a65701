import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { CallRequest } from "../../src/chat/transcript/steps.ts";
import type { AnswerTurn } from "../../src/chat/transcript/transcript.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { createTranslate } from "../../src/text/translate.ts";
import { callText } from "../../src/webview/announcements/callTexts.ts";
import {
  type AgentTask,
  agentSettings,
  agentTasks,
  assertFiles,
  type TaskCard,
  writeTask,
} from "../support/agentTasks.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat, type ChatsPage } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

interface AskedCall {
  readonly call: number;
  readonly request: CallRequest;
}

/** The next card of the page. */
async function nextCard(page: ChatsPage): Promise<AskedCall> {
  const { events } = await page.next("transcript-events", (message) =>
    message.events.some(({ type }) => type === "call-asks"),
  );
  const event = events.find(({ type }) => type === "call-asks");
  return event?.type === "call-asks" ? event : assert.fail("There is no card.");
}

/** The card of a request, as the tasks describe it, with the reply to it. */
function cardOf(request: CallRequest, expected: TaskCard | undefined): TaskCard {
  const replyTo = (subject: string): TaskCard["reply"] =>
    expected?.subject === subject ? expected.reply : { type: "deny", why: "Nobody expected this card." };
  if (request.type === "command") return { subject: request.command, reply: replyTo(request.command) };
  if (request.type !== "edit") return assert.fail(`The card is a ${request.type}.`);
  const isActing = request.cautions.includes("acting-file");
  assert.equal(request.canAllowForAnswer, !isActing);
  return { subject: request.path, reply: replyTo(request.path), ...(isActing ? { isActing } : {}) };
}

/** Asks, replies to the cards as the task says, and returns the cards. */
async function play(page: ChatsPage, { question, cards }: AgentTask): Promise<readonly TaskCard[]> {
  const shown: TaskCard[] = [];
  let next = nextCard(page);
  const ended = page.ask(question).then(() => undefined);
  for (;;) {
    const card = await Promise.race([next, ended]);
    if (card === undefined) return shown;
    const replied = cardOf(card.request, cards[shown.length]);
    shown.push(replied);
    next = nextCard(page);
    const turnId = page.chat.session.transcript.arriving?.id ?? "";
    page.say({ type: "reply-call", turnId, call: card.call, reply: replied.reply });
  }
}

function workspace(): string {
  return workspaceFolder().uri.fsPath;
}

describe("a whole task in Agent mode", () => {
  const connection = withConnection({ name: "Tasked" });
  const chat = withChat(connection);
  const run = crypto.randomUUID().slice(0, 8);
  let dialogues: ShownDialogues;

  before(async () => {
    for (const [name, value] of Object.entries(agentSettings)) await writeSetting(name, value);
    // VS Code would load the schema of a package's file.
    await writeSetting("json.schemaDownload.enable", false);
  });
  after(async () => {
    for (const name of Object.keys(agentSettings)) await writeSetting(name, undefined);
    await writeSetting("json.schemaDownload.enable", undefined);
  });
  beforeEach(() => {
    dialogues = new ShownDialogues(() => undefined);
    connection.service.script.clear();
  });
  afterEach(() => {
    dialogues.dispose();
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  for (const clientStyle of clientStyles) {
    for (const createTask of agentTasks) {
      // A new folder for each test, because VS Code may still have the text of an earlier file.
      const task = createTask(`task-${run}-${clientStyle}-${createTask.name}`);

      it(`${task.title}, and is undone, with ${clientStyle}`, async () => {
        await writeTask(workspace(), task);
        try {
          const { connections } = chat.talking;
          await connections.chooseClientStyle(connections.current ?? assert.fail(), clientStyle);
          const page = chat.openPage();
          page.chat.mode = "agent";
          connection.service.script.add(task.script);
          const shown = await play(page, task);
          const answer = page.chat.session.transcript.turns.at(-1);
          assert.ok(answer?.kind === "answer");
          assert.deepEqual(answer.state, { kind: "complete", reason: "stop" });
          assert.equal(connection.service.script.left, 0);
          assert.equal(connection.service.journal.answers.length, task.script.length);
          assert.deepEqual(shown, task.cards);
          assert.deepEqual(linesOf(answer), task.lines);
          assert.ok(answer.text.replaceAll("`", "").endsWith(task.answer), answer.text);
          await assertFiles(workspace(), task, task.after);

          page.say({ type: "changes", turnId: answer.id, action: "undo" });
          const count = Object.keys(task.after).length;
          const { message } = await dialogues.until("Undid the changes");
          assert.ok(message.startsWith(`Undid the changes to ${count} file${count === 1 ? "" : "s"}.`));
          const hasRun = task.lines.some((line) => line.startsWith("Ran"));
          assert.equal(message.endsWith("Commands that ran were not undone."), hasRun);
          await assertFiles(workspace(), task);
        } finally {
          await rm(path.join(workspace(), task.folder), { recursive: true });
        }
      });
    }
  }
});

const t = createTranslate({});

function linesOf({ steps = [] }: AnswerTurn): readonly string[] {
  return steps.flatMap(({ calls }) => calls).map((each) => callText(each, t));
}
