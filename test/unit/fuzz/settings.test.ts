import assert from "node:assert/strict";
import { loadSettings, setEverySetting } from "../../fuzz/settingsOfEditor.ts";

describe("no-proxy hosts that are not strings", () => {
  it("are ignored, even if they can't be converted to strings", async () => {
    const { readNetworkSettings } = await loadSettings();
    setEverySetting([{ toString: "null" }, "h.example"]);
    assert.deepEqual(readNetworkSettings().noProxy, ["h.example"]);
    setEverySetting([{ toString: "null" }]);
    assert.equal(readNetworkSettings().noProxy, undefined);
  });
});

describe("network settings", () => {
  it("report the environment variable that disables certificate checks of VS Code's fetch", async () => {
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
