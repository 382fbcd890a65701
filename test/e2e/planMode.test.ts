import assert from "node:assert/strict";
import { askByKeyboard, beginChatIn, pressInLastTurn } from "../support/chatByKeyboard.ts";
import { call, findCause, planSettings, playTask, writeFailingTest } from "../support/planTasks.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { drawnText, partsOf } from "../support/workbench/parts.ts";

describe("Plan mode, in a real editor", () => {
  const { service, editor } = withConnectedEditor({
    settings: planSettings,
    prepareWorkspace: writeFailingTest,
  });

  before(() => editor.workbench.chat.open());

  it(`${findCause.title}, by keyboard alone`, async () => {
    await playTask(editor, service, findCause);
    await partsOf(editor).screenshot("plan-task");
  });

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
