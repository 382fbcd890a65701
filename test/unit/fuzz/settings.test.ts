import assert from "node:assert/strict";
import { loadSettings, setEverySetting } from "../../fuzz/settingsOfEditor.ts";

describe("settings that are no texts where texts belong", () => {
  it("are left out of the hosts that need no proxy, also where they cannot be made texts", async () => {
    const { readNetworkSettings } = await loadSettings();
    setEverySetting([{ toString: "null" }, "h.example"]);
    assert.deepEqual(readNetworkSettings().noProxy, ["h.example"]);
    setEverySetting([{ toString: "null" }]);
    assert.equal(readNetworkSettings().noProxy, undefined);
  });
});
