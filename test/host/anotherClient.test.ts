import assert from "node:assert/strict";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeEntries } from "./testConnections.ts";
import { type ChatsPage, hasTurns, withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";

describe("a conversation with one client when its chat switches to another", () => {
  const connection = withConnection({ name: "First client" });
  const { name, variable: keyVariable } = connection;
  const chat = withChat(connection);
  let other: PlainServer;
  let dialogues: ShownDialogues;
  let page: ChatsPage;
  let pressed: string;

  beforeEach(async () => {
    other = await startPlainServer();
    pressed = "Cancel";
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
    page = chat.openPage();
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeEntries([{ name, baseUrl: connection.service.origin, keyVariable }]);
    await other.close();
  });

  it("does not go to the other client without consent, can continue in a new chat, and loses no text", async () => {
    const origin = page.chat;
    page.say({ type: "send", text: "a secret of the first client" });
    await hasTurns(origin, 2);
    await writeEntries([
      { name, baseUrl: connection.service.origin, keyVariable },
      { name: "Second client", baseUrl: other.origin, keyVariable },
    ]);
    await chat.talking.connections.use({ name: "Second client" });
    // The workspace's selection is not that of the chat.
    assert.equal(origin.selection?.connection, "First client");
    const inputs = new AnsweredInputs(["Which connection should this chat use?", "Second client"]);
    await page.answered({ type: "choose", what: "connection" }, "focus-composer");
    inputs.dispose();
    const restored = await page.answered({ type: "send", text: "and now something else" }, "restore-draft");
    assert.deepEqual(restored, { type: "restore-draft", text: "and now something else" });
    assert.equal(
      dialogues.messages[0],
      "This chat used 'First client'. Continue the chat with 'Second client'?",
    );
    const [question] = origin.session.transcript.turns;
    const edit = { type: "edit", turnId: question?.id ?? "", text: "for the second client" } as const;
    assert.deepEqual(await page.answered(edit, "restore-edit"), {
      type: "restore-edit",
      turnId: edit.turnId,
      text: edit.text,
    });
    assert.equal(other.requests, 0);
    pressed = "Start New Chat";
    await page.answered(edit, "snapshot");
    assert.notEqual(page.chat, origin);
    await hasTurns(page.chat, 2);
    assert.equal(page.chat.title, edit.text);
    assert.equal(origin.session.transcript.turns.length, 2);
    assert.ok(other.requests > 0);
  });
});
