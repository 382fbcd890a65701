import assert from "node:assert/strict";
import { type Attachment, attachmentLimits } from "../../../../src/chat/transcript/attachments.ts";
import { emptyTranscript } from "../../../../src/chat/transcript/transcript.ts";
import { Chat } from "../../../../src/editor/chat/chat.ts";

let ids = 0;

function textAttachment(name: string, changes: Partial<Attachment> = {}, text = "some text\n"): Attachment {
  ids += 1;
  return {
    id: `${ids}`,
    kind: "file",
    name,
    detail: name,
    characters: text.length,
    content: { type: "text", text, language: "" },
    ...changes,
  };
}

function openChat(): Chat {
  return new Chat({
    id: "chat",
    title: null,
    draft: "",
    log: () => Promise.resolve(),
    transcript: emptyTranscript,
    target: () => {
      throw new Error("Unexpected question");
    },
    now: () => new Date(),
    newId: () => "id",
  });
}

describe("Chat's attachments", () => {
  it("notify pages of every change and keep the chat from being idle", () => {
    const chat = openChat();
    let changes = 0;
    const leave = chat.listen({ onEvents: () => undefined, onAttachments: () => (changes += 1) });
    const attachment = textAttachment("a.ts");
    chat.attach([attachment]);
    chat.detach(attachment.id);
    assert.equal(changes, 2);
    leave();
    assert.ok(chat.idle);
    chat.attach([attachment]);
    assert.ok(!chat.idle);
  });

  it("are replaced if they have the same lines or changes, but not if they have only the same name", () => {
    const chat = openChat();
    const place = { path: "src/a.ts", firstLine: 3, lastLine: 4 };
    chat.attach([textAttachment("a.ts", { kind: "selection", place })]);
    chat.attach([textAttachment("a.ts", { kind: "selection", place: { ...place } })]);
    chat.attach([textAttachment("a.ts", { kind: "selection", place: { ...place, firstLine: 1 } })]);
    assert.equal(chat.attachments.length, 2);
    for (const kind of ["terminal", "text", "image"] as const) {
      chat.attach([textAttachment("the same name", { kind })]);
      chat.attach([textAttachment("the same name", { kind })]);
    }
    assert.equal(chat.attachments.length, 8);
    chat.attach([textAttachment("Staged changes", { kind: "diff" })]);
    chat.attach([textAttachment("Staged changes", { kind: "diff" })]);
    assert.equal(chat.attachments.length, 9);
    chat.attach([textAttachment("A page", { kind: "website", detail: "https://a.example/" })]);
    chat.attach([textAttachment("A page", { kind: "website", detail: "https://a.example/b" })]);
    chat.attach([textAttachment("A new title", { kind: "website", detail: "https://a.example/b" })]);
    assert.deepEqual(
      chat.attachments.slice(9).map(({ name, detail }) => [name, detail]),
      [
        ["A page", "https://a.example/"],
        ["A new title", "https://a.example/b"],
      ],
    );
  });

  it("have limits, and `attach` returns how many did not fit", () => {
    const chat = openChat();
    const many = Array.from({ length: attachmentLimits.count + 3 }, (_, index) => textAttachment(`${index}`));
    assert.equal(chat.attach(many), 3);
    const other = openChat();
    const large = { characters: attachmentLimits.characters };
    assert.equal(other.attach([textAttachment("a", large), textAttachment("b", large)]), 1);
    const data = Buffer.alloc(attachmentLimits.imageBytes).toString("base64");
    const image = {
      kind: "image",
      characters: 0,
      content: { type: "image", mediaType: "image/png", data },
    } as const;
    const images = Array.from({ length: 11 }, (_, index) => textAttachment(`${index}`, image));
    assert.equal(openChat().attach(images), 1);
  });

  it("are trimmed at the end, or at the start for a terminal, and remember their original length", () => {
    const chat = openChat();
    const lines = "one\ntwo\nthree\nfour\n";
    const file = textAttachment("a.txt", {}, lines);
    const terminal = textAttachment("bash", { kind: "terminal" }, lines);
    chat.attach([file, terminal]);
    chat.trim(file.id, 10);
    chat.trim(terminal.id, 13);
    const texts = chat.attachments.map(({ content }) => (content?.type === "text" ? content.text : ""));
    assert.deepEqual(texts, [
      "one\ntwo\n[11 characters left out]\n",
      "[8 characters left out]\nthree\nfour\n",
    ]);
    assert.deepEqual(
      chat.attachments.map(({ trimmedFrom }) => trimmedFrom),
      [lines.length, lines.length],
    );
    assert.equal(chat.attachments[0]?.characters, texts[0]?.length);
  });

  it("are consumed by one question", () => {
    const chat = openChat();
    chat.attach([textAttachment("a.ts")]);
    assert.equal(chat.consumeAttachments().length, 1);
    assert.equal(chat.consumeAttachments().length, 0);
  });
});
