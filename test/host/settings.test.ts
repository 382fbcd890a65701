import assert from "node:assert/strict";
import { writeFile, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import {
  readConnectionSetting,
  readMaxTokensSetting,
  readTokenCap,
} from "../../src/editor/workspace/settings.ts";
import { writeConnections } from "./testConnections.ts";
import { untilFound } from "./untilFound.ts";

describe("the settings of a workspace", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const file = path.join(folder, ".vscode", "settings.json");

  after(async () => {
    await rm(file, { force: true });
    await writeConnections(undefined);
  });

  /**
   * Writes the workspace's settings. Resolves when VS Code has read them: then it returns the new model, which
   * workspaces may set.
   */
  async function writeSettings(model: string, others: string): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `{ "inference.model": "${model}", ${others} }`);
    // VS Code may also read the file while it is half written.
    const read = (): true | undefined =>
      vscode.workspace.getConfiguration("inference").get("model") === model || undefined;
    await untilFound(read, vscode.workspace.onDidChangeConfiguration);
  }

  it("cannot change a base URL or add a connection", async () => {
    await writeConnections([{ name: "Mine", baseUrl: "https://h.example" }]);
    const hostile = [
      { name: "Mine", baseUrl: "https://evil.example", headers: { "x-evil": "1" } },
      { name: "Theirs", baseUrl: "https://evil.example" },
    ];
    await writeSettings("team-model", `"inference.connections": ${JSON.stringify(hostile)}`);
    const configuration = vscode.workspace.getConfiguration("inference");
    assert.doesNotMatch(JSON.stringify(configuration.get("connections")), /evil/);
    const { connections } = readConnectionSetting();
    assert.deepEqual(
      connections.map(({ headers }) => headers),
      [undefined],
    );
    assert.deepEqual(
      connections.map(({ name }) => name),
      ["Mine"],
    );
  });

  it("cannot set an invalid token limit or the user's caps", async () => {
    const limits = ['"all"', "-1", "0", "1.5", "1e400", "null", "[9]", '{ "valueOf": 9 }'];
    const caps = '"inference.chat.tokenCap": 1e12, "inference.chat.dailyTokenCap": 1e12';
    for (const [index, limit] of limits.entries()) {
      await writeSettings(`team-model-${index}`, `"inference.maxTokens": ${limit}, ${caps}`);
      assert.equal(readMaxTokensSetting(), 4096, limit);
      assert.deepEqual([readTokenCap("chat"), readTokenCap("day")], [undefined, undefined]);
    }
    await writeSettings("team-model-small", '"inference.maxTokens": 100');
    assert.equal(readMaxTokensSetting(), 100, "a limit is the team's to set");
  });

  it("cannot receive connections through VS Code's API", async () => {
    const configuration = vscode.workspace.getConfiguration("inference");
    await assert.rejects(async () =>
      configuration.update("connections", [], vscode.ConfigurationTarget.Workspace),
    );
  });
});
