import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import * as tls from "node:tls";
import * as vscode from "vscode";
import {
  type Certificate,
  type Certificates,
  readCertificates,
} from "../unit/client/transport/certificates.ts";
import { type ConnectProxy, startConnectProxy } from "../unit/client/transport/connectProxy.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { writeConnections } from "./testConnections.ts";

interface Step {
  readonly id: string;
  readonly ok: boolean;
  readonly status?: number;
  readonly cause?: string;
  readonly detail?: string;
}

interface Checked {
  readonly ok: boolean;
  readonly steps: readonly Step[];
}

const keyVariable = "INFERENCE_HOST_TEST_KEY";
const key = fakeKey("reaching");
const list = JSON.stringify({ data: [{ id: "service-core" }] });
const completion = JSON.stringify({ choices: [{ message: { content: "x" }, finish_reason: "length" }] });

const answerAll: RequestListener = (request, response) =>
  void response.end(request.method === "GET" ? list : completion);

async function check(): Promise<Checked> {
  const result = await vscode.commands.executeCommand<Checked>("inference.checkConnection", {});
  assert.ok(!JSON.stringify(result).includes(key));
  return result;
}

function failedStep({ ok, steps }: Checked): Step {
  assert.ok(!ok, JSON.stringify(steps));
  const failed = steps.find((step) => step.cause !== undefined);
  assert.ok(failed !== undefined, JSON.stringify(steps));
  return failed;
}

/** Requests the list of models as a script does. Resolves with the error message; empty without an error. */
async function refusal(): Promise<string> {
  return vscode.commands.executeCommand("inference.listModels", {}).then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function setHttp(settings: Readonly<Record<string, string | boolean | undefined>>): Promise<void> {
  const http = vscode.workspace.getConfiguration("http");
  for (const [name, value] of Object.entries(settings))
    await http.update(name, value, vscode.ConfigurationTarget.Global);
}

describe("a server that redirects", () => {
  let server: PlainServer;
  let elsewhere: PlainServer;

  before(async () => {
    process.env[keyVariable] = key;
    server = await startPlainServer();
    elsewhere = await startPlainServer();
    elsewhere.answer = answerAll;
    await writeConnections([{ name: "moved", baseUrl: server.origin, keyVariable }]);
  });
  after(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await Promise.all([server.close(), elsewhere.close()]);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`is not followed to another host, which is named and never receives the key (${status})`, async () => {
      server.answer = (_request, response) =>
        void response.writeHead(status, { location: `${elsewhere.origin}/v1/models` }).end();
      const before = server.requests;
      const failed = failedStep(await check());
      assert.deepEqual([failed.id, failed.cause, failed.status], ["models", "wrong-host", status]);
      assert.equal(server.requests, before + 1);
      assert.ok((await refusal()).includes(new URL(elsewhere.origin).host));
      assert.equal(elsewhere.requests, 0);
    });
  }

  it("is not followed within its own host or in a circle", async () => {
    for (const path of ["/api/v1/models", "/v1/models"]) {
      server.answer = (_request, response) => void response.writeHead(308, { location: path }).end();
      const before = server.requests;
      assert.equal(failedStep(await check()).cause, "wrong-path");
      assert.equal(server.requests, before + 1);
    }
  });

  it("is not followed when it redirects a question", async () => {
    server.answer = (request, response) => {
      if (request.method === "GET") answerAll(request, response);
      else response.writeHead(307, { location: `${elsewhere.origin}/v1/chat/completions` }).end();
    };
    const failed = failedStep(await check());
    assert.deepEqual([failed.id, failed.cause], ["completion", "wrong-host"]);
    assert.equal(elsewhere.requests, 0);
  });

  it("does not pass the check by listing models without a valid key", async () => {
    server.answer = (request, response) => {
      if (request.method === "GET") answerAll(request, response);
      else response.writeHead(401).end();
    };
    const { ok, steps } = await check();
    assert.ok(!ok);
    assert.deepEqual(
      steps.slice(3, 5).map((step) => [step.id, step.ok, step.status, step.cause]),
      [
        ["models", true, 200, undefined],
        ["completion", false, 401, "invalid-key"],
      ],
    );
  });
});

