import assert from "node:assert/strict";
import { fakeKey } from "../../service/fixture.ts";
import { brief, key, problemOf, read, unusedOf, urlOf } from "./pastedFacts.ts";

/** A command to this host with a key from a variable that is set before it. */
function setAndSent(host: string, value: string): string {
  return `export API_KEY=${value}\ncurl https://${host}.example/v1/messages -H "x-api-key: $API_KEY"`;
}

function mendsOf(written: string): unknown {
  const { key: found } = read(`curl https://h.example -H "x-api-key: ${written}"`);
  return found.kind === "key" && found.key === key ? found.mends : found;
}

describe("a curl command", () => {
  const body = '{"model":"gpt-5","messages":[{"role":"user","content":"it is"}]}';
  const expected =
    'curl | - | https://h.example/v1/chat/completions | chat-completions | gpt-5 | x-team={"kind":"text","text":"blue"} | key';

  it("is read with the quotes and continued lines of all shells", () => {
    const url = "https://h.example/v1/chat/completions";
    const escaped = body.replaceAll('"', '\\"');
    const texts = [
      `curl ${url} \\\n  -H "Authorization: Bearer ${key}" \\\n  -H 'x-team: blue' \\\n  -d '${body}'`,
      `$ curl -sS -X POST --url '${url}' --header="x-team: blue" -H'Authorization: Bearer ${key}' --data-raw $'${body.replace("it is", "it\\'s")}' | jq .`,
      `curl "${url}" ^\r\n  -H "authorization: Bearer ${key}" ^\r\n  -H "x-team: blue" ^\r\n  --data-raw "${escaped}"`,
      `curl ^"${url}^" ^\r\n  -H ^"authorization: Bearer ${key}^" ^\r\n  -H ^"x-team: blue^" ^\r\n  --data-raw ^"${body.replaceAll('"', '^\\^"')}^"`,
      `curl.exe ${url} \`\n  -H "x-api-key: ${key}" \`\n  -H "x-team: blue" \`\n  --json '${escaped}'`,
      `curl -LsSH "x-team: blue" --oauth2-bearer ${key} -d "${escaped}" ${url} > out.json`,
      `OPENAI_API_KEY=${key}\ncurl ${url} -H "Authorization: Bearer $OPENAI_API_KEY" -H "x-team: blue" -d '${body}'`,
      `curl ${url} \\ \n -H "Authorization: Bearer ${key}" \\ \n -H "x-team: blue" -d '${body}'`,
    ];
    for (const text of texts) assert.equal(brief(text), expected, text);
  });

  it("shows the Messages style by its URL or by its headers", () => {
    assert.equal(read("curl https://h.example/v1/messages").clientStyle, "messages");
    assert.equal(read('curl https://h.example -H "anthropic-version: 2023-06-01"').clientStyle, "messages");
    assert.equal(read("curl https://h.example/v1/models").clientStyle, undefined);
    assert.equal(read("curl localhost:8080/v1/models").baseUrl, "http://localhost:8080/v1/models");
  });

  it("with references gives names of variables", () => {
    const { headers, key: found } = read(
      'curl https://h.example/v1/messages -H "x-api-key: $ACME_KEY" -H "helicone-auth: Bearer ${HELICONE_API_KEY}"',
    );
    assert.deepEqual(found, { kind: "variable", variable: "ACME_KEY" });
    assert.deepEqual(headers, [
      {
        name: "helicone-auth",
        value: { kind: "variable", variable: "HELICONE_API_KEY", scheme: "Bearer" },
      },
    ]);
  });

  it("names what is not used: logins, other options, and further commands", () => {
    const text = `curl https://h.example/v1/messages -k -u me:password -H "Authorization: Basic abc" -x proxy:1\ncurl https://b.example\nANTHROPIC_MODEL=x`;
    assert.deepEqual(unusedOf(text), [
      "--insecure (an option of curl)",
      "--user (an option of curl)",
      "The header Authorization can't be set for a connection. Remove the header.",
      "--proxy (an option of curl)",
      "Another curl command",
      "ANTHROPIC_MODEL (another configuration)",
    ]);
  });

  it("is refused with an open quote, a key in its URL, or a URL that no connection can have", () => {
    assert.equal(problemOf('curl "https://h.example/v1'), "unclosed");
    assert.equal(problemOf(`curl https://h.example/v1/${key}/messages`), "key-in-url");
    assert.equal(problemOf(`curl "https://h.example/v1/models?key=${key}"`), "key-in-url");
    assert.equal(problemOf(`curl "https://h.example/v1/models?api-version=1"`), "address");
    assert.equal(problemOf(`curl https://me:${key}@h.example/v1`), "address");
    assert.equal(problemOf("curl -H 'x: y'"), "no-base-url");
  });

  it("doesn't take the value of another option as its host", () => {
    for (const option of [
      "--dump-header headers.txt",
      "--unknown log.txt",
      "--socks5 proxy.example",
      "--doh-url https://doh.example",
    ])
      assert.equal(read(`curl ${option} https://h.example/v1/models`).baseUrl, "https://h.example/v1/models");
    assert.equal(read("curl h.example/v1/models").baseUrl, "https://h.example/v1/models");
  });

  it("gets only the values of variables that are set before it", () => {
    const both = `${setAndSent("a", key)}\n${setAndSent("b", fakeKey("other"))}`;
    assert.equal(brief(both), "curl | - | https://a.example/v1/messages | messages | - | key");
    assert.deepEqual(unusedOf(both), ["Another curl command"]);
    const later = `curl https://h.example/v1/messages -H "x-api-key: $API_KEY"\nAPI_KEY=${key}`;
    assert.deepEqual(read(later).key, { kind: "variable", variable: "API_KEY" });
    assert.deepEqual(unusedOf(later), ["API_KEY (another configuration)"]);
  });

  it("ends before its next request, and names its further URLs", () => {
    for (const next of ["--next", "-:"]) {
      const text = `curl https://a.example/v1/messages ${next} https://b.example -H "x-api-key: ${key}"`;
      assert.equal(brief(text), "curl | - | https://a.example/v1/messages | messages | - | none");
      assert.deepEqual(unusedOf(text), ["Another curl command"]);
    }
    const text = `curl https://a.example/v1/messages --url https://b.example/v1 -H "x-api-key: ${key}"`;
    assert.equal(brief(text), "curl | - | https://a.example/v1/messages | messages | - | key");
    assert.deepEqual(unusedOf(text), ["b.example (another configuration)"]);
    for (const option of ["--proxy1.0", "--referer", "--request-target", "-e", "--etag-save"])
      assert.equal(urlOf(`curl ${option} https://b.example https://a.example`), "https://a.example", option);
  });

  it("is read from the word curl to its own end, whatever stands around it", () => {
    const command = `curl https://h.example/v1/messages -H "x-api-key: ${key}"`;
    for (const text of [
      `Here's how:\n${command}`,
      `Here's a curl command that's useful (it isn't long):\n\n  ${command}\nThat's it.`,
      `${command} -d @- <<EOF\nI don't know\nEOF`,
      `# curl 'https://old.example\n${command}`,
      `curl --version\n${command}`,
      `sudo "C:\\Program Files\\curl.exe"${command.slice(4)}; echo 'done`,
      `${command} \\\n  -s\ncurl.exe https://b.example \`\n  -H "x-a: b"`,
      `A=b ${command} # don't`,
    ])
      assert.equal(brief(text), "curl | - | https://h.example/v1/messages | messages | - | key", text);
    assert.equal(problemOf(`curl https://h.example -H 'x-api-key: ${key}`), "unclosed");
    assert.equal(problemOf(`curl https://h.example -d 'don't'\nThat is it.`), "unclosed");
  });

  it("keeps no header with a variable or a placeholder inside its value", () => {
    for (const value of [
      "blue-$TEAM",
      "blue-${TEAM}",
      "a-%TEAM%",
      "<your-team>",
      "{{TEAM}}",
      "x-$(date)",
      "blue-$OUT",
    ]) {
      const text = `OUT=$(date)\ncurl https://h.example -H 'x-team: ${value}'`;
      assert.deepEqual(read(text).headers, [], value);
      assert.deepEqual(unusedOf(text), ["x-team (contains a variable or a placeholder)"], value);
    }
    for (const value of ["US$5", "Caf%C3%A9%20au", '{"a":{"b":1}}', "Me <me@h.example>"])
      assert.equal(read(`curl https://h.example -H 'x-team: ${value}'`).headers.length, 1, value);
  });

  it("has no key if its variable holds the output of a command", () => {
    const text = 'ACME_KEY=$(pass show x)\ncurl https://h.example -H "Authorization: Bearer $ACME_KEY"';
    assert.deepEqual(read(text).key, { kind: "variable", variable: "ACME_KEY" });
    assert.equal(read('curl https://h.example -H "Authorization: Bearer "').key.kind, "none");
  });

  it("finds variables of cmd and PowerShell in any case", () => {
    for (const reference of ["%api_key%", "$env:Api_Key", "${env:api_key}"]) {
      const text = `set API_KEY=${key}\ncurl https://h.example/v1/messages -H "x-api-key: ${reference}"`;
      assert.equal(brief(text), "curl | - | https://h.example/v1/messages | messages | - | key", reference);
      assert.deepEqual(unusedOf(text), []);
    }
    const text = `API_KEY=${key}\ncurl https://h.example -H "x-api-key: $api_key"`;
    assert.deepEqual(read(text).key, { kind: "variable", variable: "api_key" });
  });

  it("names options and headers that change where the request goes", () => {
    const text = `curl -4sU corp:pass --connect-to a:443:b:443 --preproxy http://p.example https://h.example/v1 -H "X-Forwarded-Host: b.example" -H "X-Http-Method-Override: PUT" -H "Host: b" -H "Accept: a/b" -H "sec-fetch-mode: cors"`;
    const reserved = ["X-Forwarded-Host", "X-Http-Method-Override", "Host"];
    assert.equal(read(text).baseUrl, "https://h.example/v1");
    assert.deepEqual(unusedOf(text), [
      "--proxy-user (an option of curl)",
      "--connect-to (an option of curl)",
      "--preproxy (an option of curl)",
      ...reserved.map((name) => `The header ${name} can't be set for a connection. Remove the header.`),
    ]);
  });

  it("gives at most as many headers as a connection can have", () => {
    const written = Array.from({ length: 30 }, (_, at) => `-H "x-team-${at}: blue"`).join(" ");
    assert.equal(read(`curl https://h.example ${written}`).headers.length, 20);
    assert.deepEqual(unusedOf(`curl https://h.example ${written}`), [
      "The connection has too many headers. The maximum is 20.",
    ]);
  });

  it("says what was removed around its key", () => {
    assert.deepEqual(mendsOf(key), []);
    assert.deepEqual(mendsOf(`'${key}'`), ["quotes"]);
  });

  it("keeps an HTTP URL, so that the user can decide", () => {
    const { address } = read("curl http://h.example/v1/messages");
    assert.ok(address.kind === "problem" && address.problem === "insecure");
  });
});
