import assert from "node:assert/strict";
import { PendingTransfers } from "../../../../src/webview/composer/pendingTransfers.ts";

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
