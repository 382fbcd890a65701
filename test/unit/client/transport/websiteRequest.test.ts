import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { NetworkSettings } from "../../../../src/client/transport/undiciTransport.ts";
import { requestWebsite } from "../../../../src/client/transport/websiteRequest.ts";
import {
  isMetadataAddress,
  isMetadataHost,
  isPrivateHost,
  isPrivateName,
  isPublicAddress,
  readWebsiteUrl,
  requireReachable,
  WebsiteError,
  type WebsiteProblem,
  type WebsiteReach,
} from "../../../../src/client/transport/websiteAddress.ts";
import { startConnectProxy } from "./connectProxy.ts";
import { type PlainServer, startPlainServer } from "./plainServer.ts";

const direct: NetworkSettings = { strictCertificates: true };
const megabyte = 1024 * 1024;

const anywhere = (): boolean => true;

async function problemOf(reading: Promise<unknown>): Promise<WebsiteProblem> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof WebsiteError) return error.problem;
    throw error;
  }
  return assert.fail("the website was read");
}

type Changes = Partial<Parameters<typeof requestWebsite>[1] & WebsiteReach>;

function get(text: string, { mayConnectTo = anywhere, trustsProxy = false, ...changes }: Changes = {}) {
  const { signal } = new AbortController();
  const reach = { mayConnectTo, trustsProxy };
  return requestWebsite(readWebsiteUrl(text), {
    settings: direct,
    userAgent: "test/1",
    reach,
    signal,
    ...changes,
  });
}

function* endless(): Generator<Buffer> {
  const piece = Buffer.alloc(megabyte / 8, "a");
  for (;;) yield piece;
}

describe("the addresses of the internet", () => {
  it("are told from those of this machine, private networks and special uses", () => {
    const refused = `127.0.0.1 127.255.1.1 0.0.0.0 0.1.2.3 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254
      100.64.0.1 100.127.255.255 168.63.129.16 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1
      255.255.255.255 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fdff::1 fec0::1 ff02::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8
      0:0:0:0:0:ffff:7f00:1 ::7f00:1 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::8.8.8.8 2001::1 2001:db8::1
      2002:7f00:1:: 2002:0808:0808::1 3fff::1 4000::1 localhost 1.2.3`;
    for (const address of refused.split(/\s+/)) assert.ok(!isPublicAddress(address), address);
    const allowed = `8.8.8.8 1.1.1.1 9.255.255.255 172.15.0.1 172.32.0.1 100.63.255.255 100.128.0.1 192.167.1.1
      223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2001:4860:4860:0:0:0:0:8844 2A00:1450::1 64:ff9b::8.8.8.8
      64:ff9b::808:808`;
    for (const address of allowed.split(/\s+/)) assert.ok(isPublicAddress(address), address);
  });

  it("cannot be hidden by another way to write them", () => {
    for (const host of [
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "127.1",
      "[::ffff:127.0.0.1]",
      "①②⑦.0.0.1",
      "127.0.0.1.",
    ]) {
      const url = readWebsiteUrl(`http://${host}/`);
      assert.throws(
        () => requireReachable(url, direct, { mayConnectTo: isPublicAddress }),
        (error) => error instanceof WebsiteError && error.problem.type === "private-address",
        host,
      );
    }
  });

  it("are refused as names that private networks use", () => {
    const names =
      "localhost app.localhost router printer.local x.internal a.b.corp nas.lan host.home.arpa intranet. db.local.";
    for (const name of names.split(" ")) assert.ok(isPrivateName(name), name);
    for (const name of ["example.com", "local.example.com", "internal.dev", "example.com."])
      assert.ok(!isPrivateName(name), name);
  });
});

