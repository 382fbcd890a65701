import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { colorOf, contrastOfColors } from "../support/page/contrast.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { partsOf } from "../support/workbench/parts.ts";

const canary = fakeKey("start-61f0");
/** A separate key, because VS Code remembers the last link that was typed. */
const keyInLink = fakeKey("link-90b3");
const steps = ["connection", "key", "check", "chat"] as const;
const urlPrompt = /URL to open/;

describe("getting started, links and the menu, in a real editor", () => {
  const service = withService({ keys: [canary] });
  // A narrower window shows the steps without their images.
  const editor = withEditor({ recordMessages: true, viewport: { width: 1700, height: 1000 } });

  function stepBox(step: (typeof steps)[number]) {
    return editor.workbench.page.locator(`[data-done-step-id$="inference.start#${step}"]`);
  }

  /** The colors of the step's image and its background, as VS Code shows them. */
  async function drawingColors(): Promise<{ readonly stroke: string; readonly ground: string }> {
    const { page } = editor.workbench;
    const frame = page.locator(".getting-started-media iframe.webview").contentFrame();
    const drawn = frame.locator("iframe#active-frame").contentFrame();
    const svg = drawn.locator("svg");
    const ground = page.locator(".part.editor").first();
    return {
      stroke: await colorOf(svg, "stroke"),
      ground: await colorOf(ground, "backgroundColor"),
    };
  }

  /** The steps that the walkthrough shows as done. */
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

  const walkthroughTab = (): Locator =>
    editor.workbench.page.getByRole("tab", { name: /Get Started|Walkthrough|Welcome/ });

  /** Opens a link by a command of VS Code. A link in a browser or another program has the same effect. */
  async function openLink(rest: string): Promise<void> {
    const { palette, quickInput, dialog } = partsOf(editor);
    await palette.runTitle("Developer: Open URL", "workbench.action.url.openUrl");
    await quickInput.answer(urlPrompt, `code-oss://inference-chat.inference-chat${rest}`);
    // VS Code itself asks before it passes a link to an extension.
    const own = dialog.root.filter({ hasText: "extension to open this URI" });
    await own.getByRole("button", { name: "Open", exact: true }).click();
    await own.waitFor({ state: "detached" });
  }

  it("work together, mark a step as done only after it has succeeded, and leave the key nowhere", async () => {
    const { statusBar, quickInput, dialog, notifications, palette, chat, page, screenshot } = partsOf(editor);
    await statusBar.waitFor("Add Connection");
    await statusBar.press();
    await quickInput.pick("Get Started");
    await page.getByText("Get Started with Inference Chat").first().waitFor();
    await stepBox("connection").waitFor();
    assert.deepEqual(await doneSteps(), []);
    const { stroke, ground } = await drawingColors();
    assert.ok(contrastOfColors(stroke, ground) >= 3, `${stroke} on ${ground}`);
    await screenshot("walkthrough");

    await openLink(connectLink({ name: "Acme", baseUrl: service.origin, apiKey: keyInLink }));
    const refusal = await notifications.message("what looks like an API key");
    assert.ok(!refusal.includes(keyInLink), refusal);
    await openLink(connectLink({ name: "Acme Sons", baseUrl: `${service.origin}/v1`, style: "messages" }));
    const { detail } = await dialog.read();
    assert.ok(detail.includes(`Host: ${service.origin}`), detail);
    await screenshot("link proposes");
    await dialog.press("Add Connection");
    const { isPassword } = await quickInput.waitFor("API key for 'Acme Sons'");
    assert.ok(isPassword);
    await quickInput.cancel();
    await notifications.message("Added 'Acme Sons' without an API key");
    await waitForDone("connection");
    assert.deepEqual(await doneSteps(), ["connection"]);

    await palette.run("inference.setApiKey");
    await quickInput.answer("API key for 'Acme Sons'", canary);
    await waitForDone("key");
    // The step is done only if the check passes.
    service.failNext({ of: "models", status: 503 });
    await palette.run("inference.checkConnection");
    await dialog.press("Run Check");
    const report = editor.workbench.report("Connection Check: Acme Sons");
    await report.result("bad");
    await walkthroughTab().click();
    assert.deepEqual(await doneSteps(), ["connection", "key"]);
    await screenshot("walkthrough half done");

    await editor.workbench.reload();
    await palette.run("inference.checkConnection");
    await report.result("good");
    await chat.open();
    await chat.send("Hello");
    await chat.turns("Assistant").first().getByRole("button", { name: "Retry" }).waitFor();
    await walkthroughTab().click();
    await waitForDone("chat");
    await waitForDone("check");
    await assertNoLeaks(editor, [canary], { after: "after getting started" });
  });
});

function connectLink(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/connect?${pairs.join("&")}`;
}
