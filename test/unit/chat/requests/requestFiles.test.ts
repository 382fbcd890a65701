import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as v from "valibot";
import { maxRecords, recordOf, RequestFiles } from "../../../../src/chat/requests/requestFiles.ts";
import { type Asker, recordSchema, type RequestRecord } from "../../../../src/chat/requests/requestRecord.ts";
import type { CallRecord } from "../../../../src/client/request/call.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { createTestClient } from "../../client/request/testClient.ts";
import { openDesk, soon } from "../../service/fixture.ts";
import { itBesidesWindows } from "../../../support/itWhere.ts";

const chat = randomUUID();

function recordAt(at: string, more: Partial<RequestRecord> = {}): RequestRecord {
  return { at, asker: { kind: "chat", chat }, connection: "Acme", status: 200, milliseconds: 12, ...more };
}

async function idsOf(files: RequestFiles): Promise<readonly (string | undefined)[]> {
  return (await files.read()).records.map(({ requestId }) => requestId);
}

function redactTestKey(name: string): string {
  return name.replaceAll("key", "[API key]");
}

describe("the recorded requests", () => {
  let parent: string;
  let folder: string;
  let now: Date;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "requests-"));
    folder = join(parent, "requests");
    now = new Date("2026-03-31T12:00:00.000Z");
  });
  afterEach(() => rm(parent, { recursive: true }));

  const open = (window: string = randomUUID()): RequestFiles =>
    new RequestFiles({ folder, window, now: () => now });

  it("are read from the files of all windows, newest first, one line per request", async () => {
    const [one, other] = [open(), open()];
    one.add(recordAt("2026-03-31T11:00:00.000Z", { requestId: "a" }));
    other.add(recordAt("2026-03-31T11:30:00.000Z", { requestId: "b" }));
    one.add(recordAt("2026-03-31T11:45:00.000Z", { requestId: "c" }));
    await Promise.all([one.written(), other.written()]);
    assert.deepEqual(await idsOf(open()), ["c", "b", "a"]);
    const files = await readdir(folder);
    assert.equal(files.length, 2);
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
    assert.deepEqual(
      texts.map((text) => text.split("\n").length).toSorted((few, many) => few - many),
      [2, 3],
    );
  });

  itBesidesWindows("are in a file per day that only the owner can read", async () => {
    const window = randomUUID();
    const files = open(window);
    files.add(recordAt("2026-03-31T11:00:00.000Z"));
    await files.written();
    now = new Date("2026-04-01T00:00:01.000Z");
    files.add(recordAt("2026-04-01T00:00:00.000Z"));
    await files.written();
    const names = [`2026-03-31-${window}.jsonl`, `2026-04-01-${window}.jsonl`];
    assert.deepEqual((await readdir(folder)).toSorted(), names);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const name of names) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
  });

  it("are the rest if lines are broken, half written, foreign, or no JSON", async () => {
    const files = open();
    files.add(recordAt("2026-03-31T11:00:00.000Z", { requestId: "before" }));
    await files.written();
    const [name = ""] = await readdir(folder);
    const lines = [
      "{",
      "null",
      '{"at":"yesterday"}',
      JSON.stringify({ ...recordAt("2026-03-31T11:01:00.000Z"), milliseconds: -1 }),
    ];
    await appendFile(join(folder, name), `${lines.join("\n")}\n\n\u0000\u0000\n`);
    files.add(recordAt("2026-03-31T11:02:00.000Z", { requestId: "after" }));
    await files.written();
    await appendFile(join(folder, name), '{"at":"2026-03-31T11:03');
    await writeFile(join(folder, "notes.txt"), JSON.stringify(recordAt("2026-03-31T11:04:00.000Z")));
    assert.deepEqual(await idsOf(open()), ["after", "before"]);
  });

  it("are counted, but not read, if a later version has recorded what this one does not know", async () => {
    const files = open();
    files.add(recordAt("2026-03-31T11:00:00.000Z", { requestId: "known" }));
    await files.written();
    const [name = ""] = await readdir(folder);
    const later = recordAt("2026-03-31T11:01:00.000Z");
    const lines = [
      { ...later, asker: { kind: "later" } },
      { ...later, cause: "later" },
      { ...later, more: 1 },
    ];
    await appendFile(
      join(folder, name),
      `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"at":"half`,
    );
    const { records, skipped } = await files.read();
    assert.deepEqual([records.length, skipped], [2, 2]);
  });

  it("are deleted after thirty days also by a window that stays open", async () => {
    const files = open();
    files.add(recordAt("2026-03-31T11:00:00.000Z"));
    await files.written();
    now = new Date("2026-06-01T12:00:00.000Z");
    files.add(recordAt("2026-06-01T12:00:00.000Z"));
    await files.written();
    assert.deepEqual(
      (await readdir(folder)).map((name) => name.slice(0, 10)),
      ["2026-06-01"],
    );
  });

  it("begin a new line after a write that failed", async () => {
    const window = randomUUID();
    const files = open(window);
    files.add(recordAt("2026-03-31T11:00:00.000Z", { requestId: "a" }));
    await files.written();
    const path = join(folder, `2026-03-31-${window}.jsonl`);
    // A folder in place of the file makes the write fail.
    const text = await readFile(path, "utf8");
    await rm(path);
    await appendFile(join(parent, "kept"), `${text}{"at":"half`);
    await mkdir(path);
    files.add(recordAt("2026-03-31T11:01:00.000Z", { requestId: "lost" }));
    await files.written();
    await rm(path, { recursive: true });
    await writeFile(path, await readFile(join(parent, "kept")));
    files.add(recordAt("2026-03-31T11:02:00.000Z", { requestId: "c" }));
    assert.deepEqual(await idsOf(files), ["c", "a"]);
  });

  it("are kept for thirty days, and then deleted when a window first writes or reads", async () => {
    const old = open();
    now = new Date("2026-02-28T12:00:00.000Z");
    old.add(recordAt("2026-02-28T12:00:00.000Z", { requestId: "deleted" }));
    now = new Date("2026-03-01T10:00:00.000Z");
    await old.written();
    const atMargin = open();
    atMargin.add(recordAt("2026-03-01T10:00:00.000Z", { requestId: "31 days" }));
    atMargin.add(recordAt("2026-03-01T13:00:00.000Z", { requestId: "just under 30 days" }));
    await atMargin.written();
    now = new Date("2026-03-31T12:00:00.000Z");
    assert.equal((await readdir(folder)).length, 2);
    const files = open();
    files.add(recordAt("2026-03-31T12:00:00.000Z", { requestId: "new" }));
    await files.written();
    assert.deepEqual((await readdir(folder)).map((name) => name.slice(0, 10)).toSorted(), [
      "2026-03-01",
      "2026-03-31",
    ]);
    assert.deepEqual(await idsOf(files), ["new", "just under 30 days"]);
    now = new Date("2026-06-01T00:00:00.000Z");
    assert.deepEqual((await open().read()).records, []);
    assert.deepEqual(await readdir(folder), []);
  });

  it("are at most ten thousand, the newest ones, and the reader learns that there are more", async () => {
    const line = (day: number, index: number): string =>
      `${JSON.stringify(recordAt(`2026-03-${day}T11:00:00.${String(index % 1000).padStart(3, "0")}Z`))}\n`;
    const half = maxRecords / 2;
    const files = open();
    files.add(recordAt("2026-03-31T11:59:00.000Z"));
    await files.written();
    for (const day of [28, 29, 30]) {
      const text = Array.from({ length: half }, (_, index) => line(day, index)).join("");
      await writeFile(join(folder, `2026-03-${day}-${randomUUID()}.jsonl`), text);
    }
    const { records, isCut } = await files.read();
    assert.equal(records.length, maxRecords);
    assert.equal(isCut, true);
    assert.equal(records[0]?.at, "2026-03-31T11:59:00.000Z");
    assert.ok(records.every(({ at }) => at > "2026-03-29"));
  });

  it("are read from the end of a file that is too long", async () => {
    const files = open();
    files.add(recordAt("2026-03-31T11:59:00.000Z"));
    await files.written();
    const [name = ""] = await readdir(folder);
    await writeFile(
      join(folder, name),
      `${"x".repeat(5 * 1024 * 1024)}\n${JSON.stringify(recordAt("2026-03-31T11:58:00.000Z"))}\n`,
    );
    const { records, isCut } = await files.read();
    assert.deepEqual(
      records.map(({ at }) => at),
      ["2026-03-31T11:58:00.000Z"],
    );
    assert.equal(isCut, true);
  });

  it("are gone after they were deleted, also those of other windows, which go on recording", async () => {
    const [one, other] = [open(), open()];
    for (const files of [one, other]) files.add(recordAt("2026-03-31T11:00:00.000Z"));
    await other.written();
    await writeFile(join(folder, "notes.txt"), "mine");
    await one.deleteAll();
    assert.deepEqual(await readdir(folder), ["notes.txt"]);
    other.add(recordAt("2026-03-31T11:30:00.000Z", { requestId: "next" }));
    await other.written();
    assert.deepEqual(await idsOf(one), ["next"]);
  });

  it("are empty before the first one, and only the record is lost if a file is in the folder's place", async () => {
    assert.deepEqual(await open().read(), { records: [], isCut: false, skipped: 0 });
    await open().deleteAll();
    await writeFile(folder, "a file in the way");
    const files = open();
    files.add(recordAt("2026-03-31T11:00:00.000Z"));
    await files.written();
    await assert.rejects(files.read());
  });
});