describe("the metadata services of clouds", () => {
  it("are known by their addresses, however written, and by their names", () => {
    for (const host of [
      "169.254.169.254",
      "0xa9fea9fe",
      "168.63.129.16",
      "[fd00:ec2::254]",
      "[FD00:0EC2:0::0254]",
      "[::ffff:169.254.169.254]",
      "[64:ff9b::a9fe:a9fe]",
      "169.254.170.23",
      "169.254.42.42",
      "169.254.0.23",
      "100.100.100.200",
      "192.0.0.192",
      "[fe80::a9fe:a9fe]",
      "[febf::1]",
      "[fd00:ec2::23]",
      "[fd00:42::42]",
      "[fd20:ce::254]",
      "metadata.google.internal.",
      "Metadata",
      "metadata.tencentyun.com",
      "api.metadata.cloud.ibm.com",
    ])
      assert.ok(isMetadataHost(readWebsiteUrl(`http://${host}/latest`)), host);
    for (const host of [
      "169.253.1.1",
      "100.100.100.201",
      "10.0.0.1",
      "[fec0::1]",
      "[fd00:ec3::254]",
      "metadata.example",
      "localhost",
    ])
      assert.ok(!isMetadataHost(readWebsiteUrl(`http://${host}/`)), host);
    assert.ok(isMetadataAddress("fe80::1%eth0"));
    assert.ok(!isMetadataAddress("metadata"));
  });

  it("are refused by their names before a lookup, also if a proxy is trusted", () => {
    for (const host of ["metadata.tencentyun.com", "api.metadata.cloud.ibm.com", "metadata.google.internal"])
      for (const trustsProxy of [true, false])
        assert.throws(
          () =>
            requireReachable(readWebsiteUrl(`http://${host}/`), direct, {
              mayConnectTo: () => true,
              trustsProxy,
            }),
          (error) => error instanceof WebsiteError && error.problem.type === "private-address",
          host,
        );
  });
});

describe("a host before any lookup", () => {
  it("is private by its name or by its address", () => {
    for (const host of ["localhost", "wiki", "wiki.corp", "10.1.2.3", "[::1]", "127.1"])
      assert.ok(isPrivateHost(readWebsiteUrl(`https://${host}/`), isPublicAddress), host);
    for (const host of ["example.com", "8.8.8.8", "[2606:4700::1111]"])
      assert.ok(!isPrivateHost(readWebsiteUrl(`https://${host}/`), isPublicAddress), host);
  });
});

describe("the URL of a website", () => {
  it("is http or https, without a name or password", () => {
    for (const text of [
      "ftp://a.example/",
      "file:///etc/passwd",
      "a.example",
      "",
      "https://u:p@a.example/",
      "https://u@a.example",
    ])
      assert.throws(() => readWebsiteUrl(text), WebsiteError, text);
    assert.equal(readWebsiteUrl(" https://A.example/b?c=d#part ").href, "https://a.example/b?c=d");
  });
});

