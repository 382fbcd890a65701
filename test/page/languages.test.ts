import assert from "node:assert/strict";
import { createTranslate } from "../../src/text/translate.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { rowProblems } from "../support/page/rowProblems.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { languages, readBundle } from "../unit/languages/languages.ts";

describe("the page's language", () => {
  const { open } = chatPages();

  for (const language of languages) {
    it(`is ${language} like VS Code's, with nothing cut or covered at 320 px`, async () => {
      const t = createTranslate(readBundle(language));
      const opened = await open({ language, viewport: { width: 320, height: 800 } });
      const { chat, service, screenshot } = opened;
      const composer = chat.frame.getByRole("textbox", { name: t("Message"), exact: true });
      await screenshot(`${language} chat empty`);
      assert.deepEqual(await layoutProblems(chat.frame), []);
      assert.deepEqual(await rowProblems(chat.frame), []);
      service.failNext({ status: 401 });
      await composer.fill("Hello");
      await chat.frame.getByRole("button", { name: t("Send"), exact: true }).click();
      const alert = chat.alert("invalid-key");
      await alert.getByText(t("The service doesn't accept the API key")).waitFor();
      await alert.getByRole("button", { name: t("Set API Key") }).waitFor();
      await screenshot(`${language} chat failed`);
      assert.deepEqual(await layoutProblems(chat.frame), []);
      assert.equal(await chat.frame.locator("html").getAttribute("lang"), language);
    });
  }
});
