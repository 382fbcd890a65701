import assert from "node:assert/strict";
import type { FrameLocator, Locator } from "playwright-core";
import type { Asker, RequestRecord } from "../../src/chat/requests/requestRecord.ts";
import type { ShownRequests } from "../../src/chat/requests/requestTable.ts";
import { createTranslate } from "../../src/text/translate.ts";
import { reportPages } from "../support/page/reportPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { readBundle } from "../unit/languages/languages.ts";

const ground = "--vscode-editor-background";

const chatId = "5b0f1a3e-6b1d-4a52-9d4e-0d3f5f6a7b8c";
const otherChatId = "0c8e2f44-1111-4222-8333-444455556666";

/** Not near midnight in the time zones of most machines. */
const now = new Date("2026-03-31T10:30:00.000Z");

/** A request so many minutes before now. */
function request(minutes: number, asker: Asker, more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    at: new Date(now.getTime() - minutes * 60_000).toISOString(),
    asker,
    connection: "Acme",
    model: "service-core",
    clientStyle: "chat-completions",
    status: 200,
    inputTokens: 1200,
    outputTokens: 300,
    price: { input: 2.5, output: 10, currency: "USD" },
    firstTokenMs: 412,
    milliseconds: 2345,
    requestId: `req-${minutes}`,
    ...more,
  };
}

/** A request that reached no service. */
function unreached(): RequestRecord {
  const { requestId: _id, status: _status, ...failed } = request(1, { kind: "edit" }, { cause: "network" });
  return failed;
}

/** One request of each kind: with a failure, a stopped answer, and a request of twenty days ago. */
function someRequests(): ShownRequests {
  const failed = { cause: "rate-limited", status: 429 } as const;
  const {
    inputTokens: _in,
    outputTokens: _out,
    firstTokenMs: _first,
    ...refused
  } = request(2, { kind: "edit" }, failed);
  const { outputTokens: _none, ...stopped } = request(3, { kind: "review" }, { cause: "cancelled" });
  return {
    state: "ready",
    records: [
      request(0, { kind: "chat", chat: chatId }, { cachedTokens: 1000 }),
      request(
        1,
        { kind: "compaction", chat: otherChatId },
        { connection: "Bravo with a long name", model: "service-mini" },
      ),
      refused,
      stopped,
      request(4, { kind: "commit-message" }, { model: "service-mini" }),
      request(20 * 24 * 60, { kind: "language-model" }, { requestId: "req-long-ago" }),
    ],
    titles: { [chatId]: "How do I parse a date?" },
    causes: { "rate-limited": "too many requests", cancelled: "stopped" },
  };
}

function rowsOf(frame: FrameLocator): Locator {
  return frame.getByRole("table", { name: "Newest first" }).locator("tbody tr");
}

