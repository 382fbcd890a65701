import assert from "node:assert/strict";
import { readPageMessage } from "../../../../src/chat/page/messageSchema.ts";
import { maxTextLength } from "../../../../src/chat/page/protocol.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { sendRefusal } from "../../../../src/webview/composer/useRefusal.ts";

const refusal = (text: string, arrives: boolean): string | undefined =>
  sendRefusal(text, arrives, createTranslate(), String);
const isTaken = (message: object): boolean => readPageMessage({ chatId: "a", message }) !== undefined;

describe("sendRefusal", () => {
  it("refuses a text exactly if the host would reject it; the host still accepts it as a draft", () => {
    const longest = "x".repeat(maxTextLength);
    const longer = `${longest}x`;
    assert.equal(refusal(longest, false), undefined);
    assert.match(
      refusal(longer, false) ?? "",
      /Your message is too long \(4194305 characters, the limit is 4194304\)/,
    );
    assert.deepEqual(
      [longest, longer].map((text) => isTaken({ type: "send", text })),
      [true, false],
    );
    assert.ok(isTaken({ type: "draft", chatId: "a", text: longer }));
  });

  it("refuses a text while an answer streams", () => {
    assert.match(refusal("and then?", true) ?? "", /Wait for the current answer to finish/);
    assert.equal(refusal("and then?", false), undefined);
  });
});
