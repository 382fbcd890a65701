import assert from "node:assert/strict";
import {
  findMention,
  LatestRequestQueue,
  steadyOffers,
  textOfTaken,
} from "../../../../src/webview/composer/offers.ts";
import { once } from "node:events";
import type { ContextOffer } from "../../../../src/chat/page/protocol.ts";

/** The mention at the caret, which `|` marks. */
function mentionIn(marked: string) {
  const caret = marked.indexOf("|");
  return findMention({ value: marked.replace("|", ""), selectionStart: caret, selectionEnd: caret });
}

describe("findMention", () => {
  it("finds a # at the start of a word, with the text up to the caret", () => {
    assert.deepEqual(mentionIn("#|"), { mark: "#", start: 0, end: 1, typed: "" });
    assert.deepEqual(mentionIn("see #src/a.t|s"), { mark: "#", start: 4, end: 12, typed: "src/a.t" });
    assert.deepEqual(mentionIn("one\n#two|"), { mark: "#", start: 4, end: 8, typed: "two" });
  });

  it("finds a whole URL, which may hold a further #", () => {
    const url = "https://a.example/b?c=#d";
    assert.deepEqual(mentionIn(`see #${url}|`), { mark: "#", start: 4, end: 5 + url.length, typed: url });
    assert.equal(mentionIn(`see #${url} |`), undefined);
    assert.equal(mentionIn("see #a#b|"), undefined);
  });

  it("finds a / only at the start of the text", () => {
    assert.deepEqual(mentionIn("/|"), { mark: "/", start: 0, end: 1, typed: "" });
    assert.deepEqual(mentionIn("/fi|x it"), { mark: "/", start: 0, end: 3, typed: "fi" });
    for (const text of ["a /fix|", " /fix|", "/etc/h|", "/fix it|", "\n/fix|", "//|"])
      assert.equal(mentionIn(text), undefined, text);
  });

  it("finds no mention in a heading, inside a word, after a space or in a selection", () => {
    for (const text of ["# Title|", "a#b|", "C# |", "##|", "text|"])
      assert.equal(mentionIn(text), undefined, text);
    assert.equal(findMention({ value: "#ab", selectionStart: 1, selectionEnd: 3 }), undefined);
  });
});

const offerOf = (id: string): ContextOffer => ({ id, label: "", description: "" });

describe("textOfTaken", () => {
  it("keeps a URL and the name of a prompt, and nothing of a file", () => {
    const mention = { mark: "#", start: 0, end: 1, typed: "https://a.example/" } as const;
    assert.equal(textOfTaken(mention, offerOf("url:https://a.example/")), "https://a.example/");
    assert.equal(textOfTaken({ ...mention, typed: "a.t" }, offerOf("file:a.ts")), "");
    assert.equal(textOfTaken({ ...mention, mark: "/", typed: "expl" }, offerOf("explain")), "/explain ");
  });
});

function start(): {
  readonly requests: LatestRequestQueue;
  readonly ask: (id: number) => void;
  readonly asked: number[];
} {
  const requests = new LatestRequestQueue();
  const asked: number[] = [];
  return { requests, asked, ask: (id) => requests.request(id, () => void asked.push(id)) };
}

describe("LatestRequestQueue", () => {
  it("requests at once, and requests only the newest search after an answer", () => {
    const { requests, ask, asked } = start();
    for (const id of [1, 2, 3]) ask(id);
    assert.deepEqual(asked, [1]);
    requests.answered(1);
    assert.deepEqual(asked, [1, 3]);
    // A second answer to an old search does not answer the current one.
    requests.answered(1);
    ask(4);
    assert.deepEqual(asked, [1, 3]);
    requests.answered(3);
    requests.answered(4);
    assert.deepEqual(asked, [1, 3, 4]);
    ask(5);
    assert.deepEqual(asked, [1, 3, 4, 5]);
    requests.forget();
  });

  it("drops all requests on forget, and then requests at once", () => {
    const { requests, ask, asked } = start();
    ask(1);
    ask(2);
    requests.forget();
    requests.answered(1);
    assert.deepEqual(asked, [1]);
    ask(3);
    assert.deepEqual(asked, [1, 3]);
    requests.forget();
  });

  it("stops waiting for an answer after a while", async () => {
    const { requests, ask, asked } = start();
    const second = new EventTarget();
    ask(1);
    const came = once(second, "asked");
    requests.request(2, () => second.dispatchEvent(new Event("asked")));
    await came;
    assert.deepEqual(asked, [1]);
    requests.forget();
  });
});

describe("steadyOffers", () => {
  it("keeps the rows down to the active one, then lists the other found rows in their order", () => {
    assert.equal(namesOf(steadyOffers(offersOf("abc"), 0, offersOf("xcab"))), "axcb");
    assert.equal(namesOf(steadyOffers(offersOf("abc"), 1, offersOf("xcab"))), "abxc");
    assert.equal(namesOf(steadyOffers(offersOf("abc"), 2, offersOf("x"))), "abcx");
    assert.equal(namesOf(steadyOffers([], 0, offersOf("ab"))), "ab");
  });
});

function offersOf(names: string): readonly ContextOffer[] {
  return Array.from(names, (id) => ({ id, label: id, description: "" }));
}

function namesOf(offers: readonly ContextOffer[]): string {
  return offers.map(({ id }) => id).join("");
}
