import assert from "node:assert/strict";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { EditorChat } from "../support/workbench/editorChat.ts";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf, showFailedTest } from "../support/workbench/parts.ts";

const key = fakeKey("editor-chat");
const keyVariable = "INFERENCE_EDITOR_CHAT_KEY";

/** Nobody is signed in, and the browser reaches this machine only. */
describe("the editor's own chat, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let chat: EditorChat;
  const asked: Ask[] = [];

  /** Calls the tool that lists a folder, once, where the question says so; names in other texts do not count. */
  const planCalls = ({ messages, tools }: Ask) => {
    const last = messages.at(-1);
    const wants = last?.role === "user" && last.text.includes("What is in this folder");
    const has = tools.some(({ name }) => name === "list_dir");
    return wants && has ? [{ name: "list_dir", arguments: JSON.stringify({ path: editor.workspace }) }] : [];
  };

  before(async () => {
    service = await startReferenceService({ onAsk: (ask) => asked.push(ask), calls: planCalls });
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
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

  it("is led to with the workspace's model, bills nothing on the way, and calls a tool in Agent mode", async () => {
    const { palette, screenshot } = partsOf(editor);
    await palette.run("inference.useInEditorChat");
    await chat.model.getByText("service-core").waitFor();
    assert.ok(service.journal.entries.every(({ method }) => method === "GET"));
    await chat.ready();
    await chat.openIn("Agent");
    await chat.send("What is in this folder?");
    await chat.answers
      .last()
      .getByText(/The tool answered: .*README\.md/s)
      .waitFor();
    const offered = asked.find(({ tools }) => tools.some(({ name }) => name === "list_dir"));
    assert.ok((offered?.tools.length ?? 0) > 10, `${offered?.tools.length} tools`);
    const answered = asked.find(({ messages }) => messages.at(-1)?.role === "tool");
    assert.match(answered?.messages.at(-1)?.text ?? "", /summary\.ts/);
    await screenshot("editor-chat-agent");
  });

  it("answers in Ask mode, and leaves the key nowhere", async () => {
    const { screenshot } = partsOf(editor);
    await chat.openIn("Ask");
    await chat.send("Answer with the word heron.");
    await chat.answers.last().getByText("heron", { exact: true }).waitFor();
    assert.equal(asked.at(-1)?.model, "service-core");
    await screenshot("editor-chat-ask");
    await assertNoLeaks(editor, [key], { after: "after the editor's own chat" });
  });
});
