import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { clientStyles } from "../../src/protocol/wireStyle.ts";
import type { Ask } from "../service/generation.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { type Editor, openEditor } from "../support/endToEnd.ts";
import { formsOf } from "../support/secretForms.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { EditorChat } from "../support/workbench/editorChat.ts";
import { SourceControl } from "../support/workbench/sourceControl.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { answerInPlace, git, prepareRepository, priceFile } from "./inPlaceRepository.ts";
import { assertNoLeaks } from "./leaks.ts";
import { answerForAcme, partsOf, showFailedTest } from "./parts.ts";
import { proposalParts } from "./proposalParts.ts";

/** Sent with each request, and looked for everywhere behind them. */
const canary = fakeKey("canary-flows-93ce");
/** Of another connection: it stands in files and is typed, and is to be taken out of all that is sent and exported. */
const typedKey = fakeKey("typed-flows-2b76");
const typedVariable = "INFERENCE_TYPED_KEY";
const generate = "Generate Commit Message (Billable Request)";

/** What is sent by each of the two: what the browser's `fetch` sends along tells which it was. */
const transports = [
  { transport: "undici", isFetch: false, told: /Transport: +undici \(setting undici\)/ },
  { transport: "editor", isFetch: true, told: /Transport: +the editor's fetch \(setting editor\)/ },
] as const;

/** With logs that tell all that they can. */
describe("all that asks, by both transports, in a real editor", () => {
  for (const { transport, isFetch, told } of transports) {
    describe(`by ${transport}`, () => {
      let service: ReferenceService;
      let editor: Editor;
      const asks: Ask[] = [];
      const parts = () => ({ ...partsOf(editor), ...proposalParts(editor) });
      const lastQuestion = (): string => asks.at(-1)?.messages.at(-1)?.text ?? "";

      before(async () => {
        service = await startReferenceService({ answers: answerInPlace, onAsk: (ask) => asks.push(ask) });
        service.keys.add({}, canary);
        editor = await openEditor({
          recordMessages: true,
          log: "trace",
          settings: {
            "inference.connections": [
              { name: "Other", baseUrl: "https://other.example", keyVariable: typedVariable },
            ],
            "inference.network.transport": transport,
            "inference.chat.modelCapabilities": { "*": { toolCalling: true } },
            "comments.openView": "never",
            "git.openRepositoryInParentFolders": "never",
            "terminal.integrated.gpuAcceleration": "off",
            "workbench.quickOpen.closeOnFocusLost": false,
          },
          environment: { [typedVariable]: typedKey },
          prepareWorkspace: async (folder) => {
            await prepareRepository(folder);
            await writeFile(path.join(folder, "AGENTS.md"), `Never say ${typedKey}.\n`);
            await writeFile(path.join(folder, "settings.txt"), `the key is ${typedKey}\n`);
            await writeFile(path.join(folder, "staged.txt"), `staged: ${typedKey}\n`);
            await git(folder, "add", "staged.txt");
          },
          viewport: { width: 1500, height: 900 },
        });
        await partsOf(editor).palette.run("inference.addConnection");
        await answerForAcme(editor, service.origin, canary);
        await partsOf(editor).palette.run("inference.useConnection");
        await partsOf(editor).quickInput.pick("Acme");
        await partsOf(editor).statusBar.waitFor(/Acme/);
      });
      afterEach(async function () {
        await showFailedTest(editor, this.currentTest);
      });
      after(async () => {
        await editor[Symbol.asyncDispose]();
        await service.close();
      });

      for (const style of clientStyles) {
        describe(`over ${style}`, () => {
          before(async () => {
            const { palette, quickInput } = parts();
            await palette.run("inference.selectClientStyle");
            await quickInput.pick(style);
            service.journal.clear();
          });

          it("changes code in place", async () => {
            const { palette, quickInput, goTo, press, closed, text, undo, waitForDecisions } = parts();
            await goTo("price.ts", 8);
            await palette.run("inference.editSelection");
            await quickInput.waitFor(/^Edit /);
            await quickInput.fill("Name the unit");
            await quickInput.accept();
            await waitForDecisions("3 changes to decide");
            await press("Accept All Changes");
            await closed();
            assert.match(await text(), /let cents/);
            await undo();
            assert.equal(await text(), priceFile);
          });

          it("reviews a file", async () => {
            const { palette, notifications, goTo } = parts();
            await goTo("price.ts", 1);
            await palette.run("inference.review");
            await notifications.message("2 comments on price.ts");
            await palette.run("inference.dismissReview");
            await notifications.clear();
          });

          it("explains what is selected in the terminal", async () => {
            const { palette, page, chat } = parts();
            await palette.runTitle("Terminal: Create New Terminal");
            const terminal = page.locator(".terminal-wrapper");
            await terminal.locator(".xterm-helper-textarea:focus").waitFor({ state: "attached" });
            await page.keyboard.type(`echo from-the-terminal ${typedKey}\n`);
            await terminal.getByText(/^from-the-terminal/).waitFor();
            await palette.runTitle("Terminal: Select All");
            await palette.run("inference.explainTerminalSelection");
            await chat.find();
            await chat.turns("Assistant").getByText("A greeting.").waitFor();
            await palette.runTitle("Terminal: Kill All Terminals");
            assert.match(lastQuestion(), /from-the-terminal \[API key\]/);
          });

          it("writes a message for staged changes that hold a key", async () => {
            const { page } = parts();
            const scm = new SourceControl(page);
            await scm.open();
            await scm.fill("");
            await scm.press(generate);
            await scm.waitForMessage(/\w/);
            await scm.waitForButton(generate);
            assert.match(lastQuestion(), /staged: \[API key\]/);
          });

          it("chats with a file and instructions that hold a key, and exports it without", async () => {
            const { chat, explorer, workbench, notifications } = parts();
            await chat.open();
            await workbench.beginChat();
            await explorer.open();
            await explorer.pickFromMenu("settings.txt", "Add File to Inference Chat");
            await chat.open();
            await chat.attachment("settings.txt").waitFor();
            await chat.send(`Is ${typedKey} a good key for ${style}? /rich`);
            await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
            assert.ok(lastQuestion().includes(`Is [API key] a good key for ${style}?`), lastQuestion());
            assert.ok(lastQuestion().includes("the key is [API key]"), lastQuestion());
            assert.match(JSON.stringify(asks.at(-1)?.messages[0]), /Never say \[API key\]/);
            await notifications.clear();
            for (const format of ["Markdown", "JSON"] as const) {
              const exported = await readFile(await workbench.exportChat(format), "utf8");
              assert.match(exported, /Is \[API key\] a good key for/);
              for (const form of [canary, typedKey].flatMap(formsOf))
                assert.ok(!exported.includes(form.toString()));
            }
          });

          it("has asked in this style and by this transport alone, and sent a key in no message", () => {
            const { entries, answers } = service.journal;
            assert.ok(answers.length >= 5, `${answers.length} answers`);
            const expected = style === "messages" ? "/v1/messages" : "/v1/chat/completions";
            assert.deepEqual([...new Set(answers.map((answer) => answer.path))], [expected]);
            for (const { headerNames } of entries)
              assert.equal(headerNames.includes("sec-fetch-mode"), isFetch);
            for (const secret of [canary, typedKey]) assert.ok(!JSON.stringify(asks).includes(secret));
          });
        });
      }

      describe("beside the chat", () => {
        it("verifies the compatibility, and copies the table", async () => {
          const { palette, quickInput, dialog, workbench, page } = parts();
          await palette.run("inference.verifyCompatibility");
          await quickInput.waitFor("Verify Compatibility (1/2)");
          await quickInput.accept();
          await quickInput.waitFor("Verify Compatibility (2/2)");
          await quickInput.accept();
          await dialog.press("Verify");
          const report = workbench.report("Compatibility of Acme");
          assert.match(await report.result("good"), /Verified\. \d+ yes, 0 no, 0 unclear/);
          await report.button("Copy as Markdown").click();
          assert.match(await readClipboard(page, "#"), /Tool use/);
        });

        it("answers in the editor's own chat", async () => {
          const { palette, page } = parts();
          const chat = new EditorChat(page, palette);
          await palette.run("inference.useInEditorChat");
          await chat.model.getByText("service-core").waitFor();
          await chat.ready();
          await chat.openIn("Ask");
          await chat.send("Answer with the word heron.");
          await chat.answers.last().getByText("heron", { exact: true }).waitFor();
        });

        it("tells in a report by what it was reached", async () => {
          const { palette, notifications, page } = parts();
          await palette.run("inference.copySupportReport");
          await notifications.press("This is the support report", "Copy");
          assert.match(await readClipboard(page, "Inference Chat support report"), told);
        });

        it("has left the key that was sent nowhere", async () => {
          const { messagesSearched, copiesSearched } = await assertNoLeaks(editor, [canary], {
            after: `after all that asks by the transport ${transport}, with trace logging`,
          });
          assert.ok(messagesSearched > 20 && copiesSearched >= 2, `${messagesSearched}, ${copiesSearched}`);
        });
      });
    });
  }
});