describe("the request for a website", () => {
  let server: PlainServer;
  /** Headers of the requests in this test. */
  const headers: IncomingHttpHeaders[] = [];
  before(async () => {
    server = await startPlainServer();
  });
  beforeEach(() => {
    headers.length = 0;
  });
  after(() => server.close());

  /** Answers a path by its redirect or text. */
  function answer(pages: Readonly<Record<string, string>>): void {
    server.answer = (request: IncomingMessage, response) => {
      headers.push(request.headers);
      const page = pages[request.url ?? ""] ?? "";
      if (page.startsWith("-> "))
        response.writeHead(302, { location: page.slice(3), "set-cookie": "a=b" }).end("moved");
      else response.writeHead(200, { "content-type": "text/plain", "set-cookie": "a=b" }).end(page);
    };
  }

  it("sends no headers but its own, and no cookies after a redirect", async () => {
    answer({ "/": "-> /there", "/there": "text" });
    const { url, bytes, contentType, isCut } = await get(server.origin);
    assert.deepEqual(
      [url, Buffer.from(bytes).toString(), contentType, isCut],
      [`${server.origin}/there`, "text", "text/plain", false],
    );
    assert.equal(headers.length, 2);
    for (const sent of headers)
      assert.deepEqual(Object.keys(sent).toSorted(), ["accept", "connection", "host", "user-agent"]);
  });

  it("follows three redirects within the host, and not four", async () => {
    answer({ "/4": "-> /3", "/3": "-> /2", "/2": "-> ./1", "/1": `-> ${server.origin}/0`, "/0": "text" });
    assert.equal((await get(`${server.origin}/3`)).url, `${server.origin}/0`);
    assert.deepEqual(await problemOf(get(`${server.origin}/4`)), { type: "redirects", count: 3 });
    // Redirects that led here count as well.
    assert.equal((await get(`${server.origin}/1`, { redirects: 2 })).url, `${server.origin}/0`);
    assert.deepEqual(await problemOf(get(`${server.origin}/2`, { redirects: 2 })), {
      type: "redirects",
      count: 3,
    });
  });

  it("names the target of a redirect to another host, port or scheme, and does not ask it", async () => {
    const other = await startPlainServer();
    try {
      const byName = server.origin.replace("127.0.0.1", "localhost");
      for (const target of [`${byName}/a`, `${other.origin}/a`, "ftp://127.0.0.1/a", "https://x.example/a"]) {
        answer({ "/": `-> ${target}` });
        const before = server.requests;
        assert.deepEqual(await problemOf(get(server.origin)), { type: "redirect", target, count: 1 });
        assert.equal(server.requests, before + 1);
      }
      assert.equal(other.requests, 0);
    } finally {
      await other.close();
    }
  });

  it("connects to no private address, whether it is written or looked up", async () => {
    const before = server.requests;
    const byName = server.origin.replace("127.0.0.1", "localhost");
    for (const url of [server.origin, "http://[::1]/"])
      assert.deepEqual(await problemOf(get(url, { mayConnectTo: isPublicAddress })), {
        type: "private-address",
      });
    const problem = await problemOf(get(byName, { mayConnectTo: isPublicAddress }));
    assert.ok(problem.type === "private-address" && /^(?:127\.0\.0\.1|::1)$/.test(problem.resolved ?? ""));
    assert.equal(server.requests, before);
  });

  it("asks for the very addresses that it connects to, at each redirect", async () => {
    answer({ "/": "-> /there", "/there": "text" });
    const byName = server.origin.replace("127.0.0.1", "localhost");
    let asked: string[] = [];
    const mayConnectTo = (address: string): boolean => {
      asked.push(address);
      return true;
    };
    await get(byName, { mayConnectTo });
    assert.ok(asked.includes("127.0.0.1"), asked.join());
    asked = [];
    await get(server.origin, { mayConnectTo });
    assert.deepEqual(asked, ["127.0.0.1", "127.0.0.1"]);
  });

  it("reads at most 2 MB, counted after decompression, of a body without an end", async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      // Ends with an error once the client has closed the connection.
      pipeline(Readable.from(endless()), createGzip(), response, () => undefined);
    };
    const { bytes, isCut } = await get(server.origin);
    assert.deepEqual([bytes.length, isCut], [2 * megabyte, true]);
  });

  it("says the status of a refusal", async () => {
    server.answer = (_request, response) => void response.writeHead(403).end("no");
    assert.deepEqual(await problemOf(get(server.origin)), { type: "status", status: 403 });
  });

  it("ends after its time, also in the middle of a body", async () => {
    server.answer = (_request, response) => void response.writeHead(200).write("a");
    assert.deepEqual(await problemOf(get(server.origin, { timeoutMs: 300 })), {
      type: "timeout",
      seconds: 0.3,
    });
  });

  it("ends at once when it is stopped, and closes its connection", async () => {
    const closed = new Promise<void>((resolve) => {
      server.answer = (request) => {
        void once(request.socket, "close").then(() => resolve());
        stop.abort();
      };
    });
    const stop = new AbortController();
    await assert.rejects(get(server.origin, { signal: stop.signal }), { name: "AbortError" });
    await closed;
  });

  it("says the code of a connection that fails", async () => {
    const closed = await startPlainServer();
    await closed.close();
    assert.deepEqual(await problemOf(get(closed.origin)), {
      type: "connection",
      failure: "network",
      code: "ECONNREFUSED",
    });
  });

  it("goes through the proxy of the user, which gets no addresses and no private names", async () => {
    answer({ "/a": "text" });
    const proxy = await startConnectProxy(new URL(server.origin));
    try {
      const settings = { ...direct, proxy: proxy.origin };
      const { bytes } = await get("http://site.example/a", { settings, mayConnectTo: isPublicAddress });
      assert.equal(Buffer.from(bytes).toString(), "text");
      assert.deepEqual(proxy.asked, ["site.example:80"]);
      for (const host of [
        "93.184.216.34",
        "[2606:4700::1111]",
        "wiki",
        "nas.local",
        "x.internal",
        "metadata.google.internal",
        "metadata.tencentyun.com",
      ]) {
        const reading = get(`http://${host}/a`, { settings, mayConnectTo: isPublicAddress });
        assert.deepEqual(await problemOf(reading), { type: "private-address" }, host);
      }
      assert.equal(proxy.asked.length, 1);
      // The user can allow these for a page of their own choice.
      const allowed = { settings, mayConnectTo: anywhere, trustsProxy: true };
      assert.equal(Buffer.from((await get("http://wiki/a", allowed)).bytes).toString(), "text");
      assert.deepEqual(proxy.asked, ["site.example:80", "wiki:80"]);
    } finally {
      await proxy.close();
    }
  });
});
