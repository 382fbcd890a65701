import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { ConversationStore } from "../../../../../src/chat/history/conversationStore.ts";
import { type SearchMatch, cutSnippet } from "../../../../../src/chat/history/search/conversationSearch.ts";
import { forEachWord, normaliseText, soughtIn, splitQuery } from "../../../../../src/text/searchWords.ts";
import { WordIndex } from "../../../../../src/chat/history/search/wordIndex.ts";
import { openTestStore, removeTestStores } from "../sampleConversation.ts";
import { asked, exchange, started, text } from "../../transcript/sampleEvents.ts";

async function find(store: ConversationStore, query: string, most = 100): Promise<SearchMatch[]> {
  const found: SearchMatch[] = [];
  for await (const match of store.search(query, new AbortController().signal)) {
    found.push(match);
    if (found.length === most) break;
  }
  return found;
}

const turnIdsOf = (found: readonly SearchMatch[]): (string | null)[] => found.map(({ turnId }) => turnId);

async function write(store: ConversationStore, name: string, words: string): Promise<string> {
  const id = randomUUID();
  store.log(id).append(exchange(name, null, words));
  await store.log(id).flush();
  return id;
}

const letters = fc.string({
  unit: fc.constantFrom(...Array.from("abAZ09_ .-+\nßİﬁé漢字かな🙂"), "e\u0301", "\ud800"),
  maxLength: 100,
});

