import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CallReply } from "../../src/chat/transcript/steps.ts";
import { assertRefused, withAgentEdits } from "./withAgentEdits.ts";

const allow: CallReply = { type: "allow", scope: "call" };

describe("unfinished agent edits", () => {
  const files = withAgentEdits();

  it("write after the third card, and show no fourth one", async () => {
    await files.write("a.ts", "one\ntwo\n");
    await files.read("a.ts");
    let changes = 2;
    files.agent.reply = async () => {
      if (changes-- > 0) await files.type("a.ts", 0, "typed\n");
      return allow;
    };
    assert.equal((await files.edit("a.ts", "two", "2")).outcome, "done");
    assert.equal(files.asked.length, 3);
    assert.equal(await files.textIn("a.ts"), "typed\ntyped\none\n2\n");
    changes = 9;
    await assertRefused(files.edit("a.ts", "one", "1"), /changes again and again/);
    assert.equal(files.asked.length, 6);
  });

  it("name the file if its write or the cleaning of the result fails", async () => {
    await files.write("a.ts", "one\n");
    await files.read("a.ts");
    const { applyEdit } = vscode.workspace;
    Object.assign(vscode.workspace, {
      applyEdit: async (given: vscode.WorkspaceEdit) => {
        await applyEdit(given);
        throw new Error("The window is closing.");
      },
    });
    try {
      const { outcome, text, facts } = await files.edit("a.ts", "one", "two");
      assert.equal(outcome, "failed");
      assert.match(text, /it is unknown whether it was changed\..*The window is closing\./);
      assert.deepEqual(facts, { path: files.named("a.ts") });
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    const { clean } = files.agent;
    files.agent.clean = async (text) =>
      text.startsWith("Created") ? Promise.reject(new Error("no keyring")) : clean(text);
    try {
      files.agent.startAnswer(undefined, "agent");
      const { outcome, text, facts } = await files.create("b.ts", "x");
      assert.equal(outcome, "failed");
      assert.match(text, /keys could not be taken out of it/);
      assert.equal(facts?.path, files.named("b.ts"));
    } finally {
      files.agent.clean = clean;
    }
  });

  it("name a file whose write goes on, which can then be undone", async () => {
    await files.write("a.ts", "one\n");
    await files.read("a.ts");
    const stopping = new AbortController();
    const { applyEdit } = vscode.workspace;
    const resumed = Promise.withResolvers<void>();
    Object.assign(vscode.workspace, {
      applyEdit: async (given: vscode.WorkspaceEdit) => {
        stopping.abort();
        await resumed.promise;
        return applyEdit(given);
      },
    });
    const answer = { chatId: "chat", answerId: files.agent.answerId };
    const { copies } = files.agent.services;
    try {
      const { outcome, facts } = await files.agent.call(
        "edit_file",
        { path: files.named("a.ts"), oldText: "one", newText: "two" },
        stopping.signal,
      );
      assert.equal(outcome, "failed");
      assert.deepEqual(facts, { path: files.named("a.ts") });
      const ended = new Promise<void>((resolve) => {
        const end = copies.end.bind(copies);
        copies.end = async (...given) => {
          await end(...given);
          resolve();
        };
      });
      resumed.resolve();
      await ended;
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    assert.equal(await files.textIn("a.ts"), "two\n");
    const [copied] = await copies.filesOf(answer);
    assert.ok(copied?.writes[0]?.after !== undefined);
  });
});
