import assert from "node:assert/strict";
import fc from "fast-check";
import type { RequestRecord } from "../../../../src/chat/requests/requestRecord.ts";
import {
  askerText,
  filterRequests,
  readFromRequestsPage,
  readToRequestsPage,
  requestsCsv,
  type ShownRequests,
  sumRequests,
  withAdded,
} from "../../../../src/chat/requests/requestTable.ts";
import { createTranslate } from "../../../../src/text/translate.ts";

const t = createTranslate();
const chat = "5b0f1a3e-6b1d-4a52-9d4e-0d3f5f6a7b8c";
const price = { input: 2, output: 10, currency: "USD" };

function record(more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    at: "2026-03-31T11:00:00.000Z",
    asker: { kind: "edit" },
    connection: "Acme",
    model: "service-core",
    clientStyle: "messages",
    status: 200,
    inputTokens: 1000,
    outputTokens: 100,
    milliseconds: 1234,
    ...more,
  };
}

const everything = { text: "", connection: "", model: "", since: "" };

describe("the filter of requests", () => {
  const shown: Pick<ShownRequests, "records" | "titles" | "causes"> = {
    records: [
      record({ requestId: "one", asker: { kind: "chat", chat } }),
      record({ requestId: "two", connection: "Bravo", status: 429, cause: "rate-limited" }),
      record({ requestId: "three", model: "service-mini", at: "2026-03-30T11:00:00.000Z" }),
    ],
    titles: { [chat]: "How do I parse a date?" },
    causes: { "rate-limited": "too many requests" },
  };
  const found = (filter: Partial<typeof everything>): readonly (string | undefined)[] =>
    filterRequests(shown, { ...everything, ...filter }, t).map(({ requestId }) => requestId);

  it("leaves all requests in their order if it is empty", () => {
    assert.deepEqual(found({}), ["one", "two", "three"]);
  });

  it("finds all words in titles, features, names, statuses, causes and IDs, in any case and order", () => {
    assert.deepEqual(found({ text: " DATE parse " }), ["one"]);
    assert.deepEqual(found({ text: "edit" }), ["two", "three"]);
    assert.deepEqual(found({ text: "429" }), ["two"]);
    assert.deepEqual(found({ text: "many bravo" }), ["two"]);
    assert.deepEqual(found({ text: "mini" }), ["three"]);
    assert.deepEqual(found({ text: "three" }), ["three"]);
    assert.deepEqual(found({ text: "date 429" }), []);
  });

  it("leaves the requests of a connection, of a model and since a time", () => {
    assert.deepEqual(found({ connection: "Bravo" }), ["two"]);
    assert.deepEqual(found({ model: "service-mini" }), ["three"]);
    assert.deepEqual(found({ since: "2026-03-31T00:00:00.000Z" }), ["one", "two"]);
    assert.deepEqual(found({ connection: "Bra" }), []);
  });

  it("finds a chat without a known title by the start of its ID", () => {
    assert.equal(askerText({ kind: "chat", chat }, {}, t), "Chat 5b0f1a3e");
  });
});

/** The number of requests without a known cost of one that has no answer. */
function withoutCost(more: Partial<RequestRecord>): number | undefined {
  const { status: _status, inputTokens: _in, outputTokens: _out, ...sent } = record({ price, ...more });
  return sumRequests([sent], "model")[0]?.withoutCost;
}

describe("the sums of requests", () => {
  it("count requests, tokens and costs by connection and by model, most tokens first", () => {
    const records = [
      record({ price, cachedTokens: 400 }),
      record({ connection: "Bravo", inputTokens: 9000, price: { ...price, currency: "EUR" } }),
      record({ connection: "Bravo", model: "service-mini", price }),
    ];
    assert.deepEqual(sumRequests(records, "connection"), [
      {
        name: "Bravo",
        requests: 2,
        inputTokens: 10_000,
        cachedTokens: 0,
        outputTokens: 200,
        costs: [
          { amount: 0.019, currency: "EUR" },
          { amount: 0.003, currency: "USD" },
        ],
        withoutCost: 0,
      },
      {
        name: "Acme",
        requests: 1,
        inputTokens: 1000,
        cachedTokens: 400,
        outputTokens: 100,
        costs: [{ amount: 0.003, currency: "USD" }],
        withoutCost: 0,
      },
    ]);
    assert.deepEqual(
      sumRequests(records, "model").map(({ name, requests }) => [name, requests]),
      [
        ["service-core", 2],
        ["service-mini", 1],
      ],
    );
  });

  it("say how many answers have no known cost: without a price, without tokens, or stopped", () => {
    const { outputTokens: _out, ...stopped } = record({ price, cause: "cancelled" });
    const { inputTokens: _in, outputTokens: _none, ...uncounted } = record({ price });
    const { model: _model, ...list } = record({ asker: { kind: "model-list" } });
    const refused = record({ status: 401, cause: "invalid-key" });
    const { firstTokenMs: _first, ...late } = { ...uncounted, cause: "bad-request" } as const;
    const [sum] = sumRequests([record(), stopped, uncounted, list, refused, late], "connection");
    assert.equal(sum?.withoutCost, 3, "A list and a request refused with any status cost nothing.");
    assert.equal(sumRequests([{ ...late, firstTokenMs: 5 }], "model")[0]?.withoutCost, 1);
  });

  it("count a request without an answer as one of unknown cost, unless nothing was sent", () => {
    for (const cause of ["cancelled", "timeout", "interrupted", "network"] as const)
      assert.equal(withoutCost({ cause }), 1, cause);
    for (const cause of ["malformed-key", "insecure-address", "proxy", "tls"] as const)
      assert.equal(withoutCost({ cause }), 0, cause);
    assert.equal(withoutCost({ cause: "network", isUnconnected: true }), 0);
    assert.equal(withoutCost({ cause: "timeout", isUnconnected: true }), 0);
  });
});

