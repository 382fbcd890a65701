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
import { partsOf } from "../support/workbench/parts.ts";
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
