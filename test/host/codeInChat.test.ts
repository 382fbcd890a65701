import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { AnswerTurn, QuestionTurn } from "../../src/chat/transcript/transcript.ts";
import { InPlaceActions } from "../../src/editor/inPlace/inPlaceActions.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { Proposals } from "../../src/editor/edits/proposals.ts";
import { answerInPlace, priceFile } from "../support/inPlaceRepository.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat } from "./withChat.ts";
import { withChatView } from "./withChatView.ts";
import { withConnection } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";

const sound = "I looked at it, and it is sound.";

describe("answers about code", () => {
  const connection = withConnection({
    name: "Reading code",
    service: {
      answers: (message) => (message.includes("Review the attached") ? sound : answerInPlace(message)),
    },
  });
  const { asks } = connection;
  const chat = withChat(connection);
  const viewed = withChatView(chat);
  const file = withOpenFile("price.txt", priceFile);
  const owned: vscode.Disposable[] = [];
  const { withProgress } = vscode.window;
  let actions: InPlaceActions;
  let dialogues: ShownDialogues;

  beforeEach(async () => {
    const lastTextEditor = new LastTextEditor();
    const proposals = new Proposals(lastTextEditor);
    actions = new InPlaceActions({
      ...chat.talking,
      loadChats: () => Promise.resolve(chat.loaded),
      view: viewed.view,
      lastTextEditor,
      loadCodeActions: () => Promise.resolve({ proposals }),
      state: createMemento(),
    });
    dialogues = new ShownDialogues();
    owned.push(lastTextEditor, proposals, actions, dialogues);
    await viewed.showPage();
  });
  afterEach(() => {
    Object.assign(vscode.window, { withProgress });
    connection.service.pace = 0;
    for (const each of owned.splice(0).toReversed()) each.dispose();
  });

  const subject = () => ({ document: file.document, range: new vscode.Range(6, 0, 13, 0) });

  /** The question and the answer of the chat that the view shows, after the answer has ended. */
  async function turns(): Promise<readonly [QuestionTurn, AnswerTurn]> {
    const { session } = await viewed.answered();
    const [question, answer, ...others] = session.transcript.turns;
    assert.ok(question?.kind === "question" && answer?.kind === "answer" && others.length === 0);
    return [question, answer];
  }

  it("open in a chat of their own with the code, and leave other chats unchanged", async () => {
    const ids: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      await actions.ask("explain", subject());
      const [question, answer] = await turns();
      assert.deepEqual([question.attachments?.length, answer.text], [1, "It adds up a bill."]);
      ids.push((await viewed.view.current()).id);
    }
    assert.notEqual(ids[0], ids[1]);
    assert.equal(asks.length, 2);
    assert.match(
      asks.at(-1)?.messages.at(-1)?.text ?? "",
      /price\.txt:7-13"[^]*let sum[^]*Explain the attached code/,
    );
  });

  it("open in a chat if a change was requested but the answer has no code", async () => {
    const inputs = new AnsweredInputs([/^Edit lines 7-13/, "Say why"]);
    await actions.edit(subject());
    inputs.dispose();
    assert.match(dialogues.messages.join(), /^service-core answered without code, so nothing was changed\.$/);
    const [question, answer] = await turns();
    assert.deepEqual(
      [question.text, answer.text],
      ["Say why", "It adds up prices, and nothing needs to change."],
    );
    assert.equal(file.text, priceFile);
  });

  it("open in a chat if a review cannot be read as comments", async () => {
    await actions.review(subject());
    assert.match(dialogues.messages.join(), /couldn't be shown as comments/);
    const [question, answer] = await turns();
    assert.match(question.text, /^Review the attached code/);
    assert.equal(answer.text, sound);
    assert.equal(actions.threads, undefined);
  });

  it("end at once when a review is canceled, and abort the request", async () => {
    const cancelling = new vscode.CancellationTokenSource();
    const shown = (_options: unknown, work: Parameters<typeof withProgress>[1]): Thenable<unknown> =>
      work({ report: () => undefined }, cancelling.token);
    Object.assign(vscode.window, { withProgress: shown });
    connection.service.pace = 1000;
    const reviewing = actions.review(subject());
    await connection.service.journal.next(({ piecesSent }) => piecesSent > 0, soon());
    cancelling.cancel();
    await reviewing;
    await connection.service.journal.next(({ state }) => state === "aborted", soon());
    assert.deepEqual(dialogues.messages, []);
  });
});
