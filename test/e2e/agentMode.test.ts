import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ScriptPart } from "../service/script.ts";
import { replyToCard, undoByKeyboard } from "../support/agentByKeyboard.ts";
import { agentSettings } from "../support/agentTasks.ts";
import { askByKeyboard, beginChatIn, pressInLastTurn } from "../support/chatByKeyboard.ts";
import { call } from "../support/planTasks.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { drawnText, partsOf } from "../support/workbench/parts.ts";

/** Notes its run, and goes on until there is a file with the given name. */
const check = `import { appendFileSync, existsSync, watch } from "node:fs";

const [wanted] = process.argv.slice(2);
appendFileSync(\`runs-\${wanted}\`, "run\\n");
console.log(\`waiting for \${wanted}\`);
const watcher = watch(".", look);
look();

function look() {
  if (!existsSync(wanted)) return;
  watcher.close();
  console.log("all checks passed");
}
`;

const run = (command: string): ScriptPart => call("run_command", { command, purpose: "Check the readings" });

describe("Agent mode, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    settings: agentSettings,
    prepareWorkspace: (folder) => writeFile(path.join(folder, "check.mjs"), check),
  });
  const fileOf = (name: string): string => path.join(editor.workspace, name);
  const allow = { type: "allow", scope: "call" } as const;

  before(() => editor.workbench.chat.open());
  beforeEach(() => {
    service.journal.clear();
    service.script.clear();
  });

  it("edits a file, runs a command and undoes the edit, by keyboard alone", async () => {
    const { chat, screenshot } = partsOf(editor);
    const before = await readFile(fileOf("readings.csv"));
    const command = "node check.mjs first.txt";
    await beginChatIn(editor, "Agent");
    service.script.add([
      {
        expect: { system: "You are in Agent mode", user: "Correct the harbour" },
        send: [{ text: "I read it." }, call("read_file", { path: "readings.csv" })],
      },
      {
        expect: { results: ["2\tharbour,11.5"] },
        send: [
          call("edit_file", { path: "readings.csv", oldText: "harbour,11.5", newText: "harbour,12.5" }),
          run(command),
        ],
      },
      {
        expect: {
          results: [
            "Edited and saved readings.csv.",
            "Exit code: 0\nwaiting for first.txt\nall checks passed",
          ],
        },
        send: [{ text: "At the harbour it is 12.5 °C now." }],
      },
    ]);
    await askByKeyboard(editor, "Correct the harbour");
    await replyToCard(editor, { subject: "readings.csv", reply: allow });
    await replyToCard(editor, { subject: command, reply: allow });
    const answer = chat.turns("Assistant").first();
    const output = answer.getByRole("group", { name: "Output" });
    await output.getByText("waiting for first.txt").waitFor();
    await screenshot("agent-running");
    await writeFile(fileOf("first.txt"), "");
    await answer.getByText(`Ran '${command}': exit code 0`, { exact: true }).waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    assert.match(await drawnText(answer), /At the harbour it is 12\.5 °C now\./);
    const list = answer.getByRole("group", { name: "Changed files" });
    await list.getByText("Changed 1 file", { exact: true }).waitFor();
    await list.getByRole("button", { name: "Review 'readings.csv'" }).waitFor();
    assert.equal(
      await readFile(fileOf("readings.csv"), "utf8"),
      before.toString().replace("harbour,11.5", "harbour,12.5"),
    );
    await screenshot("agent-changed");

    assert.equal(
      await undoByKeyboard(editor),
      "Undid the changes to 1 file. Commands that ran were not undone.",
    );
    assert.deepEqual(await readFile(fileOf("readings.csv")), before);
    assert.equal(await list.getByRole("button").count(), 0);
    assert.equal(await readFile(fileOf("runs-first.txt"), "utf8"), "run\n");
  });

  it("shows a command as interrupted when the window reloads, and never runs it again", async () => {
    const { workbench, chat, screenshot } = partsOf(editor);
    const command = "node check.mjs second.txt";
    await chat.open();
    await beginChatIn(editor, "Agent");
    service.script.add([{ send: [{ text: "I check it." }, run(command)] }]);
    await askByKeyboard(editor, "Check the readings");
    await replyToCard(editor, { subject: command, reply: allow });
    await chat.frame.getByText("waiting for second.txt").waitFor();
    await workbench.reload();
    await chat.open();
    const answer = chat.turns("Assistant").first();
    const line = answer.getByText(`Interrupted: Running '${command}'. The command might still be running.`, {
      exact: true,
    });
    await line.waitFor();
    await answer.getByText("Interrupted: VS Code closed before the answer was complete.").waitFor();
    await line.click();
    await answer.getByText("If the command had begun, it may still be running.").waitFor();
    await chat.button("Resume").waitFor();
    assert.equal(service.journal.answers.length, 1, "nothing was sent by itself");
    assert.equal(await chat.frame.getByRole("group", { name: "Approval needed" }).count(), 0);
    await screenshot("agent-interrupted");

    service.script.add([
      {
        expect: {
          user: "Check the readings",
          results: ["it may still be running. Look before you run it again."],
        },
        send: [{ text: "The check may still be running." }],
      },
    ]);
    await chat.composer.focus();
    await pressInLastTurn(editor, "button Resume");
    await answer.getByText("The check may still be running.", { exact: true }).waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chat.button("Resume").count(), 0);
    assert.equal(service.journal.answers.length, 2);
    assert.equal(await readFile(fileOf("runs-second.txt"), "utf8"), "run\n");
  });
});
