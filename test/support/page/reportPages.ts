import { type Browser, chromium, type FrameLocator, type Page } from "playwright-core";
import type { Report } from "../../../src/connection/report/report.ts";
import { type FromReportPage, readFromReportPage } from "../../../src/connection/report/reportMessages.ts";
import { pageDocument } from "../../../src/editor/page/pageDocument.ts";
import { chromiumFlags, provideBrowser } from "../browser.ts";
import { inPage } from "../workbench/inPage.ts";
import { editorInterface, offline, origin, readTranslations, serveBuiltPage } from "./chatPages.ts";
import { readTheme, type ThemeName, themeScript } from "./themes.ts";

export interface ReportPageOptions {
  /** The language ID, such as `de`. */
  readonly language?: string;
}

/** The built result page in a real browser, with a report. */
export interface OpenReportPage {
  readonly page: Page;
  readonly frame: FrameLocator;
  /** Changes the theme of the open page. */
  readonly wear: (theme: ThemeName) => Promise<void>;
}

/** The same parts that VS Code's webview loads. */
const parts = { script: "report.js", styles: ["chat.css", "report.css"], bodyClass: "report-body" };

const deliver = inPage<void>(
  `(message) => document.querySelector("#page").contentWindow.postMessage(message, "*")`,
);

/** Opens result pages for the tests of a `describe`. Closes each page after its test. */
export function reportPages() {
  let browser: Browser;
  const opened: Page[] = [];

  before(async () => {
    browser = await chromium.launch({
      executablePath: await provideBrowser(),
      args: [...chromiumFlags, offline],
    });
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
  });
  after(() => browser.close());

  return {
    open: async (report: Report, { language = "en" }: ReportPageOptions = {}): Promise<OpenReportPage> => {
      const context = await browser.newContext({ reducedMotion: "reduce" });
      const document = { ...parts, language, title: report.title, source: origin };
      await serveBuiltPage(
        context,
        pageDocument(document, (name) => `/${name}`),
      );
      await context.addInitScript(themeScript(await readTheme("dark")));
      await context.addInitScript(editorInterface);
      const page = await context.newPage();
      opened.push(page);
      const said = Promise.withResolvers<FromReportPage | undefined>();
      await page.exposeFunction("postToHost", (posted: unknown) => said.resolve(readFromReportPage(posted)));
      await page.goto(origin);
      await said.promise;
      const translations = language === "en" ? {} : await readTranslations(language);
      await page.evaluate(deliver, { type: "report", report, translations });
      const frame = page.frameLocator("#page");
      await frame.getByRole("main").waitFor();
      const wear = async (theme: ThemeName): Promise<void> => {
        await frame.locator("html").evaluate(themeScript(await readTheme(theme)));
      };
      return { page, frame, wear };
    },
  };
}
