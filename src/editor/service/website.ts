import * as vscode from "vscode";
import { readWebsiteUrl, WebsiteError, type WebsiteReach } from "../../client/transport/websiteAddress.ts";
import { extensionId } from "../../contributions.ts";
import { wholeStart } from "../../text/cutText.ts";
import { decodePercents } from "../../text/escapes.ts";
import { readNetworkSettings } from "./networkSettings.ts";

/** UTF-16 units of a text for the model. */
const maxTextLength = 20_000;
/** UTF-16 units of a title. */
const maxTitleLength = 500;

/** Takes stored keys out of a text. */
export type CleanText = (text: string) => Promise<string>;

interface WebsiteVisit {
  readonly reach: WebsiteReach;
  readonly clean: CleanText;
  /** The reader of the page, as the user agent names it. */
  readonly purpose: "fetch_url" | "attachment";
  readonly signal: AbortSignal;
  /** Redirects that led to the URL. They count towards the limit. */
  readonly redirects?: number;
}

/** A page or text file, without stored keys. */
export interface WebsitePage {
  /** After redirects. */
  readonly url: string;
  /** Empty if the page has none. */
  readonly title: string;
  /** Only white space if the page has no text without its scripts. */
  readonly text: string;
  /** Absent if the text is whole. */
  readonly cut?: {
    /** Tells the model. */
    readonly note: string;
    /** UTF-16 units of the whole text, as far as it was read. */
    readonly characters: number;
  };
}

/**
 * Reads a URL that a user or a model has written. Looks for stored keys in it, as they are and with escapes.
 *
 * @throws WebsiteError
 */
export async function readUrlWithoutKey(given: string, clean: CleanText): Promise<URL> {
  const url = readWebsiteUrl(given);
  for (const form of [url.href, decodePercents(url.href)])
    if ((await clean(form)) !== form) throw new WebsiteError({ type: "key" });
  return url;
}

/**
 * Reads a page for the model or as an attachment. The caller has asked the user for its host.
 * @throws WebsiteError; the reason of the signal if it aborts
 */
export async function readWebsite(url: URL, visit: WebsiteVisit): Promise<WebsitePage> {
  const { reach, clean, purpose, signal, redirects = 0 } = visit;
  // The transport and the parser are large, and few answers and questions need them.
  const [{ requestWebsite }, { readWebsiteText }] = await Promise.all([
    import("../../client/transport/websiteRequest.ts"),
    import("../../text/websiteText.ts"),
  ]);
  const settings = readNetworkSettings();
  const body = await requestWebsite(url, {
    settings,
    userAgent: userAgent(purpose),
    reach,
    signal,
    redirects,
  });
  const page = readWebsiteText(body);
  if (page.kind === "unreadable") throw new WebsiteError({ type: "not-text", mediaType: page.mediaType });
  // A key that a cut splits would not be found.
  const whole = await clean(page.text);
  const text = wholeStart(whole, maxTextLength);
  const isOpenEnded = page.isCut || body.isCut;
  const said = {
    url: await clean(body.url),
    title: wholeStart(await clean(page.title), maxTitleLength),
    text,
  };
  if (!isOpenEnded && text.length === whole.length) return said;
  const size = `${isOpenEnded ? "more than " : ""}${whole.length}`;
  const note = `(Cut: the text has ${size} characters, and the first ${text.length} are shown.)`;
  return { ...said, cut: { note, characters: whole.length } };
}

/** Names the product and its version, and nothing of the user. */
function userAgent(purpose: string): string {
  const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
  const version: unknown =
    typeof manifest === "object" && manifest !== null && Reflect.get(manifest, "version");
  return `inference-chat/${typeof version === "string" ? version : "0"} (${purpose})`;
}
