import {
  type AddressCheck,
  isPublicAddress,
  requireReachable,
  WebsiteError,
  type WebsiteProblem,
} from "../../client/transport/websiteAddress.ts";
import type { CallResult } from "../../chat/transcript/steps.ts";
import { wholeStart } from "../../text/cutText.ts";
import { readNetworkSettings } from "../service/networkSettings.ts";
import { readUrlWithoutKey, readWebsite, type WebsitePage } from "../service/website.ts";
import { type AgentRun, type AgentTool, defineTool, done, requireAllowed, ToolError } from "./agentTool.ts";

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
        return await fetchUrl(given, run, mayConnectTo);
      } catch (error) {
        run.signal.throwIfAborted();
        throw error instanceof WebsiteError ? new ToolError(problemText(error.problem)) : error;
      }
    },
  });
}

export const fetchUrlTool = createFetchUrlTool(isPublicAddress);

async function fetchUrl(given: string, run: AgentRun, mayConnectTo: AddressCheck): Promise<CallResult> {
  const { clean, signal } = run;
  const reach = { mayConnectTo };
  const url = await readUrlWithoutKey(given, clean);
  // No name is looked up before the user allows it, because the lookup tells others the name.
  requireReachable(url, readNetworkSettings(), reach);
  await requireHost(url, run);
  const page = await readWebsite(url, { reach, clean, purpose: "fetch_url", signal });
  return resultOf(page, url);
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

function resultOf({ url, title, text, cut }: WebsitePage, asked: URL): CallResult {
  const head = [
    ...(url === asked.href ? [] : [`Read from: ${url}`]),
    ...(title === "" ? [] : [`Title: ${title}`]),
  ];
  const parts = [
    head.join("\n"),
    text.trim() === "" ? "(The page has no text. It may need scripts, which are not run.)" : text,
    cut?.note ?? "",
  ];
  const whole = parts.filter((part) => part !== "").join("\n\n");
  return done(whole, cut === undefined ? undefined : { isCut: true });
}

function unreadableText(mediaType: string): string {
  const what = mediaType === "" ? "something that is not text" : `${mediaType}, which is not text`;
  return `The website sent ${what}. Only HTML, plain text, Markdown, JSON and other text formats can be read.`;
}

/** UTF-16 units of a redirect's target that are named. */
const maxTargetLength = 500;

function problemText(problem: WebsiteProblem): string {
  switch (problem.type) {
    case "key":
      return "The URL holds an API key. Nothing was requested.";
    case "address":
      return "The URL cannot be read. It must be a whole http or https URL without a name or password. Nothing was requested.";
    case "private-address":
      return "The host is on this machine or in a private network, or its name is not for the internet. Only public websites can be read. Nothing was read.";
    case "redirect":
      return `The website redirects to ${wholeStart(problem.target, maxTargetLength)}. Redirects to another host, or from https to http, are not followed. If you need that page, call fetch_url with that URL; the user is asked for its host.`;
    case "redirects":
      return `The website redirects more than ${problem.count} times. Nothing was read.`;
    case "status":
      return `The website answered with the HTTP status ${problem.status}. Nothing was read.`;
    case "timeout":
      return `The website did not answer completely within ${problem.seconds} seconds. Nothing was read.`;
    case "connection":
      return `The website could not be reached or read (${problem.code}).`;
    case "not-text":
      return unreadableText(problem.mediaType);
  }
}
