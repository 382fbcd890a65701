import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { CalledHosts } from "./calledHosts.ts";

describe("the hosts that the extension host calls", () => {
  it("include an address, but not one of this machine among the foreign ones", async () => {
    const called = new CalledHosts();
    const server = createServer((socket) => socket.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    await once(connect(address.port, "127.0.0.1").resume(), "close");
    server.close();
    assert.ok(called.all.includes("127.0.0.1"), called.all.join());
    assert.deepEqual(called.foreign, []);
  });
});
