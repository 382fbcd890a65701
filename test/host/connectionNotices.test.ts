import assert from "node:assert/strict";
import { fakeKey } from "../unit/service/fixture.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

describe("a key in the settings", () => {
  it("causes a warning that does not show the key and offers to set another", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    const key = fakeKey("in-settings");
    await writeConnections([{ name: "Careless", baseUrl: "https://h.example", apiKey: key }]);
    const { message, buttons } = await dialogues.until("Connection 'Careless' is ignored because");
    assert.match(message, /'apiKey' seems to contain an API key/);
    assert.ok(!message.includes(key));
    assert.ok(buttons.includes("Set API Key..."), buttons.join());
    dialogues.dispose();
    await writeConnections(undefined);
  });
});
