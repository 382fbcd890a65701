import assert from "node:assert/strict";
import { type Browser, chromium, type FrameLocator, type Page } from "playwright-core";
import type { Report } from "../../../src/connection/report/report.ts";
import {
  type FromRequestsPage,
  readFromRequestsPage,
  type ShownRequests,
  type ToRequestsPage,
} from "../../../src/chat/requests/requestTable.ts";
import { readFromReportPage } from "../../../src/connection/report/reportMessages.ts";
import { pageDocument } from "../../../src/editor/page/pageDocument.ts";
import { chromiumFlags, provideBrowser } from "../browser.ts";
import { inPage } from "../workbench/inPage.ts";
import { editorInterface, offline, origin, readTranslations, serveBuiltPage } from "./chatPages.ts";
import { readTheme, type ThemeName, themeScript } from "./themes.ts";

export interface ReportPageOptions {
  /** The language ID, such as `de`. */
  readonly language?: string;
  /** The page's time; by default the real one. */
  readonly now?: Date;
}

/** The built result page in a real browser, with a report. */
export interface OpenReportPage {
  readonly page: Page;
  readonly frame: FrameLocator;
  /** Changes the theme of the open page. */
  readonly wear: (theme: ThemeName) => Promise<void>;
}

/** The page of requests, with what it says to the host. */
export interface OpenRequestsPage extends OpenReportPage {
  readonly said: readonly FromRequestsPage[];
  /** Posts a message of the host. */
  readonly tell: (message: ToRequestsPage) => Promise<void>;
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

  async function openDocument(
    title: string,
    { language = "en", now }: ReportPageOptions,
    onPosted: (posted: unknown) => void,
  ) {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const document = { ...parts, language, title, source: origin };
    await serveBuiltPage(
      context,
      pageDocument(document, (name) => `/${name}`),
    );
    await context.addInitScript(themeScript(await readTheme("dark")));
    await context.addInitScript(editorInterface);
    const page = await context.newPage();
    opened.push(page);
    if (now !== undefined) await page.clock.setFixedTime(now);
    const ready = Promise.withResolvers<void>();
    await page.exposeFunction("postToHost", (posted: unknown) => {
      onPosted(posted);
      if (readFromReportPage(posted)?.type === "ready") ready.resolve();
    });
    await page.goto(origin);
    await ready.promise;
    const frame = page.frameLocator("#page");
    const wear = async (theme: ThemeName): Promise<void> => {
      await frame.locator("html").evaluate(themeScript(await readTheme(theme)));
    };
    return { page, frame, wear };
  }

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
    open: async (report: Report, options: ReportPageOptions = {}): Promise<OpenReportPage> => {
      const shown = await openDocument(report.title, options, () => undefined);
      await shown.page.evaluate(deliver, {
        type: "report",
        report,
        translations: await textsOf(options.language),
      });
      await shown.frame.getByRole("main").waitFor();
      return shown;
    },
    openRequests: async (
      requests: ShownRequests,
      options: ReportPageOptions = {},
    ): Promise<OpenRequestsPage> => {
      const said: FromRequestsPage[] = [];
      const shown = await openDocument("Requests", options, (posted) => {
        said.push(readFromRequestsPage(posted) ?? assert.fail("The host can't read what the page says."));
      });
      const tell = (message: ToRequestsPage): Promise<void> => shown.page.evaluate(deliver, message);
      await tell({ type: "requests", requests, translations: await textsOf(options.language) });
      await shown.frame.getByRole("main").waitFor();
      return { ...shown, said, tell };
    },
  };
}

async function textsOf(language = "en"): Promise<Readonly<Record<string, string>>> {
  return language === "en" ? {} : readTranslations(language);
}
