import assert from "node:assert/strict";
import { editMessages, refineMessages } from "../../../../src/chat/edits/editMessages.ts";
import type { Message } from "../../../../src/protocol/conversation/conversation.ts";

const lines = ["before();", "```", "asked();", "after();"];
const part = { path: "src/a.ts", language: "typescript", lines, start: 2, end: 3 };

function textOf(message: Message | undefined): string {
  const [content] = message?.content ?? [];
  return content?.type === "text" ? content.text : "";
}

describe("editMessages", () => {
  it("sends the part and its surroundings in fences that no line of the file closes", () => {
    const [message, ...others] = editMessages(part, "Make it so.");
    const text = textOf(message);
    assert.equal(others.length, 0);
    assert.ok(text.includes("````typescript\nbefore();\n```\n````"), text);
    assert.ok(text.includes("The part, lines 3 to 3:\n\n````typescript\nasked();\n````"), text);
    assert.match(text, /after\(\);\n````\n\nMake it so\.\n\nAnswer with the whole new text of the part/);
  });

  it("sends only the surroundings of the part if the file is large", () => {
    const large = Array.from({ length: 20_000 }, (_, line) => `line ${line} of the file`);
    const text = textOf(editMessages({ ...part, lines: large, start: 10_000, end: 10_002 }, "Go.")[0]);
    assert.ok(text.length < 30_000, String(text.length));
    assert.ok(
      text.includes("line 9999 of") && text.includes("line 10001 of") && text.includes("line 10002 of"),
    );
  });

  it("leaves out an overlong line near the part and everything beyond it", () => {
    const long = ["far", "x".repeat(1_000_000), "near", "part", "behind", "y".repeat(1_000_000)];
    const text = textOf(editMessages({ ...part, lines: long, start: 3, end: 4 }, "Go.")[0]);
    assert.ok(text.length < 2000, String(text.length));
    assert.ok(text.includes("near\n") && text.includes("behind\n") && !text.includes("far\n"));
  });
});

describe("refineMessages", () => {
  it("sends the current proposal as the model's answer", () => {
    const messages = refineMessages(editMessages(part, "Make it so."), ["```", "other();"], "Shorter.");
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    assert.equal(textOf(messages[1]), "````\n```\nother();\n````");
    assert.match(textOf(messages[2]), /^Shorter\./);
  });
});
