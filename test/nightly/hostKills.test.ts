import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { createRandom } from "../bench/random.ts";
import { findExtensionHost } from "../support/extensionHost.ts";
import { sized, tellFigure } from "../support/figures.ts";
import { formsOf } from "../support/secretForms.ts";
import { type ClientStyle, clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { keyVariable, withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { findLeaks } from "../support/leaks.ts";
import { drawnText, partsOf, showsText } from "../support/workbench/parts.ts";

const key = fakeKey("canary-kills-51c7");
/**
 * VS Code's server writes its environment, which contains this key, into these logs. The server sometimes starts a new
 * log file.
 */
const logOfEnvironment = /^file (.*\/remoteagent(?:\.\d+)?\.log)$/;
const inEnvironment = new RegExp(`${keyVariable}\\W{1,8}${RegExp.escape(key)}`, "g");
/** Number of kills per style. */
const kills = sized(100, 5);
/**
 * Number of kills in one chat, which is checked as a whole after each kill. Only the last kill comes before the first
 * token. Otherwise the next message would also contain the unanswered question, and the service would follow its
 * directions, such as `/pace`.
 */
const killsOfOneChat = 5;
/** After each series of this many kills, the window is reloaded as well. */
const killsOfOneWindow = sized(20, 3);
/**
 * Number of paragraphs that arrive before the kill, after the text that must not be lost. Text is written within 150
 * ms, the time of one paragraph. The others allow for a busy machine.
 */
const paragraphsAfter = 5;

if (process.platform === "linux") {
  describe("an extension host killed at random moments, in a real editor", () => {
    for (const style of clientStyles) describe(`with ${style}`, () => killInStyle(style));
  });
}

function killInStyle(style: ClientStyle): void {
  const asked: string[] = [];
  const restarts: number[] = [];
  const { service, editor } = withConnectedEditor({
    key,
    entry: { clientStyle: style },
    service: { onAsk: ({ messages }) => asked.push(messages.at(-1)?.text ?? "") },
    recordMessages: true,
    // An answer must not end before its host is killed.
    settings: { "inference.maxTokens": 100_000 },
    log: "trace",
  });

  /** Kills the host, and waits until the chat is back. */
  async function killHost(kill: number, cut: Locator): Promise<void> {
    const { workbench, chat } = partsOf(editor);
    const host = await findExtensionHost(editor.server.pid);
    const began = performance.now();
    await chat.findNext(() => process.kill(host, "SIGKILL"));
    await service.journal.next(({ state }) => state === "aborted", soon());
    service.journal.clear();
    if (kill % killsOfOneWindow === killsOfOneWindow - 1) await workbench.reload();
    await chat.open();
    await cut.getByText(/Interrupted/).waitFor();
    restarts.push(performance.now() - began);
  }

  /** Asks, and kills the host before the first token. */
  async function cutBeforeText(kill: number, cut: Locator): Promise<void> {
    await partsOf(editor).chat.send(`silent ${kill} /pace 100000`);
    await service.journal.next(({ state }) => state === "open", soon());
    await killHost(kill, cut);
  }

  /**
   * Asks, and kills the host after this many pieces and `paragraphsAfter` more paragraphs. Resolves with the number of
   * characters that had to be stored.
   */
  async function cutAmidText(kill: number, pieces: number, cut: Locator): Promise<number> {
    await partsOf(editor).chat.send(`long ${kill} /long 100000 /pace 5`);
    await cut.getByText("Paragraph 1").first().waitFor();
    await service.journal.next(
      ({ state, piecesSent }) => state === "open" && piecesSent > pieces,
      AbortSignal.timeout(60_000),
    );
    const shown = await answerText(cut);
    await cut.getByText(`Paragraph ${countParagraphs(shown) + paragraphsAfter}.`).waitFor();
    await killHost(kill, cut);
    await drawnText(cut);
    const kept = await answerText(cut);
    assert.ok(kept.startsWith(shown), `shown: …${shown.slice(-100)}\nkept: …${kept.slice(-100)}`);
    return shown.length;
  }

  /** Asks in a new chat, and kills the host as soon as the answer is shown as done. */
  async function killBehindEnd(kill: number): Promise<void> {
    const { workbench, chat } = partsOf(editor);
    await workbench.beginChat();
    const host = await findExtensionHost(editor.server.pid);
    await chat.send(`quick ${kill}`);
    const whole = chat.turns("Assistant").first();
    const copy = whole.getByRole("button", { name: "Copy", exact: true });
    await copy.waitFor();
    const text = await answerText(whole);
    await chat.findNext(() => process.kill(host, "SIGKILL"));
    await chat.open();
    await copy.waitFor();
    await drawnText(whole);
    // The page draws the answer's end a few frames after it shows the answer as done.
    const kept = await answerText(whole);
    assert.ok(kept.startsWith(text) && kept !== "", `shown: ${text}\nkept: ${kept}`);
    assert.equal(await whole.getByText(/Interrupted/).count(), 0);
  }

  it(`keeps everything shown as done and sends each question once: ${kills} times`, async () => {
    const { workbench, chat, page } = partsOf(editor);
    await chat.open();
    const seed = Date.now();
    const random = createRandom(seed);
    void restartWhereAsked(page);
    let done: (string | null)[] = [];
    let charactersKept = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const ofChat = kill % killsOfOneChat;
      if (ofChat === 0) {
        await killBehindEnd(kill);
        done = [];
        await workbench.beginChat();
      }
      await chat.send(`short ${kill}`);
      const whole = chat.turns("Assistant").nth(ofChat * 2);
      await whole.getByRole("button", { name: "Copy", exact: true }).waitFor();
      done.push(await drawnText(whole));
      const cut = chat.turns("Assistant").nth(ofChat * 2 + 1);
      if (ofChat === killsOfOneChat - 1) await cutBeforeText(kill, cut);
      else charactersKept += await cutAmidText(kill, Math.floor(random() * 200), cut);
      for (const [at, text] of done.entries()) await showsText(chat.turns("Assistant").nth(at * 2), text);
      assert.equal(await chat.turns("You").count(), done.length * 2);
    }
    assert.equal(new Set(asked).size, asked.length, "a question was sent twice");
    const ofEach = Math.floor(kills / killsOfOneChat);
    assert.equal(asked.length, kills * 2 + ofEach);
    const seconds = (Math.max(...restarts) / 1000).toFixed(1);
    tellFigure(
      `extension host killed by its pid amid an answer in the style of ${style}: ${kills} times, ${ofEach} of them before the first token, ` +
        `and ${ofEach} times as soon as an answer was shown as done, ` +
        `0 answers lost, 0 questions sent twice; 0 of ${charactersKept} characters lost that were shown of an answer ` +
        `${paragraphsAfter} paragraphs before; the chat was back within ${seconds} s (seed ${seed})`,
    );
  }).timeout(sized(60, 10) * 60_000);

  it("leaves the key in no file, even with full logging", async () => {
    const { found, filesSearched } = await findLeaks(editor, [key]);
    assert.ok(filesSearched > 50);
    const logs = found.flatMap((place) => logOfEnvironment.exec(place)?.[1] ?? []);
    assert.equal(logs.length, found.length, found.join(", "));
    for (const log of logs) {
      const text = await readFile(path.join(editor.folders.root, log), "utf8");
      const elsewhere = Buffer.from(text.replaceAll(inEnvironment, ""));
      assert.ok(!formsOf(key).some((form) => elsewhere.includes(form)), `${log} has it elsewhere`);
    }
    tellFigure(
      `the key, with trace logging and hosts killed in the style of ${style}: 0 times in ${filesSearched} files of editor and browser`,
    );
  });
}

/** The text of an answer, without trailing line breaks such as the one after an unclosed block. */
async function answerText(turn: Locator): Promise<string> {
  return ((await turn.locator(".markdown").first().textContent()) ?? "").trimEnd();
}

function countParagraphs(text: string): number {
  return [...text.matchAll(/Paragraph \d+\./g)].length;
}

/**
 * Until the window closes, presses VS Code's restart button. It appears when the host has ended three times in five
 * minutes.
 */
async function restartWhereAsked(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Restart (?:Remote )?Extension Host$/ }).first();
  // A reload may remove the button just before it is pressed.
  while (!page.isClosed()) await button.click({ timeout: 0 }).catch(() => undefined);
}
