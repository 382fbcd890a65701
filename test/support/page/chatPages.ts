import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { chatPageParts, pageDocument } from "../../../src/editor/page/pageDocument.ts";
import type { ReferenceService, ReferenceServiceOptions } from "../../service/serve.ts";
import { startReferenceService } from "../../service/serve.ts";
import { fakeKey } from "../../unit/service/fixture.ts";
import { chromiumFlags, provideBrowser } from "../browser.ts";
import { outputFolder, projectRoot } from "../paths.ts";
import { ChatView } from "../workbench/chatView.ts";
import { inPage } from "../workbench/inPage.ts";
import { coverageFolder, startPageCoverage } from "./pageCoverage.ts";
import { PageHost, type PageHostOptions } from "./pageHost.ts";
import { PageWatch } from "./pageWatch.ts";
import { readTheme, type ThemeName, themeScript } from "./themes.ts";

/** Disables DNS: the page's requests are answered by the test or fail. */
export const offline = "--host-resolver-rules=MAP * ~NOTFOUND";
/** HTTPS, because the browser denies the clipboard to an insecure page. */
export const origin = "https://page.test";

export interface ChatPageOptions
  extends Omit<PageHostOptions, "origin" | "key" | "translations">, ReferenceServiceOptions {
  readonly theme?: ThemeName;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The language ID, such as `de`. */
  readonly language?: string;
  /** Whether the page may animate. False by default, which sets "reduced motion". */
  readonly motion?: boolean;
}

/** The built chat page in a real browser, with a host in plain Node and a reference service. */
export interface OpenChatPage {
  readonly page: Page;
  readonly chat: ChatView;
  readonly host: PageHost;
  readonly service: ReferenceService;
  /** Records the requests, policy violations and dialogs of the page from its start. */
  readonly watch: PageWatch;
  /** Changes the theme of the open page. */
  readonly wear: (theme: ThemeName) => Promise<void>;
  /** Saves a screenshot in the git-ignored output folder. */
  readonly screenshot: (name: string) => Promise<void>;
}

/** Opens chat pages for the tests of a `describe`. Closes each page after its test. */
export function chatPages(): { readonly open: (options?: ChatPageOptions) => Promise<OpenChatPage> } {
  let browser: Browser;
  let opened: (OpenChatPage & AsyncDisposable)[] = [];

  before(async () => {
    browser = await chromium.launch({
      executablePath: await provideBrowser(),
      args: [...chromiumFlags, offline],
    });
  });
  afterEach(async function () {
    const all = opened;
    opened = [];
    if (this.currentTest?.isFailed() === true)
      for (const each of all) await each.screenshot(`failed ${this.currentTest.title.replaceAll("/", "-")}`);
    for (const each of all) {
      await each[Symbol.asyncDispose]();
      assert.deepEqual(each.host.refused, [], "the page said what is none of the contract's");
    }
  });
  after(() => browser.close());

  return {
    open: async (options = {}) => {
      const chatPage = await openChatPage(browser, options);
      opened.push(chatPage);
      return chatPage;
    },
  };
}

async function openChatPage(
  browser: Browser,
  options: ChatPageOptions,
): Promise<OpenChatPage & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const service = started.use(await startReferenceService(options));
  const key = service.keys.add({}, fakeKey("page"));
  const { viewport = { width: 420, height: 800 }, language = "en" } = options;
  const context = await browser.newContext({
    viewport,
    reducedMotion: options.motion === true ? "no-preference" : "reduce",
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  started.defer(() => context.close());
  // In ms, for the slowest machines. Normally nothing takes nearly as long.
  context.setDefaultTimeout(120_000);
  await serveBuiltPage(
    context,
    pageDocument(
      { ...chatPageParts, language, title: "Inference Chat", source: origin },
      (name) => `/${name}`,
    ),
  );
  await context.addInitScript(themeScript(await readTheme(options.theme ?? "dark"), options.motion));
  await context.addInitScript(editorInterface);
  const page = await context.newPage();
  const watch = new PageWatch(page);
  if (coverageFolder() !== undefined) started.use(await startPageCoverage(page, origin));
  const translations = language === "en" ? {} : await readTranslations(language);
  const host = new PageHost(
    { ...options, origin: service.origin, key, translations },
    inOrder((message) => page.evaluate(deliver, message)),
  );
  started.defer(() => host.dispose());
  await page.exposeFunction("postToHost", (posted: unknown) => host.receive(posted));
  await page.goto(origin);
  const chat = new ChatView(page, "view", page.frameLocator("#page"));
  await chat.frame.locator("textarea").waitFor();
  host.post({ type: "focus-composer" });
  await chat.frame.locator("textarea:focus").waitFor();
  const owned = started.move();
  return {
    page,
    chat,
    host,
    service,
    watch,
    wear: async (theme) => {
      await chat.frame.locator("html").evaluate(themeScript(await readTheme(theme), options.motion));
    },
    screenshot: async (name) => {
      const folder = path.join(outputFolder, "screenshots");
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: path.join(folder, `${name}.png`) });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Delivers messages in order: parallel calls to the browser could overtake each other. Drops messages to a closed page.
 */
function inOrder<Message>(deliverOne: (message: Message) => Promise<unknown>): (message: Message) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (message) => {
    last = last.then(() => deliverOne(message)).catch(() => undefined);
  };
}

const deliver = inPage<void>(
  `(message) => document.querySelector("#page").contentWindow.postMessage(message, "*")`,
);

/** The interface that VS Code gives to a page. The page's state survives a reload. */
export const editorInterface = `globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => void postToHost(message),
  setState: (state) => sessionStorage.setItem("state", JSON.stringify(state)),
  getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
});`;

/** Serves the page's origin: a window, this HTML inside it, and the built files. */
export async function serveBuiltPage(context: BrowserContext, page: string): Promise<void> {
  await context.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const html = pathname === "/" ? windowHtml : pathname === "/page" ? page : undefined;
    if (html !== undefined) await route.fulfill({ contentType: "text/html", body: html });
    else await route.fulfill({ path: path.join(projectRoot, "dist", "webview", path.normalize(pathname)) });
  });
}

export async function readTranslations(language: string): Promise<Readonly<Record<string, string>>> {
  const file = path.join(projectRoot, "l10n", `bundle.l10n.${language}.json`);
  return JSON.parse(await readFile(file, "utf8"));
}

/** The window around the page, with elements before and after it that can have the focus. */
const windowHtml = `<!DOCTYPE html>
<style>
  body { margin: 0; display: flex; flex-direction: column; block-size: 100vh; }
  button { block-size: 0; padding: 0; border: 0; overflow: hidden; }
  iframe { flex: 1; border: 0; }
</style>
<button>Before the page</button><iframe id="page" src="/page"></iframe><button>Behind the page</button>`;
