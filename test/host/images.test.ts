import assert from "node:assert/strict";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";

/** An image of one pixel. */
const data =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

describe("an image for a chat", () => {
  const connection = withConnection({ name: "Seeing" });
  const chat = withChat(connection);

  it("is refused if the model does not accept images, and needs consent if this is unknown", async () => {
    let pressed: string | undefined;
    const dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
    const { chats } = chat.loaded;
    const shown = chats.create();
    const request = { type: "attach-data", name: "picture.png", mediaType: "image/png", data } as const;
    const page = { answer: () => assert.fail(), restoreText: () => assert.fail() };
    const { origin } = connection.service;
    const asked = { origin, model: "service-core", clientStyle: "chat-completions" } as const;
    const { compatibility } = chat.talking;
    const at = new Date().toISOString();
    compatibility.add(asked, {
      clientStyle: asked.clientStyle,
      probe: "image",
      state: "no",
      evidence: "refused",
      at,
    });
    await chats.context.handle(request, shown, page);
    assert.deepEqual(dialogues.messages, ["The model 'service-core' doesn't accept images."]);
    assert.equal(shown.attachments.length, 0);
    compatibility.forget(asked);
    await chats.context.handle(request, shown, page);
    assert.match(dialogues.messages.at(-1) ?? "", /^It's unknown whether 'service-core' accepts images\./);
    assert.equal(shown.attachments.length, 0);
    pressed = "Attach";
    await chats.context.handle(request, shown, page);
    assert.deepEqual(
      shown.attachments.map(({ kind, name }) => [kind, name]),
      [["image", "picture.png"]],
    );
    dialogues.dispose();
  });
});
