import { chromium, type BrowserContext } from "playwright-core";
import { chromiumFlags, provideBrowser } from "../browser.ts";

const loopbackHosts = ["127.0.0.1", "localhost", "*.localhost", "[::1]"];
const loopbackOnly = `--host-resolver-rules=${["MAP * ~NOTFOUND", ...loopbackHosts.map((host) => `EXCLUDE ${host}`)].join(", ")}`;

export interface BrowserSessionOptions {
  /** Folder of the browser's profile. */
  readonly profile: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The system that the editor takes the browser for being on. */
  readonly userAgent?: string;
  /**
   * 2 for 200%. What the editor's `window.zoomLevel` and a browser's own zoom do to a page: the screen of the
   * viewport's size holds fewer CSS pixels, each of more dots.
   */
  readonly zoom?: number;
  /** The editor's own motion takes a third of a test's time, and is left out where this is not true. */
  readonly motion?: boolean;
}

/** Chromium that reaches the loopback interface and nothing else. */
export async function openBrowserSession(options: BrowserSessionOptions): Promise<BrowserContext> {
  const { width, height } = options.viewport ?? { width: 1280, height: 800 };
  const zoom = options.zoom ?? 1;
  const context = await chromium.launchPersistentContext(options.profile, {
    executablePath: await provideBrowser(),
    args: [...chromiumFlags, loopbackOnly],
    viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
    deviceScaleFactor: zoom,
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-US",
    reducedMotion: options.motion === true ? "no-preference" : "reduce",
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
    // The session is closed by its owner, who also closes the editor's server behind it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // For the slowest machines: nothing is waited for that long where it comes at all.
  context.setDefaultTimeout(120_000);
  await context.addInitScript(serveSecretKey(new Uint8Array(32).fill(7)));
  return context;
}

/**
 * A script for the page, which seals its secrets with a key half of which code-server keeps; the same half
 * keeps them over reloads. Requests are not intercepted for it: the browser would cache nothing then, and
 * windows that the editor opens would hang.
 */
export function serveSecretKey(half: Uint8Array): string {
  return `{
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) =>
      String(input).endsWith("/mint-key") ? Promise.resolve(new Response(Uint8Array.from([${half.join()}]))) : fetch(input, init);
  }`;
}
