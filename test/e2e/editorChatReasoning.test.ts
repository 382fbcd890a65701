import assert from "node:assert/strict";
import { clientStyles } from "../../src/protocol/wireStyle.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { EditorChat } from "../support/workbench/editorChat.ts";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("editor-chat-reasoning");
const keyVariable = "INFERENCE_EDITOR_CHAT_KEY";

for (const clientStyle of clientStyles) {
  describe(`the editor's own chat, with a service that wants reasoning back (${clientStyle})`, () => {
    let service: ReferenceService;
    let editor: Editor;
    let chat: EditorChat;
    const asked: Ask[] = [];

    /** Calls tools that list folders in two rounds, the first with two at once, where the question says so. */
    const planCalls = ({ messages, tools }: Ask) => {
      const question = messages.findLastIndex(({ role }) => role === "user");
      const wants = messages[question]?.text.includes("What is in this folder") === true;
      if (!wants || !tools.some(({ name }) => name === "list_dir")) return [];
      const rounds = messages.slice(question).filter(({ role }) => role === "assistant").length;
      const call = { name: "list_dir", arguments: JSON.stringify({ path: editor.workspace }) };
      return [[call, call], [call]][rounds] ?? [];
    };

    before(async () => {
      service = await startReferenceService({
        onAsk: (ask) => asked.push(ask),
        calls: planCalls,
        quirks: { demandsReasoning: true },
      });
      service.keys.add({}, key);
      editor = await openEditor({
        settings: {
          "inference.connections": [{ name: "Acme", baseUrl: service.origin, clientStyle, keyVariable }],
          "inference.chat.modelCapabilities": { "*": { toolCalling: true } },
          // What the editor's chat still loads takes the focus, whenever it is there.
          "workbench.quickOpen.closeOnFocusLost": false,
        },
        environment: { [keyVariable]: key },
      });
      chat = new EditorChat(editor.workbench.page, editor.workbench.palette);
    });
    afterEach(async function () {
      await showFailedTest(editor, this.currentTest);
    });
    after(async () => {
      await service.close();
      await editor[Symbol.asyncDispose]();
    });

    const refused = () => service.journal.entries.filter(({ status = 200 }) => status >= 400);

    it("goes on behind two rounds of tools in Agent mode", async () => {
      const { palette, screenshot } = partsOf(editor);
      await palette.run("inference.useInEditorChat");
      await chat.model.getByText("service-core").waitFor();
      await chat.ready();
      await chat.openIn("Agent");
      await chat.send("What is in this folder?");
      await chat.answers
        .last()
        .getByText(/The tool answered: .*README\.md/s)
        .waitFor();
      await screenshot(`editor-chat-reasoning-${clientStyle}`);
      const rounds = asked.filter(({ messages }) => messages.at(-1)?.role === "tool");
      assert.equal(rounds.length, 2);
      assert.deepEqual(refused(), []);
    });

    it("goes on with the next question, for which the editor keeps no thinking", async () => {
      await chat.send("Answer with the word heron.");
      await chat.answers.last().getByText("heron", { exact: true }).waitFor();
      const last = asked.at(-1);
      assert.ok(last?.messages.some(({ calls = [] }) => calls.length > 0) === true, "calls before");
      assert.deepEqual(refused(), []);
    });
  });
}
