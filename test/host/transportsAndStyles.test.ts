import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { CommitBox } from "../../src/editor/commit/commitBox.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { answerInPlace, priceFile } from "../support/inPlaceRepository.ts";
import { GitRepositoryOnDisk } from "../support/gitRepository.ts";
import { chatPath, messagesPath } from "../unit/service/fixture.ts";
import { openRepository } from "./openRepository.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { ask, findModel, user } from "./stranger.ts";
import { untilFound } from "./untilFound.ts";
import { withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";
import { writeSetting } from "./writeSetting.ts";

const { executeCommand } = vscode.commands;

/** `fetch` adds a header of its own, which shows the transport. */
const transports = [
  { transport: "undici", isFetch: false, told: /Transport: +undici \(setting undici\)/ },
  { transport: "editor", isFetch: true, told: /Transport: +VS Code's fetch \(setting editor\)/ },
] as const;

function setTransport(transport: string | undefined): Thenable<void> {
  return writeSetting("inference.network.transport", transport);
}

/** Resolves when an open document matches. */
async function documentSays(words: RegExp): Promise<void> {
  const { onDidChangeTextDocument, onDidOpenTextDocument } = vscode.workspace;
  const find = (): vscode.TextDocument | undefined =>
    vscode.workspace.textDocuments.find((document) => words.test(document.getText()));
  await untilFound(find, onDidChangeTextDocument, onDidOpenTextDocument);
}

for (const { transport, isFetch, told } of transports) {
  for (const clientStyle of clientStyles) {
    describe(`all requests, by ${transport} over ${clientStyle}`, () => {
      const connection = withConnection({
        name: `All by ${transport} over ${clientStyle}`,
        entry: { clientStyle },
        service: { answers: answerInPlace },
      });
      const { asks } = connection;
      const chat = withChat(connection);
      const file = withOpenFile("price.txt", `${priceFile}// the key ${connection.key}\n`);
      let dialogues: ShownDialogues;

      before(() => setTransport(transport));
      beforeEach(() => {
        dialogues = new ShownDialogues(() => undefined);
      });
      afterEach(() => dialogues.dispose());
      after(() => setTransport(undefined));

      it("use this transport, which the support report names, and send no key in any text", async () => {
        const lines = new vscode.Range(6, 0, 13, 0);
        await executeCommand(commandIds.generateDocs, file.uri, lines);
        await executeCommand(commandIds.rejectProposal);
        await executeCommand(commandIds.review, file.uri, new vscode.Range(0, 0, 0, 0));
        await dialogues.until(/^2 comments on .*price\.txt/);
        await executeCommand(commandIds.dismissReview);
        await using disk = await GitRepositoryOnDisk.create(workspaceFolder().uri.fsPath);
        await disk.write("staged.txt", `staged: ${connection.key}\n`);
        await disk.git("add", "staged.txt");
        const repository = await openRepository(disk.folder);
        await executeCommand(commandIds.generateCommitMessage, { rootUri: repository.rootUri });
        assert.notEqual(new CommitBox(repository).text, "");
        await chat.loaded.chats.create().session.send(`Is ${connection.key} a good key?`);
        await ask(await findModel(connection.name), [user(`And ${connection.key}?`)]);
        assert.equal(asks.length, 5);
        for (const { messages } of asks) {
          const sent = JSON.stringify(messages);
          assert.ok(sent.includes("[API key]") && !sent.includes(connection.key), sent);
        }
        const { answers, entries } = connection.service.journal;
        const path = clientStyle === "messages" ? messagesPath : chatPath;
        assert.deepEqual([...new Set(answers.map((answer) => answer.path))], [path]);
        for (const { headerNames } of entries) assert.equal(headerNames.includes("sec-fetch-mode"), isFetch);
        await executeCommand(commandIds.copySupportReport);
        await documentSays(told);
      });
    });
  }
}
