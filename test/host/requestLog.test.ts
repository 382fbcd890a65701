import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CallRecord } from "../../src/client/request/call.ts";
import { createUndiciTransport } from "../../src/client/transport/undiciTransport.ts";
import { RequestLog } from "../../src/editor/service/requestLog.ts";
import { createTestClient } from "../unit/client/request/testClient.ts";
import { openDesk, soon } from "../unit/service/fixture.ts";

describe("the log", () => {
  const { createOutputChannel } = vscode.window;
  const lines: string[] = [];
  let log: RequestLog;
  const onCall = (record: CallRecord): void =>
    log.add("Acme", { record, model: "service-core", clientStyle: "messages" });

  before(() => {
    const channel = { info: (line: string) => void lines.push(line), dispose: () => undefined };
    Object.assign(vscode.window, { createOutputChannel: () => channel });
    log = new RequestLog();
  });
  after(() => {
    Object.assign(vscode.window, { createOutputChannel });
    log.dispose();
  });

  it("has one line per request, and no text of the conversation", async () => {
    await using desk = await openDesk();
    const transport = createUndiciTransport({ strictCertificates: true });
    const client = createTestClient({ transport, origin: desk.service.origin, key: desk.key, onCall });
    const messages = [{ role: "user", content: [{ type: "text", text: "Hello there" }] }] as const;
    const request = { model: "service-core", messages, maxTokens: 100, stream: true };
    let answer = "";
    for await (const parts of client.streamChat("messages", request, soon()))
      for (const part of parts) if (part.type === "text-delta") answer += part.text;
    await client.listModels(soon());
    desk.service.keys.revoke(desk.key);
    await client.listModels(soon()).catch(() => undefined);
    await transport.close();
    assert.equal(lines.length, 3, lines.join("\n"));
    assert.match(lines[0] ?? "", /^POST \/v1\/messages 200 request-id=\S+ \d+ ms tokens=\d+\/\d+$/);
    assert.match(lines[1] ?? "", /^GET \/v1\/models 200 request-id=\S+ \d+ ms tokens=-\/-$/);
    assert.match(lines[2] ?? "", /^GET \/v1\/models 403 refused request-id=\S+ \d+ ms tokens=-\/-$/);
    for (const text of ["Hello there", answer, desk.key])
      assert.ok(text !== "" && !lines.join("\n").includes(text));
  });
});
