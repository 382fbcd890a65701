import { playAgentTask } from "../support/agentByKeyboard.ts";
import { agentSettings, agentTasks } from "../support/agentTasks.ts";
import { floorCodeServer, newestCodeServer } from "../support/codeServer.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";

for (const release of [floorCodeServer, newestCodeServer]) {
  for (const clientStyle of clientStyles) {
    describe(`whole tasks in Agent mode, in VS Code ${release.editor} with ${clientStyle}`, () => {
      const { service, editor } = withConnectedEditor({
        release,
        entry: { clientStyle },
        settings: agentSettings,
      });

      before(() => editor.workbench.chat.open());

      for (const createTask of agentTasks) {
        const task = createTask(createTask.name);
        it(`${task.title}, by keyboard alone`, () =>
          playAgentTask(editor, service, task, `agent ${release.editor} ${clientStyle} ${task.title}`));
      }
    });
  }
}