describe("the page of requests", () => {
  const { openRequests } = reportPages();

  it("has nothing cut, covered or hard to perceive in any theme, wide or at 320 px", async () => {
    const { page, frame, wear } = await openRequests(someRequests(), { now });
    await frame.getByRole("combobox", { name: "Period" }).selectOption("Last 30 days");
    const found: string[] = [];
    for (const width of [1000, 320]) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of themeNames) {
        await wear(theme);
        const problems = [...(await layoutProblems(frame)), ...(await accessibilityProblems(frame, ground))];
        found.push(...problems.map((problem) => `${width} px, ${theme}: ${problem}`));
      }
    }
    assert.equal(found.join("\n"), "");
  });

  it("shows the requests of today, and those of thirty days if the period is changed", async () => {
    const { frame } = await openRequests(someRequests(), { now });
    await frame.getByRole("status").getByText("5 requests").waitFor();
    await frame.getByRole("combobox", { name: "Period" }).selectOption("Last 30 days");
    await frame.getByRole("status").getByText("6 requests · $0.024").waitFor();
    const [first, second, third, fourth] = await rowsOf(frame).all();
    assert.match(
      (await first?.innerText()) ?? "",
      /How do I parse a date\?\s+service-core\s+Acme\s+200\s+1,200\s+1,000\s+300\s+\$0\.006\s+412\s+2,345\s+req-0/,
    );
    assert.match((await second?.innerText()) ?? "", /Chat 0c8e2f44\s+Compaction/);
    assert.match((await third?.innerText()) ?? "", /Edit in a file.*429: too many requests/s);
    assert.equal(await third?.locator("[data-cause]").getAttribute("data-cause"), "rate-limited");
    assert.match((await fourth?.innerText()) ?? "", /Code review.*200: stopped/s);
    assert.equal(await fourth?.locator(".state").count(), 0, "A stopped request did not fail.");
  });

  it("counts today as one of the last seven days", async () => {
    const days = [5, 6, 7].map((day) => request(day * 24 * 60, { kind: "edit" }));
    const { frame } = await openRequests({ ...someRequests(), records: days }, { now });
    await frame.getByRole("combobox", { name: "Period" }).selectOption("Last 7 days");
    assert.equal(await rowsOf(frame).count(), 2);
  });

  it("shows failures of the same millisecond once each when others arrive", async () => {
    const { frame, tell } = await openRequests(
      { ...someRequests(), records: [unreached(), unreached()] },
      { now },
    );
    assert.equal(await rowsOf(frame).count(), 2);
    for (let count = 3; count <= 5; count += 1) {
      await tell({ type: "request-added", added: { records: [unreached()], titles: {}, causes: {} } });
      await frame.getByRole("status").getByText(`${count} requests`).waitFor();
      assert.equal(await rowsOf(frame).count(), count);
    }
  });

  it("filters by text, connection and model, and sums up what is left", async () => {
    const { frame } = await openRequests(someRequests(), { now });
    await frame.getByRole("combobox", { name: "Model" }).selectOption("service-mini");
    assert.equal(await rowsOf(frame).count(), 2);
    const sums = frame.getByRole("table", { name: "By connection" });
    assert.deepEqual(
      (await sums.locator("tbody tr").allInnerTexts()).map((text) => text.split(/\s*\t\s*/)),
      [
        ["Acme", "1", "1,200", "0", "300", "$0.006"],
        ["Bravo with a long name", "1", "1,200", "0", "300", "$0.006"],
      ],
    );
    await frame.getByRole("combobox", { name: "Connection" }).selectOption("Acme");
    assert.equal(await rowsOf(frame).count(), 1);
    await frame.getByRole("searchbox", { name: "Search" }).fill("commit");
    await frame.getByRole("status").getByText("1 request · $0.006").waitFor();
    await frame.getByRole("searchbox", { name: "Search" }).fill("nothing like it");
    await frame.getByRole("status").getByText("No recorded request matches the filter.").waitFor();
    assert.equal(await frame.getByRole("table").count(), 0);
    await frame.getByRole("button", { name: "Show All Requests" }).press("Enter");
    assert.equal(await rowsOf(frame).count(), 6);
    assert.equal(await frame.locator(":focus").getAttribute("type"), "search");
  });

  it("is used with the keyboard alone, and each table scrolls by it", async () => {
    const { page, frame, said } = await openRequests(someRequests(), { now });
    await page.setViewportSize({ width: 320, height: 800 });
    await frame.getByRole("searchbox", { name: "Search" }).focus();
    const stops: string[] = [];
    for (let step = 0; step < 10; step += 1) {
      const focused = frame.locator(":focus");
      stops.push(
        await focused.evaluate(
          (element) =>
            element.getAttribute("aria-label") ??
            document.querySelector(`label[for="${element.id}"]`)?.textContent ??
            element.textContent ??
            "",
        ),
      );
      if (stops.at(-1) === "Newest first") break;
      await page.keyboard.press("Tab");
    }
    assert.deepEqual(stops, [
      "Search",
      "Period",
      "Connection",
      "Model",
      "Copy as CSV",
      "Refresh",
      "Clear Requests...",
      "By connection",
      "By model",
      "Newest first",
    ]);
    const region = frame.getByRole("region", { name: "Newest first" });
    await page.keyboard.press("ArrowRight");
    await region.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          const look = (): void => (element.scrollLeft > 0 ? resolve() : void requestAnimationFrame(look));
          look();
        }),
    );
    await frame.getByRole("button", { name: "Refresh" }).press("Enter");
    await frame.getByRole("button", { name: "Clear Requests..." }).press("Enter");
    await frame.getByRole("combobox", { name: "Model" }).selectOption("service-mini");
    await frame.getByRole("button", { name: "Copy as CSV" }).press("Enter");
    const [ready, refresh, clear, copy] = said;
    assert.deepEqual(
      [ready, refresh, clear],
      [{ type: "ready" }, { type: "action", id: "refresh" }, { type: "action", id: "clear" }],
    );
    assert.ok(copy?.type === "copy-csv");
    const { since, ...filter } = copy.filter;
    assert.deepEqual(filter, { text: "", connection: "", model: "service-mini" });
    assert.ok(now.getTime() - Date.parse(since) < 25 * 60 * 60 * 1000, since);
  });

  it("shows a new request at once, and keeps the filter and the focus", async () => {
    const { frame, tell } = await openRequests(someRequests(), { now });
    await frame.getByRole("searchbox", { name: "Search" }).fill("review");
    assert.equal(await rowsOf(frame).count(), 1);
    const added = {
      records: [request(0, { kind: "review" }, { requestId: "req-new" })],
      titles: {},
      causes: {},
    };
    await tell({ type: "request-added", added });
    await frame.getByText("req-new").waitFor();
    assert.equal(await rowsOf(frame).count(), 2);
    assert.equal(await frame.locator(":focus").inputValue(), "review");
  });

  it("keeps the filter if VS Code discards the hidden page", async () => {
    const { page, frame, tell } = await openRequests(someRequests(), { now });
    await frame.getByRole("searchbox", { name: "Search" }).fill("commit");
    await frame.getByRole("combobox", { name: "Period" }).selectOption("Last 7 days");
    await page.reload();
    await frame.locator("#root").waitFor({ state: "attached" });
    await tell({ type: "requests", requests: someRequests(), translations: {} });
    await frame.getByRole("main").waitFor();
    assert.equal(await frame.getByRole("searchbox", { name: "Search" }).inputValue(), "commit");
    assert.equal(await frame.getByRole("combobox", { name: "Period" }).inputValue(), "7");
    assert.equal(await rowsOf(frame).count(), 1);
  });

  it("says that it reads, that there is nothing, and why it could not read", async () => {
    const nothing: ShownRequests = { state: "loading", records: [], titles: {}, causes: {} };
    const { frame, tell } = await openRequests(nothing);
    await frame.getByRole("status").getByText("Reading the requests...").waitFor();
    assert.equal(await frame.getByRole("main").getAttribute("aria-busy"), "true");
    const show = (requests: ShownRequests): Promise<void> =>
      tell({ type: "requests", requests, translations: {} });
    await show({ ...nothing, state: "ready", note: "A note." });
    await frame.getByRole("status").getByText("No requests are recorded yet.").waitFor();
    await frame.getByText("A note.").waitFor();
    assert.deepEqual(await frame.getByRole("button").allInnerTexts(), ["Refresh"]);
    await show({ ...nothing, state: "failed", note: "Couldn't read it." });
    await frame.getByRole("status").getByText("Couldn't read it.").waitFor();
    assert.equal(await frame.getByRole("status").getByText("Failed").count(), 1);
  });

  it("moves the focus to the button that is left when the requests were cleared", async () => {
    const { frame, tell } = await openRequests(someRequests(), { now });
    await frame.getByRole("button", { name: "Clear Requests..." }).press("Enter");
    const requests: ShownRequests = { state: "ready", records: [], titles: {}, causes: {} };
    await tell({ type: "requests", requests, translations: {} });
    await frame.getByText("No requests are recorded yet.").waitFor();
    assert.equal(await frame.locator(":focus").innerText(), "Refresh");
  });

  it("draws many requests two hundred at a time", async () => {
    const records = Array.from({ length: 450 }, (_, index) =>
      request(0, { kind: "edit" }, { requestId: `req-${index}` }),
    );
    const { frame } = await openRequests({ ...someRequests(), records }, { now });
    assert.equal(await rowsOf(frame).count(), 200);
    await frame.getByRole("button", { name: "Show 200 More" }).press("Enter");
    await frame.getByRole("button", { name: "Show 50 More" }).press("Enter");
    await frame.getByText("req-449").waitFor();
    assert.equal(await rowsOf(frame).count(), 450);
    assert.equal(await frame.locator(":focus").getAttribute("aria-label"), "Newest first");
  });

  it("names the columns and rows of its tables for screen readers", async () => {
    const { frame } = await openRequests(someRequests(), { now });
    const table = frame.getByRole("table", { name: "Newest first" });
    assert.deepEqual(await table.getByRole("columnheader").allInnerTexts(), [
      "Date and time",
      "Asked by",
      "Model",
      "Connection",
      "Status",
      "Tokens in",
      "Cached",
      "Tokens out",
      "Cost",
      "First token (ms)",
      "Total (ms)",
      "Request ID",
    ]);
    assert.equal(await table.getByRole("rowheader").count(), 5);
    assert.equal(await frame.getByRole("table", { name: "By model" }).getByRole("rowheader").count(), 2);
  });

  // German has the longest words, and Japanese has no spaces between words.
  for (const language of ["de", "ja"] as const) {
    it(`is in VS Code's language ${language}, with its numbers, and nothing is cut or covered`, async () => {
      const t = createTranslate(readBundle(language));
      const { page, frame } = await openRequests(someRequests(), { now, language });
      await page.setViewportSize({ width: 320, height: 800 });
      await frame.getByText(t("Clear Requests...")).waitFor();
      await frame.getByText(new Intl.NumberFormat(language).format(3600), { exact: true }).first().waitFor();
      assert.deepEqual(await layoutProblems(frame), []);
    });
  }
});
