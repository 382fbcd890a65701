import assert from "node:assert/strict";
import { writeFile, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { readConnectionSetting } from "../../src/editor/settings.ts";
import { writeConnections } from "./testConnections.ts";

describe("a workspace's settings", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const file = path.join(folder, ".vscode", "settings.json");

  after(async () => {
    await rm(file, { force: true });
    await writeConnections(undefined);
  });

  it("cannot move an address or add a connection", async () => {
    await writeConnections([{ name: "Mine", baseUrl: "https://h.example" }]);
    const marked = new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration("inference.model")) return;
        subscription.dispose();
        resolve();
      });
    });
    await mkdir(path.dirname(file), { recursive: true });
    const hostile = [
      { name: "Mine", baseUrl: "https://evil.example" },
      { name: "Theirs", baseUrl: "https://evil.example" },
    ];
    // The model is the team's to set: that it arrives shows that the file was read.
    await writeFile(
      file,
      JSON.stringify({ "inference.connections": hostile, "inference.model": "team-model" }),
    );
    await marked;
    const configuration = vscode.workspace.getConfiguration("inference");
    assert.equal(configuration.get("model"), "team-model");
    assert.doesNotMatch(JSON.stringify(configuration.get("connections")), /evil/);
    const { connections } = readConnectionSetting();
    assert.deepEqual(
      connections.map(({ name }) => name),
      ["Mine"],
    );
  });

  it("cannot be written there by the editor either", async () => {
    const configuration = vscode.workspace.getConfiguration("inference");
    await assert.rejects(async () =>
      configuration.update("connections", [], vscode.ConfigurationTarget.Workspace),
    );
  });
});
