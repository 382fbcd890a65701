import assert from "node:assert/strict";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import type { ThemeKind } from "../support/workbench/workbench.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { colorOf, contrastOfColors } from "../support/page/contrast.ts";
import { assertNoLeaks } from "./leaks.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const canary = fakeKey("start-61f0");
/** The editor itself remembers the last link that was typed. */
const keyInLink = fakeKey("link-90b3");
const themes: readonly ThemeKind[] = ["light", "dark", "high-contrast-light", "high-contrast-dark"];
const steps = ["connection", "key", "check", "chat"] as const;
const urlPrompt = /URL to open/;

describe("getting started, links and the menu, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    // Narrower ones show the steps without their pictures.
    editor = await openEditor({
      recordMessages: true,
      settings: {},
      viewport: { width: 1700, height: 1000 },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  function stepBox(step: (typeof steps)[number]) {
    return editor.workbench.page.locator(`[data-done-step-id$="inference.start#${step}"]`);
  }

  /** Of the step's picture, as the editor draws it on its page. */
  async function drawingColors(
    theme: ThemeKind,
  ): Promise<{ readonly stroke: string; readonly ground: string }> {
    const { page } = editor.workbench;
    const frame = page.locator(".getting-started-media iframe.webview").contentFrame();
    const drawn = frame.locator("iframe#active-frame").contentFrame();
    const kind = theme === "high-contrast-dark" ? "high-contrast" : theme;
    await drawn.locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor();
    const svg = drawn.locator("svg");
    const ground = page.locator(".part.editor").first();
    return {
      stroke: await colorOf(svg, "stroke"),
      ground: await colorOf(ground, "backgroundColor"),
    };
  }

  /** Which steps the walkthrough shows as done. */
  async function doneSteps(): Promise<readonly string[]> {
    const done = await Promise.all(
      steps.map(async (step) =>
        (await stepBox(step).getAttribute("aria-checked")) === "true" ? [step] : [],
      ),
    );
    return done.flat();
  }

  async function waitForDone(step: (typeof steps)[number]): Promise<void> {
    await stepBox(step).and(editor.workbench.page.locator('[aria-checked="true"]')).waitFor();
  }

  /** As a page in a browser or another program would: by the editor's own way for links. */
  async function openLink(rest: string): Promise<void> {
    const { palette, quickInput, dialog } = partsOf(editor);
    await palette.runTitle("Developer: Open URL", "workbench.action.url.openUrl");
    await quickInput.answer(urlPrompt, `code-oss://inference-chat.inference-chat${rest}`);
    // The editor asks by itself, before it hands a link to any extension.
    const own = dialog.root.filter({ hasText: "extension to open this URI" });
    await own.getByRole("button", { name: "Open", exact: true }).click();
    await own.waitFor({ state: "detached" });
  }

  it("has a menu in the status bar that leads to the walkthrough, in which nothing is done yet", async () => {
    const { statusBar, quickInput, page, screenshot } = partsOf(editor);
    await statusBar.waitFor("Add Connection");
    await statusBar.press();
    await quickInput.waitFor("Inference Chat");
    assert.equal((await quickInput.labels())[0], "Add Connection...");
    await screenshot("menu without a connection");
    await quickInput.pick("Get Started");
    await page.getByText("Get Started with Inference Chat").first().waitFor();
    await stepBox("connection").waitFor();
    assert.deepEqual(await doneSteps(), []);
  });

  it("is drawn in every theme", async () => {
    const { workbench, screenshot } = partsOf(editor);
    for (const theme of themes) {
      await workbench.setTheme(theme);
      const { stroke, ground } = await drawingColors(theme);
      const ratio = contrastOfColors(stroke, ground);
      assert.ok(ratio >= 3, `${theme}: ${stroke} on ${ground}`);
      await screenshot(`walkthrough ${theme}`);
    }
    await workbench.setTheme("light");
  });

  it("refuses a link with a key in it, without repeating it", async () => {
    const { notifications, screenshot } = partsOf(editor);
    await openLink(connectLink({ name: "Acme", baseUrl: service.origin, apiKey: keyInLink }));
    const message = await notifications.message("something like a key");
    assert.match(message, /Nothing was added/);
    assert.ok(!message.includes(keyInLink));
    await screenshot("link with a key");
  });

  it("adds nothing where the proposal is turned down", async () => {
    const { dialog, statusBar, screenshot } = partsOf(editor);
    await openLink(connectLink({ name: "Acmé", baseUrl: "https://аpi.host.example/v1", style: "messages" }));
    const { message, detail } = await dialog.read();
    assert.match(message, /A link wants to add the connection Acmé/);
    assert.match(detail, /It leads to: https:\/\/xn--pi-6kc\.host\.example/);
    assert.match(detail, /plain form/);
    await screenshot("link to a host of other letters");
    await dialog.press("Cancel");
    await statusBar.waitFor("Add Connection");
  });

  it("adds what a link proposes once the user agrees, and asks for the key itself", async () => {
    const { dialog, quickInput, notifications, statusBar, screenshot } = partsOf(editor);
    await openLink(
      connectLink({
        name: "Acme & Sons".replace(" & ", " "),
        baseUrl: `${service.origin}/v1`,
        style: "messages",
      }),
    );
    const { detail } = await dialog.read();
    assert.ok(detail.includes(`It leads to: ${service.origin}`), detail);
    await screenshot("link proposes");
    await dialog.press("Add Connection");
    const { isPassword } = await quickInput.waitFor("The API key of Acme Sons");
    assert.ok(isPassword);
    await quickInput.cancel();
    await notifications.message("was added without a key");
    await statusBar.waitFor(/Acme Sons/);
    await waitForDone("connection");
    assert.deepEqual(await doneSteps(), ["connection"]);
  });

  it("never changes a connection of the same name, and says so", async () => {
    const { dialog, quickInput, notifications, statusBar } = partsOf(editor);
    await openLink(connectLink({ name: "Acme Sons", baseUrl: "https://elsewhere.host.example" }));
    const { message, detail } = await dialog.read();
    assert.match(message, /but you have one of this name/);
    assert.ok(detail.includes(service.origin) && detail.includes("https://elsewhere.host.example"), detail);
    assert.match(detail, /not changed/);
    await dialog.press("Cancel");
    await openLink(connectLink({ name: "Acme Sons", baseUrl: service.origin }));
    await notifications.message("You have the connection Acme Sons of this link already");
    await statusBar.press();
    await quickInput.waitFor("Inference Chat");
    await quickInput.cancel();
  });

  it("completes the steps of key, check and chat as each is really done", async () => {
    const { palette, quickInput, dialog, workbench, page, screenshot } = partsOf(editor);
    await palette.run("inference.setApiKey");
    await quickInput.answer("The API key of Acme Sons", canary);
    await waitForDone("key");
    // Having run the check is not having passed it.
    service.failNext({ of: "models", status: 503 });
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const report = workbench.report("Connection Check: Acme Sons");
    await report.result("bad");
    await page.getByRole("tab", { name: /Get Started|Walkthrough|Welcome/ }).click();
    assert.deepEqual(await doneSteps(), ["connection", "key"]);
    await screenshot("walkthrough half done");
  });

  it("is done when all is done, also after a reload", async () => {
    const { palette, chat, workbench, page, screenshot } = partsOf(editor);
    await editor.workbench.reload();
    await palette.run("inference.checkConnection");
    const report = workbench.report("Connection Check: Acme Sons");
    await report.result("good");
    await chat.open();
    await chat.send("Hello");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await page.getByRole("tab", { name: /Get Started|Walkthrough|Welcome/ }).click();
    await waitForDone("chat");
    await waitForDone("check");
    await screenshot("walkthrough done");
    await assertNoLeaks(editor, [canary], { after: "after getting started" });
  });

  it("offers everything in the menu of the status bar, by what the connection is", async () => {
    const { statusBar, quickInput, screenshot } = partsOf(editor);
    await statusBar.press();
    await quickInput.waitFor("Inference Chat");
    await screenshot("menu of the status bar");
    assert.equal((await quickInput.labels())[0], "Open Chat");
    await quickInput.pick("Select Client Style...");
    await quickInput.waitFor("How requests are made");
    await quickInput.pick("chat-completions");
    await statusBar.press();
    await quickInput.waitFor("Inference Chat");
    await quickInput.row("Select Client Style...").filter({ hasText: "chat-completions" }).waitFor();
    await quickInput.cancel();
  });
});

function connectLink(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/connect?${pairs.join("&")}`;
}