describe("the CSV of requests", () => {
  it("has a header, one line per request with CRLF, plain numbers, and the chat's ID", () => {
    const asked = record({
      asker: { kind: "compaction", chat },
      cachedTokens: 10,
      price: { input: 0.01, output: 0, currency: "USD" },
      firstTokenMs: 300,
      requestId: "req-1",
    });
    assert.equal(
      requestsCsv([
        asked,
        {
          at: "2026-03-30T11:00:00.000Z",
          asker: { kind: "check" },
          connection: "A",
          cause: "network",
          milliseconds: 5,
        },
      ]),
      "time,asked_by,chat_id,connection,model,client_style,status,cause,input_tokens,cached_tokens,output_tokens,cost,currency,first_token_ms,total_ms,request_id\r\n" +
        `2026-03-31T11:00:00.000Z,compaction,${chat},Acme,service-core,messages,200,,1000,10,100,0.00001,USD,300,1234,req-1\r\n` +
        "2026-03-30T11:00:00.000Z,check,,A,,,,network,,,,,,,5,\r\n",
    );
  });

  it("quotes commas, quotation marks and line breaks, and what separates cells in some languages", () => {
    const [, line = ""] = requestsCsv([record({ connection: 'A "b", c\nd' })]).split("\r\n");
    assert.ok(line.includes(',"A ""b"", c\nd",'), line);
    const [, other = ""] = requestsCsv([record({ connection: "a;=1", model: "b\t=2" })]).split("\r\n");
    assert.ok(other.includes(',"a;=1","b\t=2",'), other);
  });

  it("never begins a cell as a formula, and stays readable, whatever the names are", () => {
    const start = fc.constantFrom(
      "=",
      "+",
      "-",
      "@",
      "\t",
      "\r",
      "\n",
      "＝",
      "＋",
      "－",
      "＠",
      "",
      " =",
      '"',
      "'",
    );
    const name = fc.tuple(start, fc.string()).map(([first, rest]) => `${first}${rest}`);
    fc.assert(
      fc.property(name, name, (connection, model) => {
        const [, row = []] = readCsv(requestsCsv([record({ connection, model })]));
        assert.equal(row.length, 16);
        for (const cell of row) assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]|^\s+[=+\-@]/);
        assert.ok([connection, `'${connection}`].includes(row[3] ?? ""));
        assert.ok([model, `'${model}`].includes(row[4] ?? ""));
      }),
    );
  });
});

describe("the messages of the page of requests", () => {
  it("are read as they were posted, and refused if they are anything else", () => {
    const requests: ShownRequests = {
      state: "ready",
      records: [record()],
      titles: {},
      causes: {},
      note: "n",
    };
    const message = { type: "requests", requests, translations: {} };
    assert.deepEqual(readToRequestsPage(structuredClone(message)), message);
    assert.equal(readToRequestsPage({ type: "report" }), undefined);
    const copy = { type: "copy-csv", filter: everything };
    assert.deepEqual(readFromRequestsPage(copy), copy);
    for (const wrong of [undefined, { type: "action", id: "delete" }, { ...copy, filter: { text: "a" } }])
      assert.equal(readFromRequestsPage(wrong), undefined);
  });

  it("add a request at the top, with what it names", () => {
    const shown: ShownRequests = { state: "ready", records: [record()], titles: { a: "A" }, causes: {} };
    const added = {
      records: [record({ requestId: "new" })],
      titles: { b: "B" },
      causes: { tls: "no secure connection" },
    };
    const after = withAdded(shown, added);
    assert.deepEqual(
      after.records.map(({ requestId }) => requestId),
      ["new", undefined],
    );
    assert.deepEqual(after.titles, { a: "A", b: "B" });
    assert.deepEqual(after.causes, { tls: "no secure connection" });
  });
});

/** Reads CSV as RFC 4180 defines it. */
function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = text;
  while (rest !== "") {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const plain = /^[^",\r\n]*/.exec(rest);
    const cell = quoted ?? plain ?? assert.fail();
    row.push(quoted === null ? cell[0] : (quoted[1] ?? "").replaceAll('""', '"'));
    rest = rest.slice(cell[0].length);
    const end = /^(?:,|\r\n)/.exec(rest)?.[0] ?? assert.fail(`No end of a cell: ${rest}`);
    rest = rest.slice(end.length);
    if (end !== ",") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
