import assert from "node:assert/strict";
import { floorCodeServer, newestCodeServer } from "../support/codeServer.ts";
import { findExtensionHost } from "../support/extensionHost.ts";
import { askByKeyboard, beginChatIn, pressInLastTurn } from "../support/chatByKeyboard.ts";
import {
  call,
  explainModule,
  findCause,
  planSettings,
  playTask,
  writeFailingTest,
} from "../support/planTasks.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { drawnText, partsOf } from "../support/workbench/parts.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";

for (const release of [floorCodeServer, newestCodeServer]) {
  for (const clientStyle of clientStyles) {
    describe(`whole tasks in Plan mode, in VS Code ${release.editor} with ${clientStyle}`, () => {
      const { service, editor } = withConnectedEditor({
        release,
        entry: { clientStyle },
        settings: planSettings,
        prepareWorkspace: writeFailingTest,
      });

      before(() => editor.workbench.chat.open());

      for (const task of [explainModule, findCause]) {
        it(`${task.title}, by keyboard alone`, async () => {
          await playTask(editor, service, task);
          await partsOf(editor).screenshot(`plan ${release.editor} ${clientStyle} ${task.title}`);
        });
      }
    });
  }
}

if (process.platform === "linux") {
  describe("Plan mode in an extension host that is killed", () => {
    const { service, editor } = withConnectedEditor({ settings: planSettings });

    it("shows the question as interrupted, sends nothing by itself, and resumes", async () => {
      const { chat } = partsOf(editor);
      await chat.open();
      await beginChatIn(editor, "Plan");
      service.script.add([
        {
          send: [
            call("read_file", { path: "readings.csv" }),
            call("ask_user", { question: "Which station?" }),
          ],
        },
      ]);
      await askByKeyboard(editor, "How warm is it?");
      await chat.frame.getByRole("group", { name: "Question" }).waitFor();
      const host = await findExtensionHost(editor.server.pid);
      await chat.findNext(() => process.kill(host, "SIGKILL"));
      await chat.open();
      const answer = chat.turns("Assistant").first();
      await answer.getByText("Interrupted: VS Code closed before the answer was complete.").waitFor();
      await answer.getByText("Interrupted: Asking you 'Which station?'", { exact: true }).waitFor();
      assert.equal(service.journal.answers.length, 1);
      service.script.add([
        {
          expect: { results: ["2\tharbour,11.5", "Interrupted before it was done."] },
          send: [{ text: "It is 11.5 °C." }],
        },
      ]);
      await chat.composer.focus();
      await pressInLastTurn(editor, "button Resume");
      await answer.getByText("It is 11.5 °C.").waitFor();
      assert.equal(service.journal.answers.length, 2);
    });
  });
}

describe("Plan mode in a window that reloads", () => {
  const { service, editor } = withConnectedEditor({ settings: planSettings });

  it("shows a question as interrupted when the window reloads, and resumes after it", async () => {
    const { workbench, chat, screenshot } = partsOf(editor);
    await chat.open();
    await beginChatIn(editor, "Plan");
    service.journal.clear();
    service.script.add([
      {
        send: [
          { text: "I read it." },
          call("read_file", { path: "readings.csv" }),
          call("ask_user", { question: "Which station?", options: ["hill"] }),
        ],
      },
    ]);
    await askByKeyboard(editor, "How warm is it?");
    await chat.frame.getByRole("group", { name: "Question" }).waitFor();
    await workbench.reload();
    await chat.open();
    const answer = chat.turns("Assistant").first();
    await answer.getByText("Interrupted: Asking you 'Which station?'", { exact: true }).waitFor();
    await answer.getByText("Read 'readings.csv', lines 1-4", { exact: true }).waitFor();
    await answer.getByText("Interrupted: VS Code closed before the answer was complete.").waitFor();
    await chat.button("Mode: Plan").waitFor();
    assert.equal(await chat.frame.getByRole("group", { name: "Question" }).count(), 0);
    assert.equal(service.journal.answers.length, 1, "nothing was sent by itself");
    await screenshot("plan-interrupted");

    service.script.add([
      {
        expect: { user: "How warm is it?", results: ["2\tharbour,11.5", "Interrupted before it was done."] },
        send: [{ text: "At the harbour it is 11.5 °C." }],
      },
    ]);
    await chat.composer.focus();
    await pressInLastTurn(editor, "button Resume");
    await answer.getByText("At the harbour it is 11.5 °C.").waitFor();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    assert.equal(await chat.turns("Assistant").count(), 1);
    assert.match(await drawnText(answer), /I read it\..*At the harbour/s);
    assert.equal(await chat.button("Resume").count(), 0);
    assert.equal(service.journal.answers.length, 2);
  });
});
