import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ScriptPart, ScriptStep } from "../service/script.ts";
import { projectRoot } from "../support/paths.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

const callsFile = "calls.txt";
const call: ScriptPart = { call: "mcp_tests_asking", arguments: {} };

function answered(results: readonly string[], text: string): readonly ScriptStep[] {
  return [{ send: [call] }, { expect: { results: [...results] }, send: [{ text }] }];
}

/** Adds a server whose tool VS Code asks about, in the way of a user. */
async function addServer(workspace: string): Promise<void> {
  const server = path.join(projectRoot, "test", "support", "mcpServer.ts");
  const args = [server, path.join(workspace, callsFile)];
  const servers = { tests: { type: "stdio", command: process.execPath, args } };
  await mkdir(path.join(workspace, ".vscode"));
  await writeFile(path.join(workspace, ".vscode", "mcp.json"), JSON.stringify({ servers }));
}

describe("a tool of an MCP server, in a real editor", () => {
  const { editor, service } = withConnectedEditor({
    prepareWorkspace: addServer,
    settings: { "inference.chat.modelCapabilities": { "*": { toolCalling: true } } },
  });
  const called = async () =>
    (await readFile(path.join(editor.workspace, callsFile), "utf8").catch(() => ""))
      .split("\n")
      .filter(Boolean);

  it("is selected after its server has started, and runs after our card and VS Code's own question", async () => {
    const { workbench, chat, page, palette, quickInput, screenshot } = partsOf(editor);
    const { dialog } = workbench;
    await palette.run("inference.selectTools");
    await quickInput.waitFor("For more tools, start MCP servers with the button above");
    await quickInput.root.getByRole("button", { name: "Start MCP Servers" }).click();
    await quickInput.row("mcp_tests_asking").waitFor();
    await quickInput.pick("mcp_tests_asking");
    await quickInput.waitFor("Agent Tools: 1 Selected");
    await screenshot("select-agent-tools");
    await quickInput.accept();
    await palette.run("inference.openChat");
    await chat.find();
    await chat.button("Mode: Ask").click();
    await quickInput.waitFor("Mode of This Chat");
    await quickInput.pick("Agent");
    await chat.button("Mode: Agent").waitFor();
    service.script.add(answered(["asking was called"], "It was called."));
    service.script.add(answered(["denied this call in VS Code's own question"], "Then not."));

    await chat.send("Call it");
    const card = chat.frame.getByRole("group", { name: "Approval needed" });
    await card.getByText("After you allow it, VS Code might ask once more.").waitFor();
    assert.deepEqual([await dialog.root.count(), await called()], [0, []]);
    await screenshot("tool-card-in-editor");
    await card.getByRole("button", { name: "Allow", exact: true }).click();
    await dialog.read();
    assert.equal(await chat.frame.locator("textarea:focus").count(), 0);
    assert.deepEqual(await called(), []);
    await screenshot("question-of-the-editor");
    await dialog.press("Yes");
    await chat.frame.getByText("It was called.", { exact: true }).waitFor();
    assert.deepEqual(await called(), ["asking"]);

    await chat.send("Call it again");
    await card.getByRole("button", { name: "Allow", exact: true }).click();
    await dialog.read();
    await page.keyboard.press("Escape");
    await chat.frame.getByText("Then not.", { exact: true }).waitFor();
    await chat.frame.getByText("Denied: Calling 'mcp_tests_asking'", { exact: true }).waitFor();
    assert.deepEqual(await called(), ["asking"]);
  });
});
