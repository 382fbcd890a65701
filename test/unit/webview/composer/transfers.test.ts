import assert from "node:assert/strict";
import { attachmentLimits } from "../../../../src/chat/transcript/attachments.ts";
import { readPageMessage } from "../../../../src/chat/page/messageSchema.ts";
import { requestFiles, PendingTransfers } from "../../../../src/webview/composer/transfers.ts";

const fileNamed = (name: string, size = 3) => ({ name, type: "text/plain", size });

function readUnlessBroken({ name }: { readonly name: string }): Promise<string> {
  return name.includes("broken") ? Promise.reject(new Error("NotReadableError")) : Promise.resolve("YWJj");
}

describe("requestFiles", () => {
  it("attaches what can be read, and has the others refused by their names", async () => {
    const large = attachmentLimits.imageBytes + 1;
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

  it("tells how many are more than a question takes, and reads none of these", async () => {
    const given = Array.from({ length: attachmentLimits.count + 2 }, (_, at) => fileNamed(`${at}.txt`));
    let read = 0;
    const requests = await requestFiles(given, () => Promise.resolve(`${(read += 1)}`));
    assert.equal(read, attachmentLimits.count);
    assert.equal(requests.length, attachmentLimits.count + 1);
    assert.deepEqual(requests.at(-1), { type: "refuse-rest", count: 2 });
    const fitting = await requestFiles(given.slice(0, -2), readUnlessBroken);
    assert.ok(fitting.every(({ type }) => type === "attach-data"));
  });

  it("asks only for what the editor takes", async () => {
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
  it("delays nothing while nothing is read", async () => {
    const transfers = new PendingTransfers();
    assert.ok(!transfers.delays(() => assert.fail()));
    await transfers.add(Promise.resolve());
    assert.ok(!transfers.delays(() => assert.fail()));
  });

  it("does what waits once all is read, also where something cannot be, and no more than once", async () => {
    const transfers = new PendingTransfers();
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const added = [transfers.add(one.promise), transfers.add(other.promise)];
    let sent = "";
    assert.ok(transfers.delays(() => (sent += "first ")));
    assert.ok(transfers.delays(() => (sent += "second ")));
    one.resolve();
    await added[0];
    assert.equal(sent, "");
    other.reject(new Error("It is gone."));
    await added[1];
    assert.equal(sent, "second ");
    await transfers.add(Promise.resolve());
    assert.equal(sent, "second ");
  });

  it("does nothing that is not wanted any longer", async () => {
    const transfers = new PendingTransfers();
    const reading = Promise.withResolvers<void>();
    const added = transfers.add(reading.promise);
    transfers.delays(() => assert.fail());
    transfers.forget();
    reading.resolve();
    await added;
  });
});
