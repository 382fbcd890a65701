import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { contextMenuEntry, pickFromContextMenu } from "../support/workbench/explorer.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { answerInPlace, git, prepareRepository, priceFile } from "../support/inPlaceRepository.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { answerForAcme, partsOf } from "../support/workbench/parts.ts";
import { selectInTerminal } from "../support/workbench/terminal.ts";
import { proposalParts } from "../support/proposalParts.ts";

const canary = fakeKey("in-place");
const renamed = priceFile.replaceAll(/\bsum\b/g, "cents");

/** Uses the transport that shows the most data to other code: VS Code's own connection, with trace logging. */
describe("editing, explaining and reviewing code in place, in a real editor", () => {
  const asks: Ask[] = [];
  const service = withService({
    answers: answerInPlace,
    onAsk: (ask) => asks.push(ask),
    keys: [canary],
  });
  const editor = withEditor({
    recordMessages: true,
    log: "trace",
    settings: {
      "inference.network.transport": "editor",
      "comments.openView": "never",
      // Draws text into the DOM, where the test can read it.
      "terminal.integrated.gpuAcceleration": "off",
    },
    prepareWorkspace: prepareRepository,
    viewport: { width: 1500, height: 900 },
  });
  let file: string;
  const parts = () => ({ ...partsOf(editor), ...proposalParts(editor) });

  before(async () => {
    file = path.join(editor.workspace, "src", "price.ts");
    const { palette, quickInput, notifications } = partsOf(editor);
    await palette.run("inference.addConnection");
    await answerForAcme(editor, service.origin, canary);
    await palette.run("inference.selectClientStyle");
    await quickInput.pick("messages");
    await notifications.clear();
  });

  it("shows a streaming edit, accepts all of it with one press, and undoes it with one undo", async () => {
    const {
      palette,
      quickInput,
      screenshot,
      modified,
      goTo,
      text,
      undo,
      titleButton,
      press,
      waitForDecisions,
      closed,
    } = parts();
    await goTo("price.ts", 8);
    await palette.run("inference.editSelection");
    const { title } = await quickInput.waitFor(/^Edit /);
    assert.equal(title, "Edit total");
    await quickInput.fill("Name the unit");
    await screenshot("in-place-prompt");
    service.pace = 400;
    await quickInput.accept();
    await modified.filter({ hasText: /let\scents/ }).waitFor();
    await waitForDecisions("Receiving changes...");
    await titleButton("Stop").waitFor();
    assert.match(await modified.innerText(), /return\ssum/);
    await screenshot("in-place-arriving");
    service.pace = 0;
    await waitForDecisions(/3 changes to review.*service-core/);
    await screenshot("in-place-arrived");
    assert.equal(await readFile(file, "utf8"), priceFile, "nothing is written by looking");
    await press("Accept All Changes");
    await closed();
    assert.equal(await text(), renamed);
    await undo();
    assert.equal(await text(), priceFile, "one undo takes all of it back");
    const [ask] = asks;
    assert.match(
      ask?.messages.at(-1)?.text ?? "",
      /src\/price\.ts[^]*lines 7 to 13[^]*let sum[^]*Name the unit/,
    );
    assert.ok(!JSON.stringify(asks).includes(editor.workspace), "no absolute path is sent");
  });

  it("explains the terminal's selection", async () => {
    const { palette, chat } = parts();
    await selectInTerminal(editor.workbench, "from-the-terminal");
    await palette.run("inference.explainTerminalSelection");
    await chat.find();
    await chat.turns("Assistant").getByText("A greeting.").waitFor();
    assert.match(asks.at(-1)?.messages.at(-1)?.text ?? "", /kind="terminal"[^]*from-the-terminal/);
    await palette.runTitle("Terminal: Kill All Terminals");
  });

  it("shows review comments at their lines, resolves and dismisses them, and changes no file", async () => {
    const { palette, page, notifications, goTo, screenshot } = parts();
    await goTo("price.ts", 1);
    await page.keyboard.press("Shift+F10");
    await pickFromContextMenu(page, "Inference Chat (Billable Requests)");
    await contextMenuEntry(page, "Review Code").waitFor();
    await screenshot("in-place-menu");
    await pickFromContextMenu(page, "Review Code");
    const message = await notifications.message("2 comments on price.ts");
    assert.match(message, /service-core · Tokens: /);
    await notifications.press("2 comments on price.ts", "Show First Comment");
    const threads = page.locator(".review-widget:visible");
    const named = threads.filter({ hasText: "name the unit" });
    await named.waitFor();
    await threads.filter({ hasText: "Divides by zero" }).waitFor();
    await screenshot("in-place-review");
    assert.equal(await named.locator("img").count(), 0, "no picture is loaded");
    await page.getByRole("button", { name: /^Ln 8, Col 1\b/ }).waitFor();
    await named.hover();
    await named.getByRole("button", { name: "Resolve Comment" }).click();
    await named.waitFor({ state: "hidden" });
    const other = threads.filter({ hasText: "Divides by zero" });
    await other.hover();
    await other.getByRole("button", { name: "Dismiss Comment", exact: true }).click();
    await other.waitFor({ state: "hidden" });
    await notifications.press("Dismissed the review comment", "Undo");
    await other.waitFor();
    await screenshot("in-place-review-done");
    await palette.run("inference.dismissReview");
    await other.waitFor({ state: "hidden" });
    await notifications.press("Dismissed 2 review comments", "Undo");
    await other.waitFor();
    assert.equal(await readFile(file, "utf8"), priceFile);
    assert.equal(await git(editor.workspace, "status", "--porcelain", "src"), "");
    await palette.run("inference.dismissReview");
  });

  it("leaves the sent key nowhere", async () => {
    const { entries, answers } = service.journal;
    assert.deepEqual([...new Set(answers.map((answer) => answer.path))], ["/v1/messages"]);
    // A header that the browser's `fetch` adds.
    for (const { headerNames } of entries) assert.ok(headerNames.includes("sec-fetch-mode"));
    const { messagesSearched } = await assertNoLeaks(editor, [canary], {
      after: "after questions about code by the editor's own connection, with trace logging",
    });
    assert.ok(messagesSearched > 10, `${messagesSearched} messages were searched`);
  });
});
