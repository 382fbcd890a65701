import assert from "node:assert/strict";
import { withChat } from "./withChat.ts";
import { withChatView } from "./withChatView.ts";
import { withConnection } from "./withConnection.ts";

describe("the chat view", () => {
  const connection = withConnection();
  const chat = withChat(connection);
  const viewed = withChatView(chat);

  it("sends a question once, when its page is ready, and keeps a second one as a draft", async () => {
    await viewed.view.ask("the first", []);
    await viewed.view.ask("the second", []);
    assert.deepEqual((await viewed.view.current()).session.transcript.turns, []);
    const panel = await viewed.showPage();
    const first = await viewed.answered();
    const closed = new Promise((done) => panel.onDidDispose(done));
    panel.dispose();
    await closed;
    await viewed.showPage();
    await viewed.view.ask("the third", []);
    const third = await viewed.answered();
    assert.notEqual(third.id, first.id);
    assert.deepEqual(
      [first, third].map(({ title }) => title),
      ["the first", "the third"],
    );
    assert.equal(first.session.transcript.turns.length, 2);
    assert.equal(chat.loaded.drafts.draftOf(first.id), "the second");
    assert.equal(connection.service.journal.answers.length, 2);
  });
});
