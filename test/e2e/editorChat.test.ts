import assert from "node:assert/strict";
import { EditorChat } from "../support/workbench/editorChat.ts";
import type { Ask } from "../service/generation.ts";
import type { PlannedCalls } from "../service/localGeneration.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

const key = fakeKey("editor-chat");

/** Runs without a signed-in account, in a browser that reaches only this machine. */
describe("the editor's own chat, in a real editor", () => {
  const asked: Ask[] = [];

  /** Calls the tool `list_dir`, if it is offered and the last message is the question about the folder. */
  const planCalls: PlannedCalls = ({ messages, tools }) => {
    const last = messages.at(-1);
    const wants = last?.role === "user" && last.text.includes("What is in this folder");
    const has = tools.some(({ name }) => name === "list_dir");
    return wants && has ? [{ name: "list_dir", arguments: JSON.stringify({ path: editor.workspace }) }] : [];
  };

  const { service, editor } = withConnectedEditor({
    key,
    service: { onAsk: (ask) => asked.push(ask), calls: planCalls },
    recordMessages: true,
    settings: {
      "inference.chat.modelCapabilities": { "*": { toolCalling: true } },
      // VS Code's chat takes the focus while the chat is still loading. Then a quick pick would close.
      "workbench.quickOpen.closeOnFocusLost": false,
    },
  });
  let chat: EditorChat;

  before(() => {
    chat = new EditorChat(editor.workbench.page, editor.workbench.palette);
  });

  it("opens with the workspace's model, bills nothing before a question, and calls a tool in Agent mode", async () => {
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
