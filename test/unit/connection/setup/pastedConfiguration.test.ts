import assert from "node:assert/strict";
import fc from "fast-check";
import { describePasteProblem, describeUnusedPart } from "../../../../src/connection/setup/inputTexts.ts";
import { readPastedConfiguration } from "../../../../src/connection/setup/pastedConfiguration.ts";
import { fakeKey } from "../../service/fixture.ts";
import { brief, key, problemOf, read, t, unusedOf, urlOf } from "./pastedFacts.ts";

describe("an entry of VS Code's own chat", () => {
  const endpoint = "https://h.example/v1/chat/completions";
  const model = { id: "gpt-5", name: "GPT-5", url: endpoint, toolCalling: true, maxInputTokens: 128000 };
  const entry = { name: "Acme", vendor: "customendpoint", apiType: "chat-completions" };

  it("gives name, base URL, client style, model, and key", () => {
    const text = JSON.stringify([{ ...entry, apiKey: key, models: [model] }]);
    assert.equal(brief(text), `custom-endpoint | Acme | ${endpoint} | chat-completions | gpt-5 | key`);
    assert.deepEqual(unusedOf(text), []);
  });

  it("is read with comments and trailing commas, as a part of the list, or as one entry", () => {
    const { apiType, ...older } = { ...entry, vendor: "customoai" };
    const texts = [
      `// mine\n[ ${JSON.stringify({ ...entry, models: [model] }).replace("}]}", '},], /* "x" */ },')} ]`,
      `${JSON.stringify({ ...entry, models: [model] })},`,
      JSON.stringify({ ...entry, models: [model] }),
      JSON.stringify({ providers: [{ ...entry, models: [model] }] }),
      JSON.stringify([{ ...entry, url: endpoint, models: [{ id: "gpt-5" }] }]),
      JSON.stringify([{ ...older, models: [model] }]),
    ];
    for (const text of texts)
      assert.equal(
        brief(text),
        `custom-endpoint | Acme | ${endpoint} | chat-completions | gpt-5 | none`,
        text,
      );
    assert.equal(apiType, "chat-completions");
  });

  it("gives the headers that can be kept, and ignores what stands for its own key", () => {
    const requestHeaders = {
      "x-portkey-provider": "openai",
      Authorization: "Bearer ${apiKey}",
      "Content-Type": "application/json",
      "x-portkey-api-key": fakeKey("gateway"),
      "helicone-auth": "Bearer ${env:HELICONE_API_KEY}",
      cookie: "a=b",
    };
    const text = JSON.stringify([
      { ...entry, apiKey: "${input:chat.lm.secret.7529fe01}", models: [{ ...model, requestHeaders }] },
    ]);
    const { headers, key: found } = read(text);
    assert.deepEqual(
      headers.map(({ name }) => name),
      ["x-portkey-provider", "helicone-auth"],
    );
    assert.equal(found.kind, "elsewhere");
    const unused = unusedOf(text).join("\n");
    assert.match(unused, /x-portkey-api-key looks like a secret/);
    assert.match(unused, /header cookie can't be set/);
    assert.ok(!unused.includes(fakeKey("gateway")));
  });

  it("names the models and entries that are not used", () => {
    const text = JSON.stringify([
      {
        ...entry,
        models: [
          model,
          { ...model, id: "gpt-5-mini" },
          { id: "claude", url: "https://b.example/v1/messages" },
        ],
      },
      { ...entry, name: "Beta", models: [{ id: "x", url: "https://c.example" }] },
      { name: "Cloud", vendor: "azure", models: [model] },
    ]);
    assert.deepEqual(unusedOf(text), [
      "gpt-5-mini (you can select this model in the chat)",
      "claude (another configuration)",
      "Beta (another configuration)",
      "Cloud (another configuration)",
    ]);
  });

  it("gives no name, model, or unused part that looks like a key", () => {
    const named = { ...entry, name: key, models: [{ ...model, id: key }] };
    const text = JSON.stringify([named, { ...named, models: [{ ...model, url: "https://b.example" }] }]);
    assert.equal(brief(text), `custom-endpoint | - | ${endpoint} | chat-completions | - | none`);
    assert.deepEqual(unusedOf(text), []);
  });

  it("gives no name, model, or unused part that contains a key", () => {
    const projectKey = ["sk", "proj", "a1B2c3D4".repeat(4)].join("-");
    const plainKey = ["correct", "horse", "battery"].join("");
    for (const secret of [key, projectKey, plainKey]) {
      const apiKey = secret === plainKey ? { apiKey: secret } : {};
      const text = JSON.stringify([
        { ...entry, ...apiKey, name: `Acme ${secret}`, models: [{ ...model, id: `openai/${secret}` }] },
        { ...entry, name: `my ${secret}`, models: [{ ...model, url: "https://b.example" }] },
        { ...entry, name: `key=${secret}`, models: [] },
      ]);
      const { key: found, ...shown } = read(text);
      assert.deepEqual([shown.name, shown.model, shown.unused], [undefined, undefined, []]);
      assert.equal(found.kind, secret === plainKey ? "key" : "none");
    }
    assert.equal(
      problemOf(`OPENAI_BASE_URL=https://h.example/${plainKey}\nOPENAI_API_KEY=${plainKey}`),
      "key-in-url",
    );
    const { headers, unused } = read(
      `curl https://h.example/v1 -H "x-api-key: ${plainKey}" -H "x-team: a ${plainKey}"`,
    );
    assert.deepEqual([headers, unused], [[], [{ kind: "header", header: "x-team", problem: "secret" }]]);
  });

  it("has no client style if it uses the Responses API", () => {
    const text = JSON.stringify([
      { ...entry, apiType: "responses", models: [{ id: "gpt-5", url: "https://h.example/v1/responses" }] },
    ]);
    assert.equal(brief(text), "custom-endpoint | Acme | https://h.example/v1 | - | gpt-5 | none");
    assert.match(unusedOf(text).join(), /Responses API/);
  });
});

describe("environment variables", () => {
  it("are read from files and all shells", () => {
    const texts = [
      `OPENAI_BASE_URL=https://h.example/v1\nOPENAI_API_KEY=${key}\nOPENAI_MODEL=gpt-5`,
      `# mine\nexport OPENAI_API_BASE="https://h.example/v1" # base\nexport OPENAI_API_KEY='${key}'\nexport OPENAI_MODEL=gpt-5`,
      `$env:OPENAI_BASE_URL = "https://h.example/v1"\r\n$env:OPENAI_API_KEY="${key}"\r\n$env:OPENAI_MODEL='gpt-5'`,
      `set OPENAI_BASE_URL=https://h.example/v1\r\nset "OPENAI_API_KEY=${key}"\r\nREM set OPENAI_MODEL=old\r\nset OPENAI_MODEL=gpt-5`,
      `set -gx OPENAI_BASE_URL https://h.example/v1\nset -gx OPENAI_API_KEY ${key}\nset -gx OPENAI_MODEL gpt-5`,
      `export OPENAI_BASE_URL=https://h.example/v1 OPENAI_API_KEY=${key} && export OPENAI_MODEL=gpt-5`,
      `OPENAI_BASE_URL: https://h.example/v1\nOPENAI_API_KEY: ${key}\nOPENAI_MODEL: "gpt-5"`,
      `\`\`\`bash\n$ export OPENAI_BASE_URL=\u201chttps://h.example/v1\u201d\n$ export OPENAI_API_KEY=${key}\n$ export OPENAI_MODEL=gpt-5\n\`\`\``,
      JSON.stringify({
        env: { OPENAI_BASE_URL: "https://h.example/v1", OPENAI_API_KEY: key, OPENAI_MODEL: "gpt-5" },
      }),
    ];
    for (const text of texts)
      assert.equal(
        brief(text),
        "environment | - | https://h.example/v1 | chat-completions | gpt-5 | key",
        text,
      );
  });

  it("for Messages give that client style, their token, and their headers", () => {
    const text = `export ANTHROPIC_BASE_URL=https://h.example\nexport ANTHROPIC_AUTH_TOKEN=${key}\nexport ANTHROPIC_API_KEY=""\nexport ANTHROPIC_CUSTOM_HEADERS="x-team: blue"`;
    assert.equal(
      brief(text),
      'environment | - | https://h.example | messages | - | x-team={"kind":"text","text":"blue"} | key',
    );
  });

  it("of another name leave the client style open", () => {
    assert.equal(
      brief("ACME_BASE_URL=https://h.example\nACME_API_KEY=$SHARED_KEY\nACME_MODEL=m"),
      "environment | - | https://h.example | - | m | variable",
    );
  });

  it("of two configurations give the first with a base URL, and name the others", () => {
    const text = `OPENAI_API_KEY=${fakeKey("other")}\nANTHROPIC_BASE_URL=https://a.example\nANTHROPIC_API_KEY=${key}\nOPENAI_MODEL=gpt-5`;
    assert.equal(brief(text), "environment | - | https://a.example | messages | - | key");
    assert.deepEqual(unusedOf(text), [
      "OPENAI_API_KEY (another configuration)",
      "OPENAI_MODEL (another configuration)",
    ]);
  });

  it("of OpenAI and Anthropic come before others, then those with a key", () => {
    const supabase = `SUPABASE_API_URL=https://db.example\nSUPABASE_API_KEY=${fakeKey("other")}`;
    const anthropic = `ANTHROPIC_BASE_URL=https://a.example\nANTHROPIC_AUTH_TOKEN=${key}`;
    const text = `${supabase}\n${anthropic}`;
    assert.equal(brief(text), "environment | - | https://a.example | messages | - | key");
    assert.deepEqual(unusedOf(text), [
      "SUPABASE_API_URL (another configuration)",
      "SUPABASE_API_KEY (another configuration)",
    ]);
    const openai = "OPENAI_BASE_URL=https://o.example";
    assert.equal(urlOf("BASE_URL=http://localhost:3000", openai), "https://o.example");
    assert.equal(urlOf(openai, anthropic), "https://a.example");
    assert.equal(urlOf(openai, supabase), "https://o.example");
    assert.equal(urlOf("BASE_URL=http://localhost:3000", supabase), "https://db.example");
    assert.equal(urlOf("A_BASE_URL=https://1.example", "B_BASE_URL=https://2.example"), "https://1.example");
  });

  it("need a base URL, and closed quotes", () => {
    assert.equal(problemOf(`OPENAI_API_KEY=${key}`), "no-base-url");
    assert.equal(problemOf('OPENAI_BASE_URL="https://h.example'), "unclosed");
    assert.deepEqual(unusedOf(`OPENAI_BASE_URL=https://h.example\nOPENAI_API_KEY="${key}`), [
      "OPENAI_API_KEY (a quote isn't closed)",
    ]);
  });

  it("end where their shell ends a command, and otherwise keep all characters", () => {
    const base = "OPENAI_BASE_URL=https://h.example/v1";
    const texts = [
      `set OPENAI_API_KEY=${key}&set ${base}&& code`,
      `OPENAI_API_KEY=${key}|cat\n${base}`,
      `export OPENAI_API_KEY=${key}& export ${base} && code .`,
      `${base};OPENAI_API_KEY=${key};OPENAI_ORG=x`,
      `OPENAI_API_KEY: ${key},\n${base}`,
      `OPENAI_API_KEY="${key}"; ${base}; code`,
      `[Environment]::SetEnvironmentVariable("OPENAI_API_KEY", "${key}", "User")\n$env:${base}`,
      `setx /M OPENAI_API_KEY ${key}\nsetx OPENAI_BASE_URL https://h.example/v1 /M`,
      `set --global --export OPENAI_API_KEY ${key}\nset -gx OPENAI_BASE_URL https://h.example/v1`,
      `import os\nos.environ["OPENAI_API_KEY"] = "${key}"\nos.environ['OPENAI_BASE_URL'] = 'https://h.example/v1'`,
    ];
    for (const text of texts)
      assert.equal(brief(text), "environment | - | https://h.example/v1 | chat-completions | - | key", text);
    for (const whole of ["p@ss,word;123", `17|${"a1B2c3D4".repeat(5)}`]) {
      const { key: found } = read(`${base}\nOPENAI_API_KEY=${whole}`);
      assert.ok(found.kind === "key" && found.key === whole);
    }
  });

  it("have no value if a comment or the output of a command stands there", () => {
    for (const value of [
      "# put your key here",
      "#",
      "$(security find-generic-password -w -s x)",
      "$(op read $(cat name))",
      '"$(cat ~/.key)"',
      "`cat key`",
      "`cat key",
    ]) {
      const { key: found, model } = read(
        `OPENAI_BASE_URL=https://h.example\nOPENAI_API_KEY= ${value}\nexport OPENAI_MODEL=${value}`,
      );
      assert.equal(found.kind, "none", value);
      assert.equal(model, undefined, value);
    }
    assert.equal(
      read('curl https://h.example/v1 -H "Authorization: Bearer $(cat ~/.key)"').key.kind,
      "placeholder",
    );
  });

  it("may refer to each other", () => {
    const text = `HOST=h.example\nROOT="https://$HOST"\nOPENAI_BASE_URL=\${ROOT}/v1\nSHARED_API_KEY=${key}\nOPENAI_API_KEY=$SHARED_API_KEY`;
    assert.equal(brief(text), "environment | - | https://h.example/v1 | chat-completions | - | key");
    assert.deepEqual(unusedOf(text), []);
    assert.equal(
      brief(`{"env":{"HOST":"h.example","ACME_BASE_URL":"https://$HOST"}}`).split(" | ")[2],
      "https://h.example",
    );
  });

  it("give no connection if a part of the URL must still be replaced", () => {
    const urls = [
      "https://${BASE}/v1",
      "$BASE/v1",
      "https://$HOST/v1/messages",
      "https://{resource}.openai.azure.com/openai",
      "https://<your-host>/v1",
      "{{BASE_URL}}/v1",
      "https://%HOST%/v1",
      "%BASE_URL%/v1",
      "/v1",
      "//v1",
    ];
    for (const url of urls) {
      assert.equal(problemOf(`OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${key}`), "unresolved-url", url);
      assert.equal(problemOf(`curl --url '${url}' -H "x-api-key: ${key}"`), "unresolved-url", url);
      assert.equal(problemOf(JSON.stringify({ name: "Acme", url, apiKey: key })), "unresolved-url", url);
    }
    assert.equal(read("OPENAI_BASE_URL=https://h.example/%C3%A4/v1").baseUrl, "https://h.example/%C3%A4/v1");
  });

  it("of Anthropic give the token of a gateway before an API key, and say where the key was found", () => {
    const own = `ANTHROPIC_API_KEY=${fakeKey("other")}`;
    const token = `ANTHROPIC_AUTH_TOKEN=${key}`;
    for (const lines of [
      [own, token],
      [token, own],
    ]) {
      const text = ["ANTHROPIC_BASE_URL=https://gateway.example", ...lines].join("\n");
      const { key: found } = read(text);
      assert.ok(found.kind === "key" && found.key === key);
      assert.equal(found.from, "ANTHROPIC_AUTH_TOKEN");
      assert.deepEqual(unusedOf(text), ["ANTHROPIC_API_KEY (another API key)"]);
    }
  });

  it("give the first usable key", () => {
    const text = `OPENAI_BASE_URL=https://h.example\nOPENAI_API_KEY=sk-...\nOPENAI_API_KEY=${key}`;
    assert.equal(read(text).key.kind, "key");
    assert.deepEqual(unusedOf(text), []);
  });

  it("that set the URL a second time belong to another configuration", () => {
    const [a, b] = ["OPENAI_BASE_URL=https://a.example", "OPENAI_BASE_URL=https://b.example"];
    const theirs = `OPENAI_API_KEY=${fakeKey("other")}`;
    const early = `${a}\n${b}\n${theirs}`;
    assert.equal(brief(early).split(" | ").at(-1), "none");
    assert.deepEqual(unusedOf(early), [
      "OPENAI_BASE_URL (another configuration)",
      "OPENAI_API_KEY (another configuration)",
    ]);
    const both = `${a}\nOPENAI_API_KEY=${key}\n${b}\n${theirs}`;
    assert.equal(brief(both), "environment | - | https://a.example | chat-completions | - | key");
    assert.equal(
      read(`${a}\n${a}\nOPENAI_API_KEY=${key}`).key.kind,
      "key",
      "the same URL is the same configuration",
    );
  });

  it("may hold an example instead of a key", () => {
    for (const value of [
      "<your-api-key>",
      "YOUR_API_KEY",
      "your-key-here",
      "xxxx",
      "sk-no-key-required",
      "none",
    ])
      assert.equal(
        read(`OPENAI_BASE_URL=https://h.example\nOPENAI_API_KEY=${value}`).key.kind,
        "placeholder",
        value,
      );
    assert.equal(read("OPENAI_BASE_URL=https://h.example\nOPENAI_API_KEY=sk-...").key.kind, "unusable");
  });
});

describe("a configuration that holds a secret", () => {
  it("says so, also if the secret isn't used", () => {
    const url = "curl https://h.example/v1";
    const json = JSON.stringify({ name: "Acme", url: "https://h.example", apiKey: key });
    for (const text of [
      `${url} -H "x-api-key: ${key}"`,
      `${url} -H "x-api-key: $ACME_KEY" -H "api-key: ${key}"`,
      `${url} -H "x-team-token: plain-words"`,
      `${url} -H "cookie: a=b"`,
      `${url} -u me:password`,
      `${url} -H "x-api-key: ${key} ${fakeKey("other")}"`,
      `${url}\ncurl https://b.example -H "x-api-key: ${key}"`,
      `${url}\nOPENAI_API_KEY=correct-horse`,
      "OPENAI_BASE_URL=https://h.example\nOTHER_API_KEY=correct-horse",
      `${url} --next https://b.example -H "x-api-key: ${key}"`,
      `${url} -x http://me:password@proxy.example`,
      json,
    ])
      assert.ok(read(text).holdsSecret, text);
    for (const text of [
      `${url} -H "x-api-key: $ACME_KEY" -H "x-team: blue"`,
      `${url} -u "$LOGIN" -b cookies.txt -H "x-api-key: sk-..." -H "x-team-token: $TOKEN"`,
      "OPENAI_BASE_URL=https://h.example\nOPENAI_API_KEY=<your-key>\nOTHER_API_KEY=$OTHER",
      JSON.stringify({ name: "Acme", url: "https://h.example", apiKey: "${input:chat.lm.secret.1}" }),
    ])
      assert.ok(!read(text).holdsSecret, text);
  });
});

describe("a text that is no configuration", () => {
  it("is refused with the reason", () => {
    assert.equal(problemOf(""), "empty");
    assert.equal(problemOf(" \n\u200b "), "empty");
    assert.equal(problemOf("Hello, curling is a sport."), "nothing");
    assert.equal(problemOf("[]"), "nothing");
    assert.equal(problemOf("{}"), "nothing");
    assert.equal(problemOf('[{"vendor":"customendpoint","models":[]}]'), "no-base-url");
    assert.equal(problemOf("\u0000PNG\u001a"), "unreadable");
    assert.equal(problemOf(Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00]).toString("utf8")), "unreadable");
    assert.equal(problemOf("OPENAI_BASE_URL=https://h.example\n".repeat(300_000)), "too-long");
  });

  it("is read within a second, however hostile", () => {
    const hostile = [
      "/*",
      '"\\"',
      '\\"',
      " ",
      "[",
      '{"a":',
      "'\"",
      "A=",
      ";export ",
      "/",
      '^"',
      "$env:",
      "eyJ",
      "curl ",
      "curl -;",
      'curl ^"^";',
      "-H x:",
      "\\\n",
      "$'",
      ",",
      '{"url":"https://h.example"},',
    ];
    const long = `A=${"x".repeat(40_000)}\n`;
    for (const text of [
      `${long}curl ${"$A".repeat(12_000)}`,
      `${long}curl ${"$A ".repeat(20_000)}`,
      `${long}OPENAI_BASE_URL=https://${"$A".repeat(20_000)}`,
      `A0=xx\n${Array.from({ length: 60 }, (_, at) => `A${at + 1}=$A${at}$A${at}`).join("\n")}`,
    ]) {
      const begun = performance.now();
      assert.equal(problemOf(text), "too-long");
      assert.ok(performance.now() - begun < 200);
    }
    for (const piece of hostile) {
      for (const start of ["", "{", "[", "curl https://", "curl -H x:", "OPENAI_BASE_URL="]) {
        const text = start + piece.repeat(Math.floor(99_000 / piece.length));
        const begun = performance.now();
        readPastedConfiguration(text);
        const ms = performance.now() - begun;
        assert.ok(ms < 1000, `${start}${piece}: ${ms} ms`);
      }
    }
  });

  it("never throws, and gives away no key but as the key", () => {
    const piece = fc.constantFrom(
      key,
      "curl",
      "https://h.example/v1/messages",
      "-H",
      '"',
      "'",
      "\\\n",
      "^\n",
      "`\n",
      " ",
      "\n",
      "x-api-key: ",
      "Authorization: Bearer ",
      "x-team: ",
      "OPENAI_BASE_URL=",
      "OPENAI_API_KEY=",
      "OPENAI_MODEL=",
      "export ",
      "$env:",
      '[{"vendor":"customendpoint","models":[{"id":"',
      '","url":"',
      '","name":"',
      '"}]}]',
      '"requestHeaders":{"',
      '":"',
      "--user ",
      "-d ",
      '{"model":"',
      "?key=",
      "/",
      ",",
      "{",
      "}",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const reading = readPastedConfiguration(pieces.join(""));
        const shown =
          reading.kind === "problem"
            ? [JSON.stringify(reading), describePasteProblem(reading.problem, t)]
            : [
                JSON.stringify({
                  ...reading.configuration,
                  key: undefined,
                  address: undefined,
                  baseUrl: undefined,
                }),
                reading.configuration.address.kind === "address"
                  ? reading.configuration.address.address.base
                  : "",
                ...reading.configuration.unused.map((part) => describeUnusedPart(part, t)),
              ];
        for (const text of shown) assert.ok(!text.includes(key), `${pieces.join("")} -> ${text}`);
      }),
      { numRuns: 3000 },
    );
    fc.assert(fc.property(fc.string(), (text) => void readPastedConfiguration(text)));
    fc.assert(fc.property(fc.json(), (text) => void readPastedConfiguration(text)));
  });
});
