import assert from "node:assert/strict";
import * as v from "valibot";
import { attachmentSchema, omittedTurnsSchema } from "../../../../src/chat/transcript/transcriptSchema.ts";
import { type Attachment, withoutContent } from "../../../../src/chat/transcript/attachments.ts";
import { withoutContents, withoutEventContents } from "../../../../src/chat/page/eventBatcher.ts";
import { readPageMessage } from "../../../../src/chat/page/messageSchema.ts";
import { emptyTranscript, type QuestionTurn } from "../../../../src/chat/transcript/transcript.ts";

const attachment: Attachment = {
  id: "1",
  kind: "selection",
  name: "a.ts",
  detail: "src/a.ts:3-4",
  characters: 6,
  trimmedFrom: 90,
  place: { path: "src/a.ts", firstLine: 3, lastLine: 4 },
  content: { type: "text", text: "secret", language: "typescript" },
};

describe("a stored attachment", () => {
  it("is read unchanged, also from earlier versions", () => {
    assert.deepEqual(v.parse(attachmentSchema, JSON.parse(JSON.stringify(attachment))), attachment);
    const pdf = { ...attachment, kind: "pdf", content: { type: "pdf", data: "JVBERi0=" } } as const;
    assert.deepEqual(v.parse(attachmentSchema, JSON.parse(JSON.stringify(pdf))), pdf);
    const { content: _, place: __, trimmedFrom: ___, ...least } = attachment;
    assert.deepEqual(v.parse(attachmentSchema, least), least);
    for (const leftOut of [
      { turns: 2, attachments: 0 },
      { turns: 2, attachments: 0, sentTokens: 100 },
      { turns: 0, attachments: 0, images: 1, pdfs: 2 },
    ])
      assert.deepEqual(v.parse(omittedTurnsSchema, leftOut), leftOut);
  });

  it("is rejected if it is invalid", () => {
    for (const changes of [
      { kind: "key" },
      { characters: -1 },
      { content: { type: "text" } },
      { place: {} },
    ]) {
      assert.ok(!v.is(attachmentSchema, { ...attachment, ...changes }), JSON.stringify(changes));
    }
  });
});

describe("attachments sent to the page", () => {
  const turn: QuestionTurn = {
    kind: "question",
    id: "q",
    parentId: null,
    text: "?",
    at: "2026-01-02T03:04:05Z",
    attachments: [attachment],
  };

  it("lack only their contents", () => {
    const shown = [
      withoutContent(attachment),
      withoutContents({ ...emptyTranscript, turns: [turn] }),
      withoutEventContents({ type: "question-asked", turn }),
    ];
    for (const each of shown) {
      assert.ok(!JSON.stringify(each).includes("secret"));
      assert.ok(JSON.stringify(each).includes("src/a.ts:3-4"));
    }
  });
});

function asks(request: unknown) {
  return readPageMessage({ chatId: null, message: { type: "context", request } })?.message;
}

describe("the page's requests about attachments", () => {
  it("are read within limits", () => {
    assert.deepEqual(asks({ type: "remove", id: "1" }), {
      type: "context",
      request: { type: "remove", id: "1" },
    });
    assert.ok(asks({ type: "find", searchId: 1, typed: "a" }));
    assert.equal(asks({ type: "find", searchId: 1, typed: "a".repeat(8193) }), undefined);
    assert.equal(
      asks({ type: "attach-uris", uris: Array.from({ length: 51 }, () => "file:///a") }),
      undefined,
    );
    assert.equal(
      asks({ type: "attach-data", name: "a", mediaType: "b", data: "x".repeat(14_000_000) }),
      undefined,
    );
    assert.equal(asks({ type: "open", id: "1", path: "/etc/passwd" }), undefined);
  });
});
