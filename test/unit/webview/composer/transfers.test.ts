import assert from "node:assert/strict";
import { attachmentLimits } from "../../../../src/chat/transcript/attachments.ts";
import { readPageMessage } from "../../../../src/chat/page/messageSchema.ts";
import { longPaste } from "../../../../src/chat/page/protocol.ts";
import {
  attachableText,
  requestFiles,
  PendingTransfers,
} from "../../../../src/webview/composer/transfers.ts";

const fileNamed = (name: string, size = 3) => ({ name, type: "text/plain", size });

function readUnlessBroken({ name }: { readonly name: string }): Promise<string> {
  return name.includes("broken") ? Promise.reject(new Error("NotReadableError")) : Promise.resolve("YWJj");
}

describe("attachableText", () => {
  it("takes a long text, or exactly one URL", () => {
    const long = "a".repeat(longPaste);
    assert.deepEqual(attachableText(long), { kind: "long-text", text: long });
    const url = "https://A.example/b?c=d#e";
    assert.deepEqual(attachableText(` ${url}\r\n`), { kind: "url", text: url });
    for (const text of [
      "",
      "word",
      `see ${url}`,
      `${url}\n${url}`,
      "https://",
      "ftp://a.example/",
      "https://user:word@a.example/",
      "https://user@a.example/",
      "a".repeat(longPaste - 1),
      "a".repeat(attachmentLimits.characters + 1),
    ])
      assert.equal(attachableText(text), undefined, text.slice(0, 40));
  });
});

describe("requestFiles", () => {
  it("attaches readable files and refuses the others by name", async () => {
    const large = attachmentLimits.pdfBytes + 1;
    const given = [
      fileNamed("a.txt"),
      fileNamed("broken.txt"),
      fileNamed("b.mp4", large),
      fileNamed("c.txt"),
    ];
    assert.deepEqual(await requestFiles(given, readUnlessBroken), [
      { type: "attach-data", name: "a.txt", mediaType: "text/plain", data: "YWJj" },
      { type: "refuse-data", name: "broken.txt" },
      { type: "refuse-data", name: "b.mp4", bytes: large },
      { type: "attach-data", name: "c.txt", mediaType: "text/plain", data: "YWJj" },
    ]);
  });

  it("reports how many files exceed the limit, and does not read them", async () => {
    const given = Array.from({ length: attachmentLimits.count + 2 }, (_, at) => fileNamed(`${at}.txt`));
    let read = 0;
    const requests = await requestFiles(given, () => Promise.resolve(`${(read += 1)}`));
    assert.equal(read, attachmentLimits.count);
    assert.equal(requests.length, attachmentLimits.count + 1);
    assert.deepEqual(requests.at(-1), { type: "refuse-rest", count: 2 });
    const fitting = await requestFiles(given.slice(0, -2), readUnlessBroken);
    assert.ok(fitting.every(({ type }) => type === "attach-data"));
  });

  it("posts only requests that the host accepts", async () => {
    const given = Array.from({ length: attachmentLimits.count + 1 }, (_, at) =>
      fileNamed(at === 0 ? "broken" : "a"),
    );
    for (const request of await requestFiles(given, readUnlessBroken)) {
      const posted = { chatId: "a", message: { type: "context", request } };
      assert.deepEqual(readPageMessage(posted), posted);
    }
  });
});

describe("PendingTransfers", () => {
  it("delays an action only while files are read", async () => {
    const transfers = new PendingTransfers();
    assert.ok(!transfers.delays(() => assert.fail()));
    await transfers.add(Promise.resolve());
    assert.ok(!transfers.delays(() => assert.fail()));
  });

  it("runs the last delayed action once when all files are read, even if one fails", async () => {
    const transfers = new PendingTransfers();
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const added = [transfers.add(one.promise), transfers.add(other.promise)];
    let sent = "";
    assert.ok(transfers.delays(() => (sent += "first ")));
    assert.ok(transfers.delays(() => (sent += "second ")));
    one.resolve();
    await added[0];
    assert.equal(sent, "");
    other.reject(new Error("The file no longer exists."));
    await added[1];
    assert.equal(sent, "second ");
    await transfers.add(Promise.resolve());
    assert.equal(sent, "second ");
  });

  it("does not run an action after it was dropped", async () => {
    const transfers = new PendingTransfers();
    const reading = Promise.withResolvers<void>();
    const added = transfers.add(reading.promise);
    transfers.delays(() => assert.fail());
    transfers.forget();
    reading.resolve();
    await added;
  });
});