describe("search", () => {
  afterEach(removeTestStores);

  it("finds conversations that contain every word in any case, on first and later searches", async () => {
    const { store } = await openTestStore();
    await write(store, "1", "The Quick brown fox. Ｆｕｌｌ width, e\u0301t\u00e9");
    await write(store, "2", "a lazy dog\nquickly");
    await write(store, "3", "漢字かな交じり文");
    const expected: readonly (readonly [string, readonly string[]])[] = [
      ["quick", ["a1", "a2"]],
      ["QUICK fox", ["a1"]],
      ["ick  lazy", ["a2"]],
      ["full ÉTÉ", ["a1"]],
      ["字か", ["a3"]],
      ["文", ["a3"]],
      ["fox.", ["a1"]],
      ["...", []],
      ["question q2", ["q2"]],
      ["foxes", []],
      ["", []],
      [" \n", []],
    ];
    for (const round of ["first", "later"]) {
      for (const [query, turns] of expected) {
        const found = turnIdsOf(await find(store, query))
          .map(String)
          .toSorted();
        // This query matches in the title, which is the question's text. A title has no turn ID.
        const wanted = query === "question q2" ? ["null"] : [...turns];
        assert.deepEqual(found, wanted, `${round}: ${query}`);
      }
    }
  });

  it("finds changes since the last search, made in this or in another window", async () => {
    const { store, folder } = await openTestStore();
    const other = (await openTestStore(folder)).store;
    const id = await write(store, "1", "first");
    assert.equal((await find(store, "second")).length, 0);
    store.log(id).append([asked("q2", "a1"), started("a2", "q2"), text("second")]);
    await store.log(id).flush();
    assert.deepEqual(turnIdsOf(await find(store, "second")), ["a2"]);
    await store.rename(id, "Zebra");
    const [split] = turnIdsOf(await find(store, "zebra first"));
    assert.ok(typeof split === "string", "a word of the title is not where the other one is");
    await other.rename(id, "Okapi");
    await store.list();
    assert.equal((await find(store, "zebra")).length, 0);
    assert.equal((await find(store, "okapi")).length, 1);
    const undo = await store.remove(id);
    assert.equal((await find(store, "okapi")).length, 0);
    await undo();
    assert.equal((await find(store, "okapi")).length, 1);
  });

  it("returns matches in the order of the list", async () => {
    const { store } = await openTestStore();
    for (let name = 0; name < 12; name += 1)
      await write(store, String(name), `word ${"x".repeat(name * 3000)}`);
    const listed = (await store.list()).map(({ id }) => id);
    for (const round of ["first", "later"]) {
      const found = (await find(store, "word")).map(({ summary }) => summary.id);
      assert.deepEqual(found, listed, round);
    }
  });

  it("doesn't read an unchanged conversation again if its index lacks the word", async () => {
    const { store, folder } = await openTestStore();
    const path = join(folder, `${await write(store, "1", "zebra")}.jsonl`);
    const time = new Date("2026-01-01T00:00:00Z");
    await utimes(path, time, time);
    assert.equal((await find(store, "zebra")).length, 1);
    await writeFile(path, (await readFile(path, "utf8")).replace("zebra", "okapi"));
    await utimes(path, time, time);
    assert.equal((await find(store, "okapi")).length, 0, "size and time say that nothing has changed");
    assert.equal((await find(store, "zebra")).length, 0, "what may hold it is read");
  });

  it("yields matches one by one, and ends on break or abort", async () => {
    const { store } = await openTestStore();
    for (const name of ["1", "2", "3"]) await write(store, name, "word");
    assert.equal((await find(store, "word", 2)).length, 2);
    const aborting = new AbortController();
    let found = 0;
    for await (const _ of store.search("word", aborting.signal)) {
      found += 1;
      aborting.abort();
    }
    assert.equal(found, 1);
    assert.equal((await find(store, "word")).length, 3);
  });

  it("excludes only indexed conversations that can't contain the words", async () => {
    const index = new WordIndex();
    index.set("one", "some words and 漢字かな");
    index.set("two", `x${"y".repeat(1000)}z`);
    const holders = (query: string): string[] => ["one", "two"].filter(index.filter(splitQuery(query)));
    assert.deepEqual(holders("some"), ["one"]);
    assert.deepEqual(holders("om wor"), ["one"]);
    assert.deepEqual(holders("some missing"), []);
    assert.deepEqual(holders("字か"), ["one"]);
    assert.deepEqual(holders("漢か"), []);
    assert.deepEqual(holders(`${"y".repeat(40)}z`), ["two"]);
    assert.deepEqual(holders("."), ["one", "two"]);
    const mayHold = index.filter(["later"]);
    index.set("two", "a word that came later");
    assert.ok(mayHold("two"), "another search may index meanwhile");
    index.delete("one");
    index.set("two", "other");
    assert.deepEqual(holders("y"), ["one"], "one that is not indexed may hold anything");
  });

  it("excludes no text that contains the words", () => {
    fc.assert(
      fc.property(letters, letters, letters, fc.nat(200), (before, term, after, repeat) => {
        const normalised = normaliseText(`${before}${"q".repeat(repeat)}${term}${after}`);
        const words: string[] = [];
        forEachWord(normalised, (word) => words.push(word));
        for (const wanted of splitQuery(term)) {
          // Normalizing can merge the first or last character of `term` with the text beside it.
          if (!normalised.includes(wanted)) continue;
          for (const part of soughtIn(wanted)) assert.ok(words.some((word) => word.includes(part)));
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("finds every part of an overlong word", () => {
    const long = Array.from({ length: 100 }, (_, number) => number).join("");
    const words: string[] = [];
    forEachWord(long, (word) => words.push(word));
    for (let start = 0; start < long.length; start += 1) {
      for (const length of [1, 31, 32, 33, 64, 100]) {
        const parts = soughtIn(long.slice(start, start + length));
        assert.ok(parts.every((part) => words.some((word) => word.includes(part))));
      }
    }
  });

  it("cuts a one-line snippet around a match from the original text", () => {
    assert.deepEqual(cutSnippet("One\n  TWO three", ["two"]), {
      before: "One ",
      match: "TWO",
      after: " three",
    });
    const long = cutSnippet(`${"a".repeat(100)} HIT ${"b".repeat(300)}`, ["none", "hit"]);
    assert.deepEqual(
      [long?.before.length, long?.match, long?.after.length, long?.before[0], long?.after.at(-1)],
      [41, "HIT", 121, "…", "…"],
    );
    assert.equal(cutSnippet("ﬁne İstanbul", ["stanbul"])?.match.toLowerCase(), "stanbul");
    assert.equal(cutSnippet("text", ["none"]), undefined);
    fc.assert(
      fc.property(letters, letters, (before, term) => {
        const snippet = cutSnippet(before + term, splitQuery(term));
        for (const piece of Object.values(snippet ?? {})) assert.doesNotMatch(piece, /\n/);
      }),
    );
  });
});
