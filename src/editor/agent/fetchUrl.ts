import * as vscode from "vscode";
import {
  type AddressCheck,
  isPublicAddress,
  readWebsiteUrl,
  requireReachable,
  WebsiteError,
  type WebsiteProblem,
} from "../../client/transport/websiteAddress.ts";
import { extensionId } from "../../contributions.ts";
import type { CallResult } from "../../chat/transcript/steps.ts";
import { wholeStart } from "../../text/cutText.ts";
import { decodePercents } from "../../text/escapes.ts";
import type { WebsiteText } from "../../text/websiteText.ts";
import { readNetworkSettings } from "../service/networkSettings.ts";
import { type AgentRun, type AgentTool, defineTool, done, requireAllowed, ToolError } from "./agentTool.ts";

/** UTF-16 units of a text for the model. */
const maxTextLength = 20_000;

export function createFetchUrlTool(mayConnectTo: AddressCheck): AgentTool {
  return defineTool({
    name: "fetch_url",
    description:
      "Reads one page or text file of the public web by GET, without cookies or logins, and returns its text: headings, lists, tables, code and links, at most 20,000 characters. The user is asked for each host. Redirects to another host are not followed. Do not put anything private into the URL.",
    parameters: {
      url: { type: "string", description: "A whole http or https URL.", aliases: ["uri", "href", "address"] },
    },
    run: async ({ url: given }, run) => {
      try {
        return await readWebsite(given, run, mayConnectTo);
      } catch (error) {
        run.signal.throwIfAborted();
        throw error instanceof WebsiteError ? new ToolError(problemText(error.problem)) : error;
      }
    },
  });
}

export const fetchUrlTool = createFetchUrlTool(isPublicAddress);

async function readWebsite(given: string, run: AgentRun, mayConnectTo: AddressCheck): Promise<CallResult> {
  const url = readWebsiteUrl(given);
  if (await holdsKey(url, run)) throw new ToolError("The URL holds an API key. Nothing was requested.");
  const settings = readNetworkSettings();
  // No name is looked up before the user allows it, because the lookup tells others the name.
  requireReachable(url, { settings, mayConnectTo });
  await requireHost(url, run);
  // The transport and the parser are large, and few answers need them.
  const [{ requestWebsite }, { readWebsiteText }] = await Promise.all([
    import("../../client/transport/websiteRequest.ts"),
    import("../../text/websiteText.ts"),
  ]);
  const body = await requestWebsite(url, {
    settings,
    userAgent: userAgent(),
    mayConnectTo,
    signal: run.signal,
  });
  const page = readWebsiteText(body);
  if (page.kind === "unreadable") throw new ToolError(unreadableText(page.mediaType));
  const isCut = page.isCut || body.isCut;
  const source = body.url === url.href ? [] : [`Read from: ${body.url}`];
  return textOf(source, { ...page, isCut }, run);
}

/** Whether the URL holds a stored key, as it is or with escapes. */
async function holdsKey({ href }: URL, { clean }: AgentRun): Promise<boolean> {
  for (const form of [href, decodePercents(href)]) if ((await clean(form)) !== form) return true;
  return false;
}

/**
 * Asks for the host unless it is allowed for this answer. From then on the answer counts as one with content from
 * outside, whatever comes.
 * @throws DeniedError
 */
async function requireHost({ href, host }: URL, { ask, allowed }: AgentRun): Promise<void> {
  if (!allowed.allowsHost(host)) {
    const asksAgain = allowed.hasAllowedHost(host);
    const scope = await requireAllowed(ask({ type: "website", url: href, host, asksAgain }));
    if (scope === "answer") allowed.allowHost(host);
  }
  allowed.noteOutsideContent(host);
}

async function textOf(
  source: readonly string[],
  page: WebsiteText,
  { clean }: AgentRun,
): Promise<CallResult> {
  // A key that the cut splits would not be found.
  const title = wholeStart(await clean(page.title), 500);
  const whole = await clean(page.text);
  const text = wholeStart(whole, maxTextLength);
  const isCut = page.isCut || text.length < whole.length;
  const size = `${page.isCut ? "more than " : ""}${whole.length}`;
  const parts = [
    [...source, ...(title === "" ? [] : [`Title: ${title}`])].join("\n"),
    text.trim() === "" ? "(The page has no text. It may need scripts, which are not run.)" : text,
    isCut ? `(Cut: the text has ${size} characters, and the first ${text.length} are shown.)` : "",
  ];
  return done(parts.filter((part) => part !== "").join("\n\n"), isCut ? { isCut } : undefined);
}

/** Names the product and its version, and nothing of the user. */
function userAgent(): string {
  const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
  const version: unknown =
    typeof manifest === "object" && manifest !== null && Reflect.get(manifest, "version");
  return `inference-chat/${typeof version === "string" ? version : "0"} (fetch_url)`;
}

function unreadableText(mediaType: string): string {
  const what = mediaType === "" ? "something that is not text" : `${mediaType}, which is not text`;
  return `The website sent ${what}. Only HTML, plain text, Markdown, JSON and other text formats can be read.`;
}

function problemText(problem: WebsiteProblem): string {
  switch (problem.type) {
    case "address":
      return "The URL cannot be read. It must be a whole http or https URL without a name or password. Nothing was requested.";
    case "private-address":
      return "The host is on this machine or in a private network, or its name is not for the internet. Only public websites can be read. Nothing was read.";
    case "redirect":
      return `The website redirects to ${problem.target}. Redirects to another host, or from https to http, are not followed. If you need that page, call fetch_url with that URL; the user is asked for its host.`;
    case "redirects":
      return `The website redirects more than ${problem.count} times. Nothing was read.`;
    case "status":
      return `The website answered with the HTTP status ${problem.status}. Nothing was read.`;
    case "timeout":
      return `The website did not answer completely within ${problem.seconds} seconds. Nothing was read.`;
    case "connection":
      return `The website could not be reached or read (${problem.code}).`;
  }
}
