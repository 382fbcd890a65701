import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import { ConnectionRecorder } from "../../../../src/client/transport/connectionRecorder.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { NetworkSettings } from "../../../../src/client/transport/undiciTransport.ts";
import { makeCertificates } from "./certificates.ts";
import type { Certificate, Certificates } from "./certificates.ts";
import { startConnectProxy } from "./connectProxy.ts";
import type { ConnectProxy } from "./connectProxy.ts";
import { startPlainServer } from "./plainServer.ts";
import type { PlainServer } from "./plainServer.ts";
import { getRequest, testLimits, textOf } from "../http/requests.ts";

describe("the facts of a connection", () => {
  let certificates: Certificates;
  let plain: PlainServer;
  let proxy: ConnectProxy;
  let port: number;
  const secure = createServer((_request, response) => void response.end("secure"));

  before(async () => {
    certificates = await makeCertificates();
    plain = await startPlainServer();
    plain.answer = (_request, response) => void response.end("plain");
    await once(secure.listen(0, "127.0.0.1"), "listening");
    const address = secure.address();
    assert.ok(address !== null && typeof address === "object");
    ({ port } = address);
    proxy = await startConnectProxy(new URL(`http://127.0.0.1:${port}`));
  });
  after(async () => {
    await proxy.close();
    await plain.close();
    secure.closeAllConnections();
    secure.close();
    await certificates[Symbol.asyncDispose]();
  });

  const present = ({ key, cert }: Certificate): void => secure.setSecureContext({ key, cert });

  it("include a DNS lookup for a host name but not for an IP address", async () => {
    const named = await factsOf(plain.origin.replace("127.0.0.1", "localhost"));
    assert.equal(named.text, "plain");
    const { lookup, connectMs, tls } = named.facts;
    assert.ok(lookup !== undefined && lookup.addresses >= 1 && lookup.ms >= 0, JSON.stringify(named));
    assert.ok(lookup.families.includes(4));
    assert.ok(connectMs !== undefined && connectMs >= 0);
    assert.equal(tls, undefined);
    assert.equal((await factsOf(plain.origin)).facts.lookup, undefined);
  });

  it("include the certificate of a service if the certificate is refused", async () => {
    present(certificates.selfSigned);
    const { facts, text } = await factsOf(`https://127.0.0.1:${port}`);
    assert.equal(text, undefined);
    const { subject, issuer, matchesHost } = facts.tls?.certificate ?? {};
    assert.deepEqual([subject, issuer, matchesHost], ["service.example", "service.example", false]);
    present(certificates.expired);
    const expired = await factsOf(`https://127.0.0.1:${port}`);
    assert.match(expired.facts.tls?.certificate?.validTo ?? "", /^2021-01-01T/);
    assert.equal(expired.facts.tls?.certificate?.issuer, "Test Authority");
  });

  it("include protocol and certificate through a proxy's tunnel", async () => {
    present(certificates.signed);
    const settings = { proxy: proxy.origin, strictCertificates: false };
    const { facts, text } = await factsOf("https://service.example", settings);
    assert.equal(text, "secure");
    assert.equal(facts.tls?.protocol, "TLSv1.3");
    assert.equal(facts.tls.certificate?.matchesHost, true);
    assert.ok(facts.connectMs !== undefined, "the connection to the proxy");
  });
});

/** Returns the recorded facts, and the text unless the request failed. */
async function factsOf(url: string, settings: Partial<NetworkSettings> = {}) {
  const recorder = new ConnectionRecorder();
  const transport = createUndiciTransport({ strictCertificates: true, ...settings }, recorder);
  const signal = AbortSignal.timeout(45_000);
  const text = await transport
    .send(getRequest(url), testLimits, signal)
    .then(textOf)
    .catch(() => undefined);
  await transport.close();
  return { facts: recorder.facts, text };
}