describe("a service that refuses without a reason", () => {
  it("is explained by what this window knows about the key", async () => {
    process.env[keyVariable] = key;
    const server = await startPlainServer();
    server.answer = (_request, response) => void response.writeHead(401).end();
    await writeConnections([{ name: "silent", baseUrl: server.origin, keyVariable }]);
    assert.match(await refusal(), new RegExp(`first: the environment variable ${keyVariable}`));
    server.answer = answerAll;
    assert.ok((await check()).ok);
    server.answer = (_request, response) => void response.writeHead(401).end();
    assert.match(await refusal(), /first: the key was revoked; the key has expired/);
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await server.close();
  });
});

describe("a service behind a proxy", () => {
  const login = `Basic ${Buffer.from(["proxy", "login"].join(":")).toString("base64")}`;
  let server: PlainServer;
  let proxy: ConnectProxy;

  before(async () => {
    process.env[keyVariable] = key;
    server = await startPlainServer();
    server.answer = answerAll;
    proxy = await startConnectProxy(new URL(server.origin), login);
    await writeConnections([
      { name: "proxied", baseUrl: "http://service.example", allowHttp: true, keyVariable },
    ]);
  });
  after(async () => {
    delete process.env[keyVariable];
    await setHttp({ proxy: undefined, proxyAuthorization: undefined });
    await writeConnections(undefined);
    await Promise.all([proxy.close(), server.close()]);
  });

  it("gets no request while the proxy needs sign-in, and the error names the setting", async () => {
    await setHttp({ proxy: proxy.origin });
    const failed = failedStep(await check());
    assert.equal(failed.cause, "proxy");
    assert.match(await refusal(), /requires sign-in.*http\.proxyAuthorization/);
    assert.equal(server.requests, 0);
  });

  it("is reached with the login in the proxy's URL, which no result shows", async () => {
    const address = proxy.origin.replace("//", `//${["proxy", "login"].join(":")}@`);
    await setHttp({ proxy: address });
    const result = await check();
    assert.ok(result.ok, JSON.stringify(result));
    assert.ok(!JSON.stringify(result).includes("login@"));
    assert.equal(server.requests, 2);
  });
});

describe("certificates in VS Code", () => {
  const closing: (() => unknown)[] = [];
  let certificates: Certificates;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answerAll(request, response);
  });
  const present = ({ key: own, cert }: Certificate): void => server.setSecureContext({ key: own, cert });

  before(async () => {
    process.env[keyVariable] = key;
    certificates = await readCertificates(process.env["SSL_CERT_FILE"] ?? "");
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const proxy = await startConnectProxy(new URL(`http://127.0.0.1:${address.port}`));
    closing.push(() => proxy.close());
    closing.push(() => server.close().closeAllConnections());
    await setHttp({ proxy: proxy.origin });
    await writeConnections([{ name: "secured", baseUrl: "https://service.example", keyVariable }]);
  });
  beforeEach(() => {
    requests = 0;
  });
  after(async () => {
    delete process.env[keyVariable];
    await setHttp({ proxy: undefined });
    await writeConnections(undefined);
    for (const close of closing) await close();
  });

  it("trusts an authority in the system's store without any setting", async () => {
    // SSL_CERT_FILE names the store, as OpenSSL reads it on Linux. The machine's own store is unchanged.
    const authority = new X509Certificate(await readFile(certificates.authorityFile)).fingerprint256;
    const holds = (store: "system" | "bundled" | "extra"): boolean =>
      tls.getCACertificates(store).some((each) => new X509Certificate(each).fingerprint256 === authority);
    assert.deepEqual([holds("system"), holds("bundled"), holds("extra")], [true, false, false]);
    present(certificates.signed);
    const result = await check();
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(requests, 2);
  });

  const refused: readonly (readonly [string, (all: Certificates) => Certificate, RegExp])[] = [
    ["a self-signed certificate", (all) => all.selfSigned, /certificate is self-signed.*system's trusted/],
    ["an expired certificate", (all) => all.expired, /has expired.*clock/],
    ["a certificate for another name", (all) => all.otherName, /isn't valid for service\.example/],
  ];
  for (const [name, choose, words] of refused) {
    it(`refuses ${name} in plain words, and sends nothing`, async () => {
      present(choose(certificates));
      const failed = failedStep(await check());
      assert.deepEqual([failed.id, failed.cause], ["network", "tls"]);
      const said = await refusal();
      assert.match(said, words);
      assert.doesNotMatch(said, /proxyStrictSSL|switch off|turn off/i);
      assert.equal(requests, 0);
    });
  }
});
