import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { answerInPlace, git, prepareRepository, priceFile } from "./inPlaceRepository.ts";
import { assertNoLeaks } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";
import { proposalParts } from "./proposalParts.ts";

const keyVariable = "INFERENCE_E2E_KEY";
const canary = fakeKey("in-place");
const tasksFile = ".vscode/tasks.json";
const renamed = priceFile.replaceAll(/\bsum\b/g, "cents");

describe("changes in place, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let file: string;
  const asks: Ask[] = [];

  before(async () => {
    service = await startReferenceService({
      answers: answerInPlace,
      onAsk: (ask) => asks.push(ask),
    });
    service.keys.add({}, canary);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "comments.openView": "never",
        "files.autoSave": "off",
      },
      environment: { [keyVariable]: canary },
      prepareWorkspace: async (folder) => {
        await prepareRepository(folder);
        await mkdir(path.join(folder, ".vscode"));
        await writeFile(path.join(folder, tasksFile), '{ "version": "2.0.0" }\n');
      },
      viewport: { width: 1500, height: 900 },
    });
    file = path.join(editor.workspace, "src", "price.ts");
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  const parts = () => ({ ...partsOf(editor), ...proposalParts(editor) });

  /** Asks for a change at a line of a file. */
  async function edit(line: number, wish: string, name = "price.ts"): Promise<void> {
    const { palette, quickInput, goTo } = parts();
    await goTo(name, line);
    await palette.run("inference.editSelection");
    await quickInput.waitFor(/^Edit /);
    await quickInput.fill(wish);
    await quickInput.accept();
  }

  it("shows what is asked for as it arrives, makes all of it at a word, and one undo takes it back", async () => {
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
    await waitForDecisions("Changes are arriving");
    await titleButton("Stop").waitFor();
    assert.match(await modified.innerText(), /return\ssum/);
    await screenshot("in-place-arriving");
    service.pace = 0;
    await waitForDecisions(/3 changes to decide.*service-core/);
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

  it("takes and drops single changes, beside what is typed meanwhile, in one step of undo", async () => {
    const { revert, page, notifications, screenshot, original, text, undo, press, waitForDecisions, closed } =
      parts();
    service.pace = 200;
    await edit(8, "Name the unit");
    await original.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("const typed = 1;\n");
    service.pace = 0;
    await waitForDecisions("3 changes to decide");
    await press("Accept Change");
    await waitForDecisions("2 changes to decide");
    await screenshot("in-place-one-accepted");
    await press("Reject Change");
    await waitForDecisions("1 change to decide");
    await notifications.press("Changes proposed for src/price.ts were rejected", "Undo");
    await waitForDecisions("2 changes to decide");
    await press("Reject Change");
    await waitForDecisions("1 change to decide");
    await press("Accept Change");
    await closed();
    const expected = `const typed = 1;\n${priceFile.replace("let sum", "let cents").replace("return sum", "return cents")}`;
    assert.equal(await text(), expected);
    await undo();
    assert.equal(await text(), `const typed = 1;\n${priceFile}`, "both changes are one step");
    await revert();
    assert.equal(await text(), priceFile);
  });

  it("leaves lines that were changed meanwhile to the user", async () => {
    const {
      revert,
      notifications,
      dialog,
      page,
      screenshot,
      original,
      text,
      press,
      waitForDecisions,
      closed,
    } = parts();
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    await original
      .locator(".view-line")
      .filter({ hasText: /return\ssum/ })
      .click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // mine");
    await waitForDecisions("3 changes to decide, 1 in lines you changed");
    await press("Accept All Changes");
    await notifications.message("changed in the same lines meanwhile");
    await screenshot("in-place-conflict");
    await original.filter({ hasText: /let\scents/ }).waitFor();
    await original.filter({ hasText: /return\ssum;\s\/\/\smine/ }).waitFor();
    await press("Accept Change");
    assert.match((await dialog.read()).message, /changed in these lines/);
    await dialog.press("Cancel");
    await press("Reject Changes");
    await closed();
    assert.match(await text(), /let cents[^]*cents \+=[^]*return sum; \/\/ mine/);
    await revert();
    assert.equal(await text(), priceFile);
  });

  it("offers what was asked before, and brings a forgotten prompt back", async () => {
    const { palette, quickInput, notifications, screenshot, goTo } = parts();
    await goTo("price.ts", 8);
    await palette.run("inference.editSelection");
    await quickInput.waitFor(/^Edit /);
    await quickInput.row("Name the unit").waitFor();
    await quickInput.pressButtonOf("Name the unit", "Forget");
    await quickInput.row("Name the unit").waitFor({ state: "detached" });
    await screenshot("in-place-prompt-forgotten");
    await notifications.press("The earlier prompt was forgotten", "Undo");
    await quickInput.row("Name the unit").waitFor();
    await quickInput.cancel();
  });

  it("leaves the file as it was, byte by byte, where it is rejected", async () => {
    const { text, press, notifications, waitForDecisions, closed } = parts();
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    const rejected = "Changes proposed for src/price.ts were rejected";
    await notifications.waitUntilGone(rejected);
    await press("Reject Changes");
    await closed();
    assert.equal(await text(), priceFile);
    await notifications.press(rejected, "Undo");
    await waitForDecisions("3 changes to decide");
    // What was rejected in the test before can be taken back still.
    await notifications.toast(rejected).waitFor();
    await press("Reject Changes");
    await closed();
    assert.equal(await text(), priceFile);
    assert.equal(await readFile(file, "utf8"), priceFile);
    assert.equal(await git(editor.workspace, "status", "--porcelain", "src"), "");
  });

  it("refines what is proposed, and asks with it", async () => {
    const { quickInput, modified, text, undo, press, waitForDecisions, closed } = parts();
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    await press("Refine...");
    await quickInput.answer("Refine the change to total", "Please in capitals");
    await modified.filter({ hasText: /let\sCENTS/ }).waitFor();
    await waitForDecisions("3 changes to decide");
    const messages = asks.at(-1)?.messages ?? [];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    assert.match(messages[1]?.text ?? "", /let cents = 0;/);
    await press("Accept All Changes");
    await closed();
    assert.equal(
      await text(),
      renamed
        .replaceAll("let cents", "let CENTS")
        .replaceAll("cents +=", "CENTS +=")
        .replaceAll("return cents", "return CENTS"),
    );
    await undo();
    assert.equal(await text(), priceFile);
  });

  it("leaves lines that were changed meanwhile to the user, also where the proposal is refined", async () => {
    const {
      revert,
      quickInput,
      notifications,
      page,
      original,
      modified,
      text,
      press,
      waitForDecisions,
      closed,
    } = parts();
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    await original
      .locator(".view-line")
      .filter({ hasText: /return\ssum/ })
      .click();
    await page.keyboard.press("End");
    await page.keyboard.type(" // mine");
    await waitForDecisions("3 changes to decide, 1 in lines you changed");
    const refine = async (): Promise<void> => {
      await press("Refine...");
      await quickInput.answer("Refine the change to total", "Please in capitals");
      await modified.filter({ hasText: /let\sCENTS/ }).waitFor();
    };
    service.pace = 500;
    await refine();
    await press("Stop");
    // What had not come yet stays as it was proposed before.
    await waitForDecisions("2 changes to decide");
    await modified.filter({ hasText: /return\ssum;\s\/\/\smine/ }).waitFor();
    service.pace = 0;
    await refine();
    await waitForDecisions("3 changes to decide, 1 in lines you changed");
    await press("Accept All Changes");
    await notifications.message("changed in the same lines meanwhile");
    await press("Reject Changes");
    await closed();
    assert.match(await text(), /let CENTS[^]*CENTS \+=[^]*return sum; \/\/ mine/);
    await revert();
    assert.equal(await text(), priceFile);
  });

  it("makes a refinement that failed once more, on the same proposal", async () => {
    const { quickInput, notifications, modified, text, press, waitForDecisions, closed } = parts();
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    await notifications.clear();
    service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
    await press("Refine...");
    await quickInput.answer("Refine the change to total", "Please in capitals");
    await notifications.message(/^Acme: /);
    await modified.filter({ hasText: /let\scents/ }).waitFor();
    asks.length = 0;
    await notifications.press(/^Acme: /, "Retry");
    await modified.filter({ hasText: /let\sCENTS/ }).waitFor();
    await waitForDecisions("3 changes to decide");
    assert.equal(asks.length, 1);
    assert.match(asks[0]?.messages.at(-1)?.text ?? "", /Please in capitals/);
    await press("Reject Changes");
    await closed();
    assert.equal(await text(), priceFile);
  });

  it("asks for nothing where the diff is closed beside the prompt of a refinement", async () => {
    const { page, palette, quickInput, diff, press, waitForDecisions, closed } = parts();
    const toggleSideBar = (): Promise<void> =>
      palette.runTitle(
        "View: Toggle Primary Side Bar Visibility",
        "workbench.action.toggleSidebarVisibility",
      );
    // The prompt would lie over the tab.
    await toggleSideBar();
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    await press("Refine...");
    await quickInput.waitFor("Refine the change to total");
    await page.getByRole("tab", { name: /proposed changes/ }).click({ button: "middle" });
    await closed();
    asks.length = 0;
    await quickInput.fill("Please in capitals");
    await quickInput.accept();
    await quickInput.root.waitFor({ state: "hidden" });
    await edit(8, "Name the unit");
    await waitForDecisions("3 changes to decide");
    assert.equal(asks.length, 1, "the other one alone");
    assert.equal(await diff.count(), 1);
    await press("Reject Changes");
    await closed();
    await toggleSideBar();
  });

  it("ends the request where the user stops it, or closes the diff", async () => {
    const { modified, text, press, closed } = parts();
    service.pace = 500;
    for (const end of ["Stop", "Reject Changes"]) {
      service.journal.clear();
      await edit(8, "Name the unit");
      await modified.filter({ hasText: /let\scents/ }).waitFor();
      await press(end);
      await service.journal.next(({ state }) => state === "aborted", AbortSignal.timeout(60_000));
      if (end === "Stop") await press("Reject Changes");
      await closed();
    }
    service.pace = 0;
    assert.equal(await text(), priceFile);
  });

  it("warns before a change is made to a file that has something done by itself", async () => {
    const { dialog, text, undo, press, closed } = parts();
    await edit(1, "Add a task", "tasks.json");
    await press("Accept All Changes");
    assert.match((await dialog.read()).message, /^\.vscode\/tasks\.json can have programs run/);
    await dialog.press("Cancel");
    await press("Accept All Changes");
    await dialog.press("Change It");
    await closed();
    assert.match(await text(), /label/);
    await undo();
    assert.doesNotMatch(await text(), /label/, "the first press has changed nothing");
  });

  it("says what an answer without code was, and keeps it", async () => {
    const { notifications, chat } = parts();
    await edit(8, "Say why");
    await notifications.press("answered without code", "Show Answer");
    await chat.find();
    await chat.turns("Assistant").getByText("It adds up prices, and nothing needs to change.").waitFor();
    assert.equal(await readFile(file, "utf8"), priceFile);
  });

  it("explains a failure with its remedies, and offers the prompt again", async () => {
    const { palette, quickInput, notifications, screenshot, goTo, press, waitForDecisions, closed } = parts();
    service.failNext({
      status: 401,
      body: { error: { message: "Invalid API key", type: "authentication_error", code: "invalid_api_key" } },
    });
    await goTo("price.ts", 8);
    await palette.run("inference.editSelection");
    await quickInput.waitFor(/^Edit /);
    await quickInput.fill("Name the unit, of course");
    await quickInput.accept();
    await notifications.message(/^Acme: /);
    await screenshot("in-place-failure");
    assert.ok((await notifications.buttons(/^Acme: /)).includes("Set API Key"));
    await closed();
    await palette.run("inference.editSelection");
    await quickInput.waitFor(/^Edit /);
    await quickInput.row("Name the unit, of course").waitFor();
    await screenshot("in-place-recall");
    await quickInput.pick("Name the unit, of course");
    await waitForDecisions("3 changes to decide");
    await press("Reject Changes");
    await closed();
  });

  it("leaves the key nowhere", async () => {
    await assertNoLeaks(editor, [canary], { after: "after changes in place" });
  });
});
