import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type LookupFunction } from "node:net";
import { CalledHosts } from "../../support/calledHosts.ts";

/** Finds this machine under any name. */
const lookup: LookupFunction = (_name, _options, found) => found(null, [{ address: "127.0.0.1", family: 4 }]);

describe("the record of called hosts", () => {
  it("has each address and each name that was looked up, and tells other machines from this one", async () => {
    const called = new CalledHosts();
    const server = createServer((socket) => socket.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const { port } = address;
    for (const host of ["127.0.0.1", "service.example", "service.localdomain"])
      await once(connect({ port, host, lookup }).resume(), "close");
    server.close();
    assert.deepEqual(called.all, ["127.0.0.1", "service.example", "service.localdomain"]);
    assert.deepEqual(called.foreign, ["service.localdomain"]);
  });
});
