import * as vscode from "vscode";
import {
  type AddressCheck,
  isMetadataAddress,
  isMetadataHost,
  isPrivateHost,
  WebsiteError,
  type WebsiteProblem,
} from "../../client/transport/websiteAddress.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { wholeStart } from "../../text/cutText.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { type CleanText, readUrlWithoutKey, readWebsite, type WebsitePage } from "../service/website.ts";
import { withDelayedProgress } from "../shared/delayedProgress.ts";
import { confirmWebsite, type WebsiteNetwork } from "./consent.ts";
import { attached, type Gathered, nothing, refused } from "./gathered.ts";
import { createTextAttachment } from "./textAttachment.ts";

/** UTF-16 units of a title in a name. */
const maxTitleLength = 100;

/** How a URL is reached. */
interface Visit {
  /** The connection of the next question. Undefined if there is none. */
  readonly receiver: Connection | undefined;
  /** The URL that redirects here. Undefined for the user's own. */
  readonly from?: URL | undefined;
  readonly redirects: number;
}

/** Reads pages that the user attaches. Asks before the first request to each host. */
export class WebsiteContext {
  readonly #clean: CleanText;
  readonly #isPublic: AddressCheck;
  /** Origins that the user has allowed in this window: as public ones, and as private ones. */
  readonly #allowed: Readonly<Record<WebsiteNetwork, Set<string>>> = {
    public: new Set(),
    private: new Set(),
  };

  /** @param isPublic tells public IP addresses from those of this machine and private networks */
  constructor(clean: CleanText, isPublic: AddressCheck) {
    this.#clean = clean;
    this.#isPublic = isPublic;
  }

  /** @param receiver the connection of the next question */
  gather(url: string, receiver: Connection | undefined): Promise<Gathered> {
    return this.#visit(url, { receiver, redirects: 0 });
  }

  async #visit(given: string, visit: Visit): Promise<Gathered> {
    const { receiver, from } = visit;
    let url: URL | undefined;
    try {
      url = await readUrlWithoutKey(given, this.#clean);
      const page = await this.#read(url, visit);
      return page === undefined ? nothing : gatherPage(page);
    } catch (error) {
      if (!(error instanceof WebsiteError)) throw error;
      const { problem } = error;
      if (problem.type === "redirect")
        return this.#visit(problem.target, { receiver, from: url, redirects: problem.count });
      return refused(problemText(problem, url ?? from));
    }
  }

  /** Undefined if the user declines or cancels. */
  async #read(url: URL, visit: Visit): Promise<WebsitePage | undefined> {
    if (isMetadataHost(url)) throw new WebsiteError({ type: "private-address" });
    const isPrivate = isPrivateHost(url, this.#isPublic) || this.#allowed.private.has(url.origin);
    const network = isPrivate ? "private" : "public";
    if (!(await this.#mayRead(url, network, visit))) return undefined;
    try {
      return await this.#request(url, network, visit);
    } catch (error) {
      if (isPrivate || !canBeAllowed(error)) throw error;
    }
    // The name leads to a private network, which only the lookup has shown. Nothing is connected yet.
    return (await this.#mayRead(url, "private", visit)) ? this.#request(url, "private", visit) : undefined;
  }

  /** Asks, unless the user has allowed the origin before. */
  async #mayRead(url: URL, network: WebsiteNetwork, { from, receiver }: Visit): Promise<boolean> {
    const allowed = this.#allowed[network];
    if (allowed.has(url.origin)) return true;
    if (!(await confirmWebsite({ url, network, from, receiver }))) return false;
    allowed.add(url.origin);
    return true;
  }

  /** Undefined if the user cancels. */
  #request(url: URL, network: WebsiteNetwork, { redirects }: Visit): Promise<WebsitePage | undefined> {
    const mayConnectTo: AddressCheck =
      network === "private" ? (address) => !isMetadataAddress(address) : this.#isPublic;
    const reach = { mayConnectTo, trustsProxy: true };
    const clean = this.#clean;
    return withDelayedProgress(vscode.l10n.t("Reading {0}", url.host), (signal) =>
      readWebsite(url, { reach, clean, purpose: "attachment", signal, redirects }),
    );
  }
}

