import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import * as vscode from "vscode";
import { startConnectProxy } from "../unit/client/transport/connectProxy.ts";
import { startReferenceService } from "../service/serve.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";
const slots = ["undici.globalDispatcher.1", "undici.globalDispatcher.2", "undici.globalOrigin.1"];

/** Reads the process-wide slots of undici, which all extensions in the host share. */
function readSlots(): readonly unknown[] {
  return slots.map((name) => Reflect.get(globalThis, Symbol.for(name)));
}

describe("the network of a host shared with other extensions", () => {
  it("leaves undici's process-wide slots unchanged", async () => {
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

  it("checks a connection through the proxy in VS Code's settings", async () => {
    const before = readSlots();
    const service = await startReferenceService();
    const login = `Basic ${Buffer.from(["proxy", "login"].join(":")).toString("base64")}`;
    const proxy = await startConnectProxy(new URL(service.origin), login);
    const http = vscode.workspace.getConfiguration("http");
    const { Global } = vscode.ConfigurationTarget;
    process.env[keyVariable] = service.keys.add({});
    await writeConnections([
      { name: "proxied", baseUrl: "http://service.example", allowHttp: true, keyVariable },
    ]);
    try {
      await http.update("proxyAuthorization", login, Global);
      await http.update("proxy", proxy.origin, Global);
      const result = await vscode.commands.executeCommand<{ ok: boolean; steps: { detail?: string }[] }>(
        "inference.checkConnection",
        {},
      );
      assert.ok(result.ok, JSON.stringify(result));
      assert.ok(result.steps[2]?.detail?.includes(proxy.host), JSON.stringify(result));
      assert.ok(proxy.asked.includes("service.example:80"));
      assert.deepEqual(
        service.journal.entries.map(({ path }) => path),
        ["/v1/models", "/v1/chat/completions"],
      );
      for (const [index, value] of readSlots().entries()) assert.ok(value === before[index], slots[index]);
    } finally {
      await http.update("proxy", undefined, Global);
      await http.update("proxyAuthorization", undefined, Global);
      await writeConnections(undefined);
      delete process.env[keyVariable];
      await proxy.close();
      await service.close();
    }
  });

  it("leaves another extension's fetch on VS Code's proxy", async () => {
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
      const signal = AbortSignal.timeout(45_000);
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
