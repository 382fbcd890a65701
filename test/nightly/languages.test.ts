import assert from "node:assert/strict";
import { createTranslate } from "../../src/text/translate.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { withEditor } from "../support/withEditor.ts";
import { withService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { type Language, readBundle, readContributed } from "../unit/languages/languages.ts";
import { partsOf } from "../support/workbench/parts.ts";

const keyVariable = "INFERENCE_LANGUAGES_KEY";
const connection = "Acme";
/** German has the longest words. */
const language: Language = "de";

describe("another display language, in a real editor", () => {
  const t = createTranslate(readBundle(language));
  const contributed = readContributed(language);
  const text = (key: string): string => contributed[key] ?? assert.fail(key);
  const service = withService();
  const editor = withEditor(() => ({
    language,
    settings: { "inference.connections": [{ name: connection, baseUrl: service.origin, keyVariable }] },
    environment: { [keyVariable]: fakeKey(`unknown-${language}`) },
    viewport: { width: 1700, height: 1000 },
  }));

  it("applies to commands, the chat, the connection check and the walkthrough", async () => {
    const { palette, quickInput, dialog, workbench, statusBar, chat, page, screenshot } = partsOf(editor);
    await palette.runTitle(
      `Inference Chat: ${text("command.useConnection.title")}`,
      "inference.useConnection",
    );
    await quickInput.pick(connection);

    await chat.tab.click();
    await chat.find();
    const composer = chat.frame.locator("#root").getByRole("textbox", { name: t("Message"), exact: true });
    await composer.waitFor();
    assert.equal(await chat.frame.locator("html").getAttribute("lang"), language);

    await palette.runTitle(
      `Inference Chat: ${text("command.checkConnection.title")}`,
      "inference.checkConnection",
    );
    await dialog.press(t("Run Check"));
    const report = workbench.report(t("Connection Check: {0}", connection));
    await report.result("bad");
    await report.alert("invalid-key").getByText(t("The service doesn't accept the API key")).waitFor();
    await screenshot(`${language} check`);
    assert.deepEqual(await layoutProblems(report.frame), []);

    await statusBar.press();
    await quickInput.pick(t("Get Started"));
    await page.getByText(text("walkthrough.title")).first().waitFor();
    await page.getByText(text("walkthrough.connection.title")).first().waitFor();
    await screenshot(`${language} walkthrough`);
  });
});
