import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { RequestRecord } from "../../src/chat/requests/requestRecord.ts";
import { commandIds } from "../../src/contributions.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { GitRepositoryOnDisk } from "../support/gitRepository.ts";
import { answerInPlace, priceFile } from "../support/inPlaceRepository.ts";
import { messagesPath, soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { openRepository } from "./openRepository.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { ShownReports } from "./shownReports.ts";
import { ShownRequestsPage } from "./shownRequestsPage.ts";
import { ask, failureOf, findModel, user } from "./stranger.ts";
import { hasTurns, withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";
import { writeSetting } from "./writeSetting.ts";

const { executeCommand } = vscode.commands;
const everything = { text: "", connection: "", model: "", since: "" };

for (const clientStyle of clientStyles) {
  describe(`the recorded requests over ${clientStyle}`, () => {
    const name = `Recorded over ${clientStyle}`;
    const connection = withConnection({ name, entry: { clientStyle }, service: { answers: answerInPlace } });
    const chat = withChat(connection);
    const file = withOpenFile("price.txt", priceFile);
    let dialogues: ShownDialogues;
    let page: ShownRequestsPage;
    /** The button to press if it is offered. */
    let pressed: string | undefined;

    beforeEach(async () => {
      pressed = undefined;
      dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
      page = await ShownRequestsPage.open();
      await clear();
    });
    afterEach(async () => {
      page.dispose();
      dialogues.dispose();
      connection.service.pace = 0;
      await writeSetting("inference.chat.prices", undefined);
      await writeSetting("inference.requests.record", undefined);
    });

    async function clear(): Promise<void> {
      pressed = "Clear";
      await page.press("clear");
      pressed = undefined;
    }

    /** Checks requests against what the service counted. */
    function requireCounted(records: readonly RequestRecord[]): void {
      for (const { requestId, inputTokens, outputTokens, status, ...record } of records) {
        const entry = connection.service.journal.entries.find((each) => each.requestId === requestId);
        assert.ok(entry !== undefined, `There is no request ${requestId}.`);
        assert.equal(status, entry.status);
        if (entry.method === "GET") continue;
        const counted = [entry.model, entry.inputTokens, entry.outputTokens];
        assert.deepEqual([record.model, inputTokens, outputTokens], counted, record.asker.kind);
        assert.equal(record.clientStyle, entry.path === messagesPath ? "messages" : "chat-completions");
        assert.ok(record.milliseconds >= (record.firstTokenMs ?? 0));
      }
    }

    it("name everything that asks, with the service's request IDs and tokens", async () => {
      await executeCommand(commandIds.generateDocs, file.uri, new vscode.Range(6, 0, 13, 0));
      await executeCommand(commandIds.rejectProposal);
      await executeCommand(commandIds.review, file.uri, new vscode.Range(0, 0, 0, 0));
      await executeCommand(commandIds.dismissReview);
      await vscode.window.showTextDocument(file.document);
      await executeCommand(commandIds.completeHere);
      await using disk = await GitRepositoryOnDisk.create(workspaceFolder().uri.fsPath);
      await disk.write("staged.txt", "staged\n");
      await disk.git("add", "staged.txt");
      const repository = await openRepository(disk.folder);
      await executeCommand(commandIds.generateCommitMessage, { rootUri: repository.rootUri });
      await ask(await findModel(name), [user("Hello")]);
      await executeCommand(commandIds.listModels, { connection: name });
      await executeCommand(commandIds.checkConnection, { connection: name });
      const reports = new ShownReports();
      const inputs = new AnsweredInputs(
        ["Verify Compatibility (1/2): Client Styles", [clientStyle]],
        [/^Verify Compatibility \(2\/2\)/, ["Answer without streaming"]],
      );
      pressed = "Verify";
      await executeCommand(commandIds.verifyCompatibility);
      for (const each of [reports, inputs]) each.dispose();

      const { entries } = connection.service.journal;
      const records = await page.untilCount(name, entries.length);
      requireCounted(records);
      const kinds = records.map(({ asker }) => asker.kind);
      const asked = kinds.filter((kind) => kind !== "model-list" && kind !== "check");
      assert.deepEqual(asked, [
        "edit",
        "review",
        "completion",
        "commit-message",
        "language-model",
        "compatibility",
      ]);
      assert.ok(kinds.includes("model-list"));
      const check = records.filter(({ asker }) => asker.kind === "check");
      assert.equal(
        check.filter(({ model }) => model === undefined).length,
        1,
        "The check lists the models once.",
      );
      assert.ok(check.some(({ model }) => model === "service-core"));
      const edit = records.find(({ asker }) => asker.kind === "edit");
      assert.ok(edit?.firstTokenMs !== undefined, "A streamed answer has a first token.");
      const whole = records.find(({ asker }) => asker.kind === "compatibility");
      assert.equal(whole?.firstTokenMs, undefined, "An answer without streaming has none.");

      // Read again from the files, the requests are the same.
      await page.press("refresh");
      assert.deepEqual(page.of(name), records);
      assert.equal(JSON.stringify(page.requests).includes(connection.key), false);
    });

    it("name a chat and its compaction by the chat's ID", async () => {
      const shown = chat.openPage();
      shown.say({ type: "send", text: "Tell me more" });
      await hasTurns(shown.chat, 2);
      pressed = "Compact Chat";
      await shown.compact();
      const askers = chat.talking.calls
        .filter(({ record }) => record.method === "POST")
        .map(({ sender }) => sender.asker);
      const { id } = shown.chat;
      assert.deepEqual(askers, [
        { kind: "chat", chat: id },
        { kind: "compaction", chat: id },
      ]);
    });

    it("have a row for each try, and the cause of a failure", async () => {
      connection.service.failNext({ status: 503 });
      await ask(await findModel(name), [user("Hello")]);
      const tries = await page.untilCount(name, 2);
      assert.deepEqual(
        tries.map(({ status, cause }) => [status, cause]),
        [
          [503, "overloaded"],
          [200, undefined],
        ],
      );
      connection.service.failNext({ status: 400 });
      await failureOf(ask(await findModel(name), [user("Hello")]));
      const [, , refused] = await page.untilCount(name, 3);
      assert.deepEqual(
        [refused?.status, refused?.cause, refused?.outputTokens],
        [400, "bad-request", undefined],
      );
      assert.ok(page.requests.causes["bad-request"] !== undefined);
    });

    it("have a row without output tokens for a stopped answer", async () => {
      connection.service.pace = 500;
      const editing = executeCommand(commandIds.generateDocs, file.uri, new vscode.Range(6, 0, 13, 0));
      await connection.service.journal.next(({ piecesSent }) => piecesSent > 0, soon());
      await executeCommand(commandIds.stopProposal);
      await editing;
      const [stopped] = await page.untilCount(name, 1);
      assert.deepEqual(
        [stopped?.status, stopped?.cause, stopped?.outputTokens],
        [200, "cancelled", undefined],
      );
      await executeCommand(commandIds.rejectProposal);
    });

    it("have the price of their time, or else that of today, and are copied as CSV", async () => {
      const price = { input: 1, output: 2, currency: "EUR" };
      await ask(await findModel(name), [user("Hello")]);
      const [unpriced] = await page.untilCount(name, 1);
      assert.equal(unpriced?.price, undefined);
      await writeSetting("inference.chat.prices", { "service-core": price });
      await ask(await findModel(name), [user("Hello again")]);
      await page.untilCount(name, 2);
      await writeSetting("inference.chat.prices", { "service-core": { ...price, input: 7 } });
      await page.press("refresh");
      assert.deepEqual(
        page.of(name).map((record) => record.price?.input),
        [7, 1],
      );
      const [first, second] = page.of(name);
      page.say({
        type: "copy-csv",
        filter: { ...everything, connection: name, text: second?.requestId ?? "" },
      });
      const lines = await copiedLines((text) => text.includes(second?.requestId ?? "-"));
      assert.equal(lines.length, 3, "A header, one request, and the end of its line.");
      assert.ok(!lines.join().includes(first?.requestId ?? "-"));
    });

    it("are deleted only after a question", async () => {
      await ask(await findModel(name), [user("Hello")]);
      await page.untilCount(name, 1);
      const shown = dialogues.next();
      page.say({ type: "action", id: "clear" });
      assert.equal((await shown).message, "Clear the recorded requests?");
      await page.press("refresh");
      assert.equal(page.of(name).length, 1);
      await clear();
      assert.deepEqual(page.requests.records, []);
    });

    it("are none while the setting is off, which the page says", async () => {
      await writeSetting("inference.requests.record", false);
      await ask(await findModel(name), [user("Hello")]);
      await page.press("refresh");
      assert.deepEqual(page.requests.records, []);
      assert.match(page.requests.note ?? "", /inference\.requests\.record is off/);
    });
  });
}

/** Resolves with the lines of the clipboard when they are meant. */
async function copiedLines(isMeant: (text: string) => boolean): Promise<readonly string[]> {
  for (;;) {
    const text = await vscode.env.clipboard.readText();
    if (isMeant(text)) return text.split("\r\n");
  }
}
