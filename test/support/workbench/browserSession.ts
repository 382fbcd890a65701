import { chromium, type BrowserContext } from "playwright-core";
import { chromiumFlags, provideBrowser } from "../browser.ts";

const loopbackHosts = ["127.0.0.1", "localhost", "*.localhost", "[::1]"];
const loopbackOnly = `--host-resolver-rules=${["MAP * ~NOTFOUND", ...loopbackHosts.map((host) => `EXCLUDE ${host}`)].join(", ")}`;

/** Gives each site its own process, as in a browser with a window; the headless shell does not by itself. */
const sitesApart = "--site-per-process";

export interface BrowserSessionOptions {
  /** Folder of the browser's profile. */
  readonly profile: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** User agent from which VS Code detects the operating system. */
  readonly userAgent?: string;
  /**
   * 2 for 200%. Works like the editor's `window.zoomLevel` and a browser's own zoom: a viewport of the same size
   * has fewer CSS pixels, each with more device pixels.
   */
  readonly zoom?: number;
  /** Whether the editor animates; false by default, because animations take a third of a test's time. */
  readonly motion?: boolean;
}

/** Opens Chromium with access to the loopback interface only. */
export async function openBrowserSession(options: BrowserSessionOptions): Promise<BrowserContext> {
  const { width, height } = options.viewport ?? { width: 1280, height: 800 };
  const zoom = options.zoom ?? 1;
  const context = await chromium.launchPersistentContext(options.profile, {
    executablePath: await provideBrowser(),
    args: [...chromiumFlags, loopbackOnly, sitesApart],
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-US",
    reducedMotion: options.motion === true ? "no-preference" : "reduce",
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
    // Signals do not close the browser: the owner closes the session first, and then the editor's server.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // For the slowest machines: if something appears at all, it appears sooner.
  context.setDefaultTimeout(120_000);
  await context.addInitScript(serveSecretKey(new Uint8Array(32).fill(7)));
  return context;
}

/**
 * Returns a script for the page that supplies one half of its encryption key for secrets, like code-server would. A
 * fixed half preserves the secrets over reloads. Request interception could do this too, but it turns off the
 * browser's cache and makes windows of the editor hang.
 */
export function serveSecretKey(half: Uint8Array): string {
  return `{
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) =>
      String(input).endsWith("/mint-key") ? Promise.resolve(new Response(Uint8Array.from([${half.join()}]))) : fetch(input, init);
  }`;
}
