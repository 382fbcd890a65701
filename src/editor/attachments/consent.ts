import * as vscode from "vscode";
import { isLoopback } from "../../client/http/address.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { wholeStart } from "../../text/cutText.ts";
import { showWarning } from "../shared/notices.ts";
import { quotePattern } from "../files/faultyExcludes.ts";

/** Maximum number of paths that a dialog lists. Its message states the total. */
const maxListed = 10;

/** Asks before attaching files that usually hold keys or passwords. */
export function confirmSensitiveFiles(paths: readonly string[]): Promise<boolean> {
  const [first = ""] = paths;
  const message =
    paths.length === 1
      ? vscode.l10n.t("'{0}' might contain keys or passwords. Attach it to the chat?", first)
      : vscode.l10n.t("{0} files might contain keys or passwords. Attach them to the chat?", paths.length);
  return confirmAttach(message, paths.length === 1 ? [] : paths.slice(0, maxListed));
}

/** Asks before attaching files outside the workspace. */
export function confirmOutsideFiles(names: readonly string[]): Promise<boolean> {
  const [first = ""] = names;
  const message =
    names.length === 1
      ? vscode.l10n.t("'{0}' is outside this workspace. Attach it to the chat?", first)
      : vscode.l10n.t("{0} files are outside this workspace. Attach them to the chat?", names.length);
  return confirmAttach(message, names.length === 1 ? [] : names.slice(0, maxListed));
}

/** Asks before attaching files that an unreadable exclude pattern might match. */
export function confirmFaultyPattern(paths: readonly string[], pattern: string): Promise<boolean> {
  const [first = ""] = paths;
  const quoted = quotePattern(pattern);
  const message =
    paths.length === 1
      ? vscode.l10n.t(
          "'{0}' might match the exclude pattern '{1}', which can't be read. Attach the file to the chat?",
          first,
          quoted,
        )
      : vscode.l10n.t(
          "{0} files might match the exclude pattern '{1}', which can't be read. Attach the files to the chat?",
          paths.length,
          quoted,
        );
  return confirmAttach(message, paths.length === 1 ? [] : paths.slice(0, maxListed));
}

/** Asks before the text of a file that usually holds keys or passwords is sent at once. */
export function confirmSendingSensitive(path: string): Promise<boolean> {
  return confirmSend(vscode.l10n.t("'{0}' might contain keys or passwords. Send text of this file?", path));
}

/** Asks before the text of a file that an unreadable exclude pattern might match is sent at once. */
export function confirmSendingFaulty(path: string, pattern: string): Promise<boolean> {
  return confirmSend(
    vscode.l10n.t(
      "'{0}' might match the exclude pattern '{1}', which can't be read. Send text of this file?",
      path,
      quotePattern(pattern),
    ),
  );
}

/** Asks before attaching an image if it is unknown whether the model accepts images. */
export function confirmImage(model: string): Promise<boolean> {
  return confirmAttach(
    vscode.l10n.t("It's unknown whether '{0}' accepts images. Attach this image anyway?", model),
    [],
  );
}

/** Whether a host is on the internet, or on this machine or in a private network. */
export type WebsiteNetwork = "public" | "private";

interface WebsiteQuestion {
  readonly url: URL;
  readonly network: WebsiteNetwork;
  /** The URL that redirects to this one. */
  readonly from: URL | undefined;
  /** The connection of the next question. */
  readonly receiver: Connection | undefined;
}

/** UTF-16 units of a URL in a dialog. */
const maxUrlLength = 300;

/** Asks before anything is requested from a host, and says what the host and the service get. */
export async function confirmWebsite(question: WebsiteQuestion): Promise<boolean> {
  const { t } = vscode.l10n;
  const { url, network, from, receiver } = question;
  const { host, href } = url;
  const isElsewhere = from !== undefined && from.host !== host;
  const detail = [
    href.length <= maxUrlLength ? href : `${wholeStart(href, maxUrlLength)}…`,
    ...(isElsewhere && network === "private" ? [t("{0} redirects to this URL.", from.host)] : []),
    t(
      "{0} gets this URL and the IP address of the machine that runs Inference Chat. It gets no key, no cookies, and nothing from the chat.",
      host,
    ),
    ...(url.protocol === "http:" && !isLoopback(url.hostname)
      ? [t("Not encrypted: others can read and change the page on its way.")]
      : []),
    network === "private" ? textGoesTo(receiver) : sentLater(),
    t("You aren't asked about this host again until you reload the window."),
  ].join("\n");
  const message =
    network === "private"
      ? t("{0} isn't a public website. Attach its page?", host)
      : publicQuestion(host, isElsewhere ? from.host : undefined);
  const attach = t("Attach Page");
  return (await showWarning(message, { modal: true, detail }, attach)) === attach;
}

function publicQuestion(host: string, redirectsFrom: string | undefined): string {
  return redirectsFrom === undefined
    ? vscode.l10n.t("Attach this page from {0}?", host)
    : vscode.l10n.t("{0} redirects to another host. Attach the page from {1}?", redirectsFrom, host);
}

function textGoesTo(receiver: Connection | undefined): string {
  return receiver?.address.kind === "address"
    ? vscode.l10n.t(
        "With your next question, the text of the page is sent to '{0}' ({1}).",
        receiver.name,
        new URL(receiver.address.address.origin).host,
      )
    : sentLater();
}

function sentLater(): string {
  return vscode.l10n.t("Attachments are sent to the service with your next question.");
}

async function confirmAttach(message: string, paths: readonly string[]): Promise<boolean> {
  const attach = vscode.l10n.t("Attach");
  const detail = [...paths, sentLater()].join("\n");
  return (await showWarning(message, { modal: true, detail }, attach)) === attach;
}

async function confirmSend(message: string): Promise<boolean> {
  const send = vscode.l10n.t("Send");
  const detail = vscode.l10n.t("The text is sent to the service with this request.");
  return (await showWarning(message, { modal: true, detail }, send)) === send;
}
