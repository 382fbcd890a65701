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

describe("what is read of the network", () => {
  it("tells of the variable by which the editor's fetch takes any certificate", async () => {
    const { readNetworkSettings } = await loadSettings();
    const name = "NODE_TLS_REJECT_UNAUTHORIZED";
    const before = process.env[name];
    const { fetchTakesAnyCertificate } = readNetworkSettings();
    assert.equal(fetchTakesAnyCertificate?.(), before === "0");
    try {
      process.env[name] = "0";
      assert.equal(fetchTakesAnyCertificate?.(), true, "it may be set at any time");
    } finally {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
  });
});
