import assert from "node:assert/strict";
import type { ToWebview } from "../../src/chat/page/protocol.ts";
import { writeEntries } from "./testConnections.ts";
import { withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";

/** The unencrypted host in the last header that the page received. */
function unencrypted(told: readonly ToWebview[]): string | undefined {
  const headers = told.flatMap((message) => (message.type === "header" ? [message.header] : []));
  return (headers.at(-1) ?? assert.fail("There was no header.")).unencryptedHost;
}

describe("the header of a chat", () => {
  const connection = withConnection({ name: "Around" });
  const chat = withChat(connection);

  it("names the host while a connection without encryption is allowed", async () => {
    const page = chat.openPage();
    const entry = { name: connection.name, baseUrl: "http://h.example:8080" };
    await writeEntries([{ ...entry, allowHttp: true }]);
    assert.equal(unencrypted(page.posted), "h.example:8080");
    await writeEntries([entry]);
    assert.equal(unencrypted(page.posted), undefined);
    await writeEntries([{ name: connection.name, baseUrl: connection.service.origin }]);
  });
});
