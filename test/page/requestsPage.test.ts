import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
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

/** A request so many minutes before now. */
function request(minutes: number, asker: Asker, more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    at: new Date(Date.now() - minutes * 60_000).toISOString(),
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

/** One request of each kind: with a failure, a stopped answer, and a request of forty days of minutes ago. */
function someRequests(): ShownRequests {
  const failed = { cause: "rate-limited", status: 429 } as const;
  const { inputTokens: _in, outputTokens: _out, firstTokenMs: _first, ...refused } = request(2, { kind: "edit" }, failed);
  const { outputTokens: _none, ...stopped } = request(3, { kind: "review" }, { cause: "cancelled" });
  return {
    state: "ready",
    records: [
      request(0, { kind: "chat", chat: chatId }, { cachedTokens: 1000 }),
      request(1, { kind: "compaction", chat: otherChatId }, { connection: "Bravo with a long name", model: "service-mini" }),
      refused,
      stopped,
      request(4, { kind: "commit-message" }, { model: "service-mini" }),
      request(20 * 24 * 60, { kind: "language-model" }, { requestId: "req-long-ago" }),
    ],
    titles: { [chatId]: "How do I parse a date?" },
    causes: { "rate-limited": "too many requests", cancelled: "stopped" },
  };
}

const rowsOf = (frame: FrameLocator) => frame.getByRole("table", { name: "Newest first" }).locator("tbody tr");

describe("the page of requests", () => {
  const { openRequests } = reportPages();

  it("has nothing cut, covered or hard to perceive in any theme, wide or at 320 px", async () => {
    const { page, frame, wear } = await openRequests(someRequests());
    await frame.getByLabel("Period").selectOption("Last 30 days");
    const found: string[] = [];
    for (const width of [1000, 320]) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of themeNames) {
        await wear(theme);
        const problems = [...(await layoutProblems(frame)), ...(await accessibilityProblems(frame, ground))];
        found.push(...problems.map((problem) => `${width} px, ${theme}: ${problem}`));
        const folder = process.env["PICTURES"];
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${width}-${theme}.png` });
      }
    }
    assert.equal(found.join("\n"), "");
  });
});
