import assert from "node:assert/strict";
import { fakeKey } from "../unit/service/fixture.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

describe("a faulty header in the settings", () => {
  it("causes a warning that names the header, without its value, and leads to the setting", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    const secret = fakeKey("in-a-header");
    const headers = { "x-portkey-provider": "openai", "x-gateway": secret };
    await writeConnections([{ name: "Gated", baseUrl: "https://h.example", headers }]);
    const { message, buttons } = await dialogues.until("Connection 'Gated' sends nothing");
    assert.match(message, /The value of the header x-gateway looks like a secret/);
    assert.ok(!message.includes(secret));
    assert.deepEqual(buttons, ["Open Settings"]);
    dialogues.dispose();
    await writeConnections(undefined);
  });
});

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
