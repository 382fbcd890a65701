import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import * as vscode from "vscode";
import { startReferenceService } from "../service/serve.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";
const slots = ["undici.globalDispatcher.1", "undici.globalDispatcher.2", "undici.globalOrigin.1"];

/** The process-wide slots of undici, which every extension of the host shares. */
function readSlots(): readonly unknown[] {
  return slots.map((name) => Reflect.get(globalThis, Symbol.for(name)));
}

describe("the network of a host shared with other extensions", () => {
  it("keeps undici's process-wide slots as they were", async () => {
    const before = readSlots();
    const service = await startReferenceService();
    process.env[keyVariable] = service.keys.add({});
    await writeConnections([{ name: "slots", baseUrl: service.origin, keyVariable }]);
    const result = await vscode.commands.executeCommand<{ ok: boolean }>("inference.checkConnection", {});
    assert.ok(result.ok, JSON.stringify(result));
    for (const [index, value] of readSlots().entries()) assert.ok(value === before[index], slots[index]);
    await writeConnections(undefined);
    delete process.env[keyVariable];
    await service.close();
  });

  it("leaves another extension's fetch going through the editor's proxy", async () => {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end("by proxy");
    });
    proxy.on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const address = proxy.address();
    assert.ok(address !== null && typeof address === "object");
    const http = vscode.workspace.getConfiguration("http");
    await http.update("proxy", `http://127.0.0.1:${address.port}`, vscode.ConfigurationTarget.Global);
    try {
      const signal = AbortSignal.timeout(5000);
      await fetch("http://other-extension.example/", { signal }).then(
        (response) => response.text(),
        () => undefined,
      );
      assert.ok(
        asked.some((url) => url.includes("other-extension.example")),
        asked.join(),
      );
    } finally {
      await http.update("proxy", undefined, vscode.ConfigurationTarget.Global);
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});
