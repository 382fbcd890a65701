import assert from "node:assert/strict";
import fc from "fast-check";
import {
  convertConversationToJson,
  convertJsonToConversation,
} from "../../src/chat/history/export/portableConversation.ts";
import { ConversationDecoder, encodeRecord } from "../../src/chat/history/log/conversationFile.ts";
import { readFrontMatter } from "../../src/text/frontMatter.ts";
import { findFormulas } from "../../src/text/markdown/formulas.ts";
import { blocksInParts, cut } from "../unit/webview/markdown/drawnBlocks.ts";
import { convertMarkdownToConversation } from "../../src/chat/history/export/conversationMarkdown.ts";
import { isAboutChat, readPageMessage } from "../../src/chat/page/messageSchema.ts";
import { visibleTurns } from "../../src/chat/transcript/transcript.ts";
import { ApiKey } from "../../src/client/key/apiKey.ts";
import { readConnectLink } from "../../src/connection/setup/connectLink.ts";
import { readConnections, readModelName } from "../../src/connection/setup/connection.ts";
import { headersEntry } from "../../src/connection/setup/connectionHeaders.ts";
import { readPastedConfiguration } from "../../src/connection/setup/pastedConfiguration.ts";
import { readKey } from "../../src/connection/setup/keyHygiene.ts";
import { parseJson } from "../../src/protocol/conversation/json.ts";
import { anyEvents, decodeConversation } from "../unit/chat/history/sampleConversation.ts";
import { piecesIn, waysToSayKey } from "../service/saidBack.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { type FuzzTarget, fuzz } from "./fuzzTarget.ts";
import { damagedFiles } from "./damagedFiles.ts";
import { jsonTexts, jsonTextsWith } from "./hostileTexts.ts";
import { damagedPageMessages, wholePageMessages } from "./pageMessages.ts";
import { sealFor } from "../support/sealFor.ts";

const pastedKeys = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        "`",
        "=",
        ":",
        " ",
        "\n",
        "\t",
        "\u00a0",
        "\u200b",
        "\ufeff",
        "<",
        ">",
        "{",
        "}",
        ";",
        "Bearer ",
        "Authorization: ",
        "export KEY=",
        "const key = ",
        '{"api_key":"',
        "sk-",
        "eyJ",
        "0123456789abcdef",
        "ü",
      ),
      { maxLength: 9 },
    )
    .map((pieces) => pieces.join("")),
);

/** JSON of an object with known members and values, or any other JSON. */
function objectsOf(members: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<string> {
  const names = Object.keys(members);
  const anything = jsonTextsWith(names, Object.values(members).flat());
  const member = fc.constantFrom(...names).chain((name) => {
    const known = fc.constantFrom(...(members[name] ?? []));
    return fc.oneof(known, known, anything).map((value) => `"${name}":${value}`);
  });
  return fc.oneof(
    fc.array(member, { maxLength: 7 }).map((all) => `{${all.join()}}`),
    anything,
  );
}

const settingTexts = fc
  .array(
    objectsOf({
      name: ['"Acme"', '"Other"', '"sk-live-0123456789abcdef"'],
      baseUrl: ['"https://h.example"', '"http://127.0.0.1:1/v1"', '"h.example"'],
      clientStyle: ['"messages"', '"chat-completions"'],
      model: ['"service-core"', '" spaced "'],
      keyVariable: ['"SERVICE_KEY"', '"not a name"'],
      expires: ['"2026-01-01"', '"2026-13-01"'],
      allowHttp: ["true", "false"],
      apiKey: ['"x"'],
      headers: [
        '{"x-a":"b"}',
        '{"X-A":{"variable":"NAME","scheme":"Bearer"},"x-a":1}',
        '{"__proto__":"a  b"}',
      ],
    }),
    { maxLength: 4 },
  )
  .map((entries) => `[${entries.join()}]`);

const formulaTexts = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        ..."$$|\\[|\\]|\\(|\\)|$|`|~~~|- |> |1. |    |\\frac{a}{b}|\\|a * b|_|\n|\n\n|\r\n".split("|"),
      ),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));

const markdownTexts = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        "<!-- inference-chat:conversation ",
        "<!-- inference-chat:question ",
        "<!-- inference-chat:answer ",
        " -->\n",
        '{"title":null,"createdAt":null}',
        '{"at":"2026-01-01T00:00:00Z"}',
        "\n",
        "\r\n",
        "# You\n",
        "---\n",
        "name: x\n",
        "\\",
      ),
      jsonTexts,
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

const pastedConfigurations = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "curl ",
        "https://h.example/v1/messages",
        "http://h.example",
        ' -H "',
        "x-team: ",
        "helicone-auth: Bearer $KEY",
        "authorization: ",
        "content-type: x",
        '"',
        "'",
        " \\\n",
        " ^\n",
        " `\n",
        "\n",
        "export ",
        "OPENAI_BASE_URL=",
        "ANTHROPIC_CUSTOM_HEADERS=",
        "OPENAI_MODEL=m",
        '[{"vendor":"customendpoint","models":[{"id":"m","url":"https://h.example","requestHeaders":{"x-a":"',
        '"}}]}]',
        ' -d \'{"model":"m"}\'',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(""));