describe("the record of a request", () => {
  const at = new Date("2026-03-31T11:00:00.000Z");
  const answered = { at, method: "POST", path: "/v1/messages", status: 200, milliseconds: 12.6 } as const;
  const facts = { connection: "Acme", price: undefined, clean: (name: string) => name };

  it("names a list of models as such, except in a check", () => {
    const list = { ...answered, method: "GET", path: "/v1/models" } as const;
    const askerOf = (asker: Asker): string => recordOf(list, { ...facts, asker }).asker.kind;
    assert.deepEqual([{ kind: "chat", chat } as const, { kind: "check" } as const].map(askerOf), [
      "model-list",
      "check",
    ]);
  });

  it("has no output tokens if the answer did not end, because the count is not final", () => {
    const usage = { inputTokens: 5, outputTokens: 1 };
    const record = (more: Partial<CallRecord>): RequestRecord =>
      recordOf({ ...answered, usage, model: "m", ...more }, { ...facts, asker: { kind: "edit" } });
    assert.deepEqual([record({}).inputTokens, record({}).outputTokens], [5, 1]);
    const stopped = record({ failure: "cancelled", cause: "cancelled" });
    assert.deepEqual([stopped.inputTokens, stopped.outputTokens], [5, undefined]);
  });

  it("can always be read again, whatever the service says", () => {
    const number = fc.oneof(
      fc.double(),
      fc.constantFrom(12.5, -1, -0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60),
    );
    const some = fc.option(number, { nil: undefined });
    const text = fc.oneof(fc.string(), fc.constantFrom("", "x".repeat(2000)));
    fc.assert(
      fc.property(
        fc.tuple(some, some, some),
        fc.tuple(number, some),
        fc.tuple(text, text),
        ([inputTokens, cacheReadTokens, outputTokens], [milliseconds, firstTokenMs], [model, requestId]) => {
          const usage = {
            ...(inputTokens === undefined ? {} : { inputTokens }),
            ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
            ...(outputTokens === undefined ? {} : { outputTokens }),
          };
          const call: CallRecord = {
            ...answered,
            usage,
            milliseconds,
            model,
            requestId,
            ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
          };
          const record: unknown = JSON.parse(
            JSON.stringify(recordOf(call, { ...facts, asker: { kind: "edit" } })),
          );
          assert.ok(v.is(recordSchema, record), JSON.stringify(record));
        },
      ),
    );
    const counted = recordOf(
      { ...answered, usage: { inputTokens: 12.5, outputTokens: 3.2 } },
      { ...facts, asker: { kind: "edit" } },
    );
    assert.deepEqual([counted.inputTokens, counted.outputTokens], [13, 3]);
  });

  it("says if no connection was made", () => {
    const failed = { ...answered, cause: "network", isUnconnected: true } as const;
    assert.equal(recordOf(failed, { ...facts, asker: { kind: "edit" } }).isUnconnected, true);
  });

  it("has the cause, the status and the time of a failure, and no key in a name", () => {
    const refused = {
      ...answered,
      status: 429,
      failure: "refused",
      cause: "rate-limited",
      model: "key-m",
    } as const;
    const record = recordOf(refused, {
      ...facts,
      connection: "my key",
      clean: redactTestKey,
      asker: { kind: "review" },
    });
    assert.deepEqual(record, {
      at: at.toISOString(),
      asker: { kind: "review" },
      connection: "my [API key]",
      model: "[API key]-m",
      status: 429,
      cause: "rate-limited",
      milliseconds: 13,
    });
  });

  it("holds no part of a question, an answer, a header or a key, whatever they say", async () => {
    await using desk = await openDesk({
      answers: (message) => `Answer ${message.split("").toReversed().join("")}`,
    });
    const parent = await mkdtemp(join(tmpdir(), "requests-"));
    const folder = join(parent, "requests");
    const transport = createUndiciTransport({ strictCertificates: true });
    const files = new RequestFiles({ folder, window: randomUUID(), now: () => new Date() });
    try {
      const word = fc.stringMatching(/^[A-Z]{3,8}[a-z]{3,8}$/);
      await fc.assert(
        fc.asyncProperty(
          fc.array(word, { minLength: 2, maxLength: 5 }),
          fc.stringMatching(/^sk-[G-Z]{12,20}$/),
          fc.constantFrom(...clientStyles),
          fc.boolean(),
          async (words, key, style, isRefused) => {
            if (!isRefused) desk.service.keys.add({}, key);
            const onCall = (call: CallRecord): void =>
              files.add(recordOf(call, { ...facts, asker: { kind: "chat", chat } }));
            const client = createTestClient({ transport, origin: desk.service.origin, key, onCall });
            const text = words.join(" ");
            const messages = [{ role: "user", content: [{ type: "text", text }] }] as const;
            const request = { model: "service-core", messages, maxTokens: 100, stream: true };
            let answer = "";
            try {
              for await (const parts of client.streamChat(style, request, soon()))
                for (const part of parts) if (part.type === "text-delta") answer += part.text;
            } catch {
              assert.ok(isRefused);
            }
            if (!isRefused) desk.service.keys.revoke(key);
            await files.written();
            const [name = ""] = await readdir(folder);
            const stored = await readFile(join(folder, name), "utf8");
            assert.notEqual(stored, "");
            for (const said of [...words, ...answer.split(/\s+/), key, key.slice(3), "Bearer"])
              assert.ok(said.length < 6 || !stored.includes(said), said);
          },
        ),
        { numRuns: 40 },
      );
    } finally {
      await transport.close();
      await rm(parent, { recursive: true });
    }
  });
});
