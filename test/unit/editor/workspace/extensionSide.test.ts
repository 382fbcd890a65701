import assert from "node:assert/strict";
import {
  isOnOneOfSeveralMachines,
  preferredSide,
  sideOf,
  withPreferredSide,
} from "../../../../src/editor/workspace/extensionSide.ts";

const id = "inference-chat.inference-chat";
const desktop = { isWeb: false, runsWithWindow: false };

describe("the side of the extension", () => {
  it("is the machine that it runs on in a remote window, and undefined in other windows", () => {
    const remoteName = "ssh-remote";
    assert.equal(sideOf({ ...desktop, remoteName }), "remote");
    assert.equal(sideOf({ ...desktop, remoteName, runsWithWindow: true }), "local");
    assert.equal(sideOf({ ...desktop, remoteName: undefined, runsWithWindow: true }), undefined);
    assert.equal(sideOf({ remoteName, isWeb: true, runsWithWindow: false }), undefined);
  });

  it("gives localhost another meaning on the remote machine, and in tunnels of a browser", () => {
    assert.ok(isOnOneOfSeveralMachines({ ...desktop, remoteName: "wsl" }));
    assert.ok(!isOnOneOfSeveralMachines({ ...desktop, remoteName: "wsl", runsWithWindow: true }));
    assert.ok(!isOnOneOfSeveralMachines({ ...desktop, remoteName: undefined }));
    assert.ok(isOnOneOfSeveralMachines({ remoteName: "tunnel", isWeb: true, runsWithWindow: false }));
    assert.ok(!isOnOneOfSeveralMachines({ remoteName: "host:80", isWeb: true, runsWithWindow: false }));
  });

  it("is read from the setting in every form that VS Code accepts", () => {
    for (const value of ["workspace", ["workspace"], ["workspace", "ui"]])
      assert.equal(preferredSide({ "Inference-Chat.inference-chat": value }, id), "remote");
    for (const value of ["ui", ["ui"], ["ui", "workspace"], [], 7, null])
      assert.equal(preferredSide({ [id]: value }, id), "local");
    for (const setting of [undefined, null, "workspace", ["workspace"], { "pub.name": ["workspace"] }])
      assert.equal(preferredSide(setting, id), "local");
  });

  it("is written beside the entries of other extensions, and taken back without a trace", () => {
    const others = { "pub.name": ["ui"], "other.one": "workspace" };
    const changed = withPreferredSide(others, id, "remote");
    assert.deepEqual(changed, { ...others, [id]: ["workspace", "ui"] });
    assert.deepEqual(withPreferredSide(changed, id.toUpperCase(), "local"), others);
    assert.deepEqual(withPreferredSide({ [id.toUpperCase()]: "ui" }, id, "remote"), {
      [id]: ["workspace", "ui"],
    });
    assert.equal(withPreferredSide(withPreferredSide(undefined, id, "remote"), id, "local"), undefined);
  });
});
