import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import type { AnswerTurn } from "../../src/chat/transcript/transcript.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { type AnswerDialogue, ShownDialogues } from "./shownDialogues.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { withScreen } from "./withScreen.ts";
import { writeSetting } from "./writeSetting.ts";

describe("several chats at once", () => {
  const connection = withConnection();
  const test = withChat(connection);
  const screen = withScreen(test);

  it("have their own answers and drafts", async () => {
    const [one, two] = [test.loaded.chats.create(), test.loaded.chats.create()];
    const [first, second] = [test.openPage(one), test.openPage(two)];
    await first.begun({ type: "send", text: "one /long 4000 /pace 300" });
    first.say({ type: "draft", chatId: one.id, text: "a draft of the first" });
    await second.begun({ type: "send", text: "two /long 1200 /pace 300" });
    await second.ended({ type: "stop" });
    assert.equal(one.session.busy, true, "the first goes on");
    const ended = first.next("transcript-events", ({ events }) =>
      events.some(({ type }) => type === "answer-ended"),
    );
    connection.service.hurry();
    await ended;
    const [ofFirst, ofSecond] = [one, two].map(({ session }) => session.transcript.turns.at(-1));
    assert.ok(ofFirst?.kind === "answer" && ofSecond?.kind === "answer");
    assert.deepEqual([ofFirst.state.kind, ofSecond.state.kind], ["complete", "stopped"]);
    assert.match(ofFirst.text, /A long answer to: one/);
    assert.deepEqual([one.draft, two.draft], ["a draft of the first", ""]);
  });

  it("receive attachments from menus in the chat that was used last, in the view or a tab", async () => {
    const root = workspaceFolder().uri;
    const [readme, script] = ["README.md", "convert.py"].map((name) => vscode.Uri.joinPath(root, name));
    const moved = await screen.view.current();
    await screen.run(commandIds.addFileToChat, readme, [readme, script]);
    assert.deepEqual(names(moved), ["README.md", "convert.py"]);
    await screen.run(commandIds.openChatInEditor);
    const inView = await screen.view.current();
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(root, "summary.ts"));
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    await screen.run(commandIds.addSelectionToChat);
    assert.deepEqual(names(moved), ["README.md", "convert.py", "summary.ts"]);
    assert.deepEqual(names(inView), []);
  });
});

describe("a chat that exceeds its cap", () => {
  const connection = withConnection();
  const test = withChat(connection);
  let dialogues: ShownDialogues | undefined;

  afterEach(async () => {
    dialogues?.dispose();
    await writeSetting("inference.chat.tokenCap", undefined);
  });

  it("asks first, and returns the text to where it was typed if the user declines", async () => {
    await writeSetting("inference.chat.tokenCap", 100);
    let answer: ReturnType<AnswerDialogue>;
    dialogues = new ShownDialogues(() => answer);
    const page = test.openPage();
    await page.ask("a first question /long 800 /pace 0");
    connection.service.journal.clear();
    const text = "a second question";
    assert.equal((await page.answered({ type: "send", text }, "restore-draft")).text, text);
    const [asked] = dialogues.all;
    assert.match(
      asked?.message ?? "",
      /This chat has used \d+ tokens\. .* would exceed your token cap of 100 for a chat/,
    );
    assert.match(asked?.detail ?? "", /inference\.chat\.tokenCap/);
    const [first] = page.chat.session.transcript.turns;
    const turnId = first?.id ?? assert.fail();
    const edited = await page.answered({ type: "edit", turnId, text: "put better" }, "restore-edit");
    assert.deepEqual([edited.turnId, edited.text], [turnId, "put better"]);
    assert.equal(connection.service.journal.answers.length, 0);
    answer = "Send Anyway";
    await page.ask(text);
    assert.equal(page.chat.session.transcript.turns.length, 4);
  });
});

describe("another answer to a question", () => {
  const connection = withConnection({ name: "Asked again" });
  const test = withChat(connection);
  const title = "Ask Again With a Model of 'Asked again'";
  let inputs: AnsweredInputs | undefined;
  let page: ChatsPage;

  beforeEach(async () => {
    page = test.openPage();
    await page.ask("Hello");
    connection.service.journal.clear();
  });
  afterEach(() => inputs?.dispose());

  const lastAnswer = (): AnswerTurn => {
    const turn = page.chat.session.transcript.turns.at(-1);
    return turn?.kind === "answer" ? turn : assert.fail();
  };
  const generated = () => connection.service.journal.answers.map(({ path, model }) => `${path} ${model}`);

  it("uses the selected model and client style for this answer only", async () => {
    inputs = new AnsweredInputs([title, "service-large · messages"]);
    const focused = page.next("focus-composer");
    await page.ended({ type: "retry-with", turnId: lastAnswer().id });
    await focused;
    assert.match(
      inputs.questions[0] ?? "",
      /\nSends a billable request to the model you select\. The chat keeps using service-core\.$/,
    );
    await page.ask("And now?");
    assert.deepEqual(generated(), ["/v1/messages service-large", "/v1/chat/completions service-core"]);
  });

  it("uses an unlisted model if its ID is typed", async () => {
    inputs = new AnsweredInputs([title, "service-unlisted"]);
    await page.ended({ type: "retry-with", turnId: lastAnswer().id });
    const { model, clientStyle, state } = lastAnswer();
    assert.deepEqual([model, clientStyle, state.kind], ["service-unlisted", "chat-completions", "failed"]);
  });

  it("sends nothing on Escape, and returns the focus", async () => {
    inputs = new AnsweredInputs([title, undefined]);
    await page.answered({ type: "retry-with", turnId: lastAnswer().id }, "focus-page");
    assert.deepEqual(generated(), []);
  });
});

function names({ attachments }: Chat): readonly string[] {
  return attachments.map(({ name }) => name);
}