/** Readers of stored files, of user input, and of messages from pages. */
export const homeTargets: readonly FuzzTarget[] = [
  fuzz("pasted keys", pastedKeys, (pasted) => {
    const reading = readKey(pasted);
    if (reading.kind === "unusable") return;
    assert.deepEqual(readKey(reading.key), { kind: "clean", key: reading.key });
    const key = new ApiKey(reading.key, sealFor("https://h.example"));
    const header = new Headers({ authorization: key.authorizationFor(new URL("https://h.example")) });
    assert.equal(header.get("authorization"), `Bearer ${reading.key}`);
    assert.ok(!JSON.stringify([key, String(key)]).includes(reading.key) || reading.key.length < 8);
  }),
  fuzz("settings", settingTexts, (json) => {
    const { connections, problems } = readConnections(parseJson(json));
    assert.equal(new Set(connections.map(({ name }) => name)).size, connections.length);
    for (const { model, headers = [] } of connections) {
      assert.equal(readModelName(model), model);
      // A value that HTTP can't carry would throw.
      for (const { name, value } of headers)
        assert.doesNotThrow(() => new Headers({ [name]: value.kind === "text" ? value.text : "x" }));
    }
    JSON.stringify(problems);
  }),
  fuzz("pasted configurations", fc.oneof(pastedConfigurations, pastedKeys, jsonTexts), (text) => {
    const reading = readPastedConfiguration(text);
    if (reading.kind === "problem") return;
    const { address, model, headers, unused } = reading.configuration;
    assert.ok(address.kind === "address" || address.problem === "insecure");
    assert.equal(readModelName(model), model);
    const entry = { name: "x", baseUrl: "https://h.example", headers: headersEntry(headers) };
    assert.deepEqual(readConnections([entry]).problems, []);
    assert.ok(unused.length <= 12);
  }),
  fuzz(
    "links that propose a connection",
    fc.record({
      path: fc.constantFrom("/connect", "/x"),
      query: fc.webQueryParameters(),
      fragment: fc.constant(""),
    }),
    (parts) => {
      readConnectLink(parts);
    },
  ),
  fuzz("stored conversations", damagedFiles, (file) => {
    const whole = decodeConversation(file);
    const decoder = new ConversationDecoder();
    for (let from = 0; from < file.length; from += 7) decoder.take(file.subarray(from, from + 7));
    assert.deepEqual(decoder.end(), whole);
    const { turns, arriving } = whole.transcript;
    assert.equal(arriving, null);
    assert.equal(new Set(turns.map(({ id }) => id)).size, turns.length);
    assert.ok(visibleTurns(whole.transcript).length <= turns.length);
  }),
  fuzz("records of conversations", fc.tuple(anyEvents, jsonTexts), ([events, json]) => {
    const line = encodeRecord({ type: "events", writer: "one", number: 1, events });
    const stored = decodeConversation(Buffer.from(`${json}${line}\n${json}`));
    assert.equal(stored.transcript.arriving, null);
    const again = convertJsonToConversation(convertConversationToJson(stored));
    assert.deepEqual(again?.transcript, stored.transcript);
  }),
  fuzz("conversations that are imported", fc.oneof(markdownTexts, jsonTexts), (text) => {
    let made = 0;
    const found =
      convertMarkdownToConversation(text, () => `t${(made += 1)}`) ?? convertJsonToConversation(text);
    if (found !== undefined) visibleTurns(found.transcript);
  }),
  fuzz("heads of prompt files", markdownTexts, (text) => {
    const read = readFrontMatter(text);
    if ("line" in read) assert.ok(read.line >= 1);
  }),
  fuzz(
    "formulas that arrive in parts",
    fc.tuple(formulaTexts, fc.integer({ min: 1, max: 7 })),
    ([text, size]) => {
      assert.deepEqual(blocksInParts(cut(text, size)), blocksInParts([text]));
      for (const { index, source } of findFormulas(text)) assert.ok(text.startsWith(source, index));
    },
  ),
  fuzz("messages of the pages", fc.tuple(wholePageMessages, damagedPageMessages), ([whole, json]) => {
    assert.deepEqual(readPageMessage(whole), whole);
    const posted = parseJson(json);
    const read = readPageMessage(posted);
    // The reader returns exactly the posted message; unknown members make it reject the message.
    if (read !== undefined) {
      assert.deepEqual(read, posted);
      assert.equal(typeof isAboutChat(read.message), "boolean");
    }
  }),
  fuzz(
    "texts that hold the key",
    fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })),
    ([before, after]) => {
      const text = fakeKey("0123456789");
      const key = new ApiKey(text, sealFor("https://h.example"));
      assert.ok(!key.redactServiceText(before + text + after).includes(text));
    },
  ),
  fuzz(
    "texts that hold a piece of the key",
    fc.tuple(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom(...Object.values(waysToSayKey)),
    ),
    ([before, after, say]) => {
      const text = fakeKey("7d03b1f9e2a4c586");
      const key = new ApiKey(text, sealFor("https://h.example"));
      assert.deepEqual(piecesIn(key.redactServiceText(before + say(text) + after), text), []);
      assert.equal(key.redactServiceText(before), before);
    },
  ),
];