/** Whether a name has turned out to lead to a private network, other than a metadata service. */
function canBeAllowed(error: unknown): boolean {
  if (!(error instanceof WebsiteError) || error.problem.type !== "private-address") return false;
  const { resolved } = error.problem;
  return resolved === undefined || !isMetadataAddress(resolved);
}

function gatherPage({ url, title, text, cut }: WebsitePage): Gathered {
  const host = URL.parse(url)?.host ?? url;
  if (text.trim() === "") {
    return refused(
      vscode.l10n.t(
        "The page at {0} has no text unless its scripts run, and Inference Chat runs no scripts. Open the page in a browser and paste its text.",
        host,
      ),
    );
  }
  const shown = wholeStart(showInvisible(title), maxTitleLength);
  const page = createTextAttachment({
    kind: "website",
    name: shown === "" ? host : `${shown} (${host})`,
    text: cut === undefined ? text : `${text}\n\n${cut.note}`,
    detail: url,
  });
  return attached(cut === undefined ? page : { ...page, trimmedFrom: cut.characters });
}

/** @param url undefined if the user's own URL can't be read */
function problemText(problem: WebsiteProblem, url: URL | undefined): string {
  const { t } = vscode.l10n;
  const { host = "", hostname = "" } = url ?? {};
  switch (problem.type) {
    case "address":
      return url === undefined
        ? wholeUrlText()
        : t(
            "{0} redirects to a URL that can't be read. Open the page in a browser and paste its text.",
            host,
          );
    case "key":
      return t(
        "The URL contains an API key, so nothing was requested. Remove the key from the URL, and try again.",
      );
    case "private-address":
      return t(
        "{0} can be a cloud's metadata service, which gives out credentials. Its pages are never attached.",
        host,
      );
    case "redirect":
    case "redirects":
      return t(
        "{0} redirects too often. Open the page in a browser and attach the URL that the browser shows then.",
        host,
      );
    case "status":
      return statusText(problem.status, host);
    case "timeout":
      return t(
        "{0} didn't send the whole page within {1} seconds. Try again, or open the page in a browser and paste its text.",
        host,
        problem.seconds,
      );
    case "connection":
      return connectionText(problem, host, hostname);
    case "not-text":
      return mediaTypeText(problem.mediaType, host);
  }
}

/** Says what is accepted as a URL. */
export function wholeUrlText(): string {
  return vscode.l10n.t(
    "Enter a whole URL that starts with https:// or http://, without a user name and password.",
  );
}

function statusText(status: number, host: string): string {
  const { t } = vscode.l10n;
  if (status === 401 || status === 403 || status === 407) {
    return t(
      "{0} refused access (HTTP {1}). If the page needs a login, open the page in a browser and paste its text.",
      host,
      status,
    );
  }
  if (status === 404 || status === 410)
    return t("{0} has no page at this URL (HTTP {1}). Check the URL.", host, status);
  if (status === 429 || status >= 500)
    return t("{0} can't send the page at the moment (HTTP {1}). Try again later.", host, status);
  return t(
    "{0} didn't send a page (HTTP {1}). Check the URL, or open the page in a browser and paste its text.",
    host,
    status,
  );
}

function connectionText(
  { failure, code }: Extract<WebsiteProblem, { type: "connection" }>,
  host: string,
  hostname: string,
): string {
  const { t } = vscode.l10n;
  if (/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/.test(code))
    return t("The name {0} wasn't found ({1}). Check the URL and your network.", hostname, code);
  switch (failure) {
    case "tls":
      return t(
        "The encrypted connection to {0} failed ({1}). Check whether the system trusts its certificate.",
        host,
        code,
      );
    case "proxy":
      return t("The proxy didn't connect to {0} ({1}). Check the setting http.proxy.", host, code);
    default:
      return t("{0} can't be reached ({1}). Check the URL and your network.", host, code);
  }
}

function mediaTypeText(mediaType: string, host: string): string {
  const { t } = vscode.l10n;
  if (mediaType === "application/pdf")
    return t("{0} sent a PDF file. Save the file on your computer, and attach it from there.", host);
  return mediaType === ""
    ? t("{0} sent data that isn't text. Attach a page, or a text file such as Markdown or JSON.", host)
    : t(
        "{0} sent {1}, which isn't text. Attach a page, or a text file such as Markdown or JSON.",
        host,
        mediaType,
      );
}
