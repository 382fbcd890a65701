import * as vscode from "vscode";
import { KeySeal } from "../../client/key/keySeal.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import {
  type LinkProblem,
  type ProposedConnection,
  readConnectLink,
} from "../../connection/setup/connectLink.ts";
import { withoutExposedKeys } from "../../connection/exposedKeys/exposedKeys.ts";
import { commandIds } from "../../contributions.ts";
import { ConnectionEditing } from "./connectionEditing.ts";
import type { ConnectionNeeds } from "./registerConnections.ts";
import type { SealedKey } from "../key/storedKeys.ts";
import { namesInSettings } from "../workspace/connectionEntries.ts";
import { reportError, showError, showInformation, showWarning } from "../shared/notices.ts";
import {
  describeEncodedHost,
  type NewConnection,
  pickClientStyle,
  promptForKey,
  promptForName,
} from "./connectionInputs.ts";
import type { SearchedKeys } from "../service/searchedKeys.ts";
import { showConnectionAdded } from "./connectionNotices.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

export interface ConnectLinksOptions {
  readonly connections: WorkspaceConnections;
  readonly editing: ConnectionEditing;
  readonly searchedKeys: SearchedKeys;
}

/**
 * Creates a handler for links that VS Code passes on. The handler reports errors itself, because VS Code ignores them.
 */
export function linkOpener({ connections, keys, searchedKeys }: ConnectionNeeds): (uri: vscode.Uri) => void {
  const editing = new ConnectionEditing(connections, keys);
  const links = new ConnectLinks({ connections, editing, searchedKeys });
  return (uri) => reportError(links.open(uri));
}

/** Opens links that propose a connection. Adds nothing before the user has seen the host and agreed. */
export class ConnectLinks {
  readonly #options: ConnectLinksOptions;
  #isOpening = false;

  constructor(options: ConnectLinksOptions) {
    this.#options = options;
  }

  async open(uri: vscode.Uri): Promise<void> {
    // A web page can open any number of links. Handle only one at a time.
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      await this.#open(uri);
    } finally {
      this.#isOpening = false;
    }
  }

  async #open({ path, query, fragment }: vscode.Uri): Promise<void> {
    const stored = withoutExposedKeys(
      [path, query, fragment].join("\n"),
      await this.#options.searchedKeys.list(),
    );
    const reading =
      stored.connectionNames.length > 0
        ? ({ kind: "problem", problem: "key" } as const)
        : readConnectLink({ path, query, fragment });
    // Do not wait until the user closes the notice, because that would block the next link.
    if (reading.kind === "problem") reportError(showLinkProblem(reading.problem));
    else await this.#propose(reading.proposal);
  }

  async #propose(proposal: ProposedConnection): Promise<void> {
    // Includes the names of invalid entries.
    const isTaken = namesInSettings().includes(proposal.name);
    const name = isTaken ? await this.#confirmBeside(proposal) : await this.#confirmNew(proposal);
    if (name === undefined) return;
    const { address } = proposal;
    const title = vscode.l10n.t("Add Connection");
    const clientStyle = proposal.clientStyle ?? (await pickClientStyle(title, address));
    if (clientStyle === undefined) return;
    const key = await promptForKey(title, name, KeySeal.of(address));
    reportError(this.#add({ name, address, clientStyle }, key));
  }

  async #add(connection: NewConnection, key: SealedKey | undefined): Promise<void> {
    const added = await this.#options.editing.addAs(connection, key);
    if (added !== undefined) await showConnectionAdded(added);
  }

  async #confirmNew(proposal: ProposedConnection): Promise<string | undefined> {
    const add = vscode.l10n.t("Add Connection");
    const chosen = await showWarning(
      vscode.l10n.t("A link wants to add the connection '{0}'.", proposal.name),
      { modal: true, detail: detailOf(proposal) },
      add,
    );
    return chosen === add ? proposal.name : undefined;
  }

  /** A link never changes an existing connection. The user can add the proposed connection under another name. */
  async #confirmBeside(proposal: ProposedConnection): Promise<string | undefined> {
    const existing = this.#options.connections.named(proposal.name);
    const place = existing === undefined ? undefined : leadsTo(existing);
    if (existing !== undefined && place === proposal.address.base) {
      reportError(this.#offerExisting(existing));
      return undefined;
    }
    const other = vscode.l10n.t("Add with Another Name...");
    const chosen = await showWarning(
      vscode.l10n.t(
        "A link wants to add a connection named '{0}', but you already have one with that name.",
        proposal.name,
      ),
      {
        modal: true,
        detail: [
          vscode.l10n.t("Your existing connection uses: {0}", place ?? vscode.l10n.t("an invalid URL")),
          detailOf(proposal),
          vscode.l10n.t("Your existing connection and its key are not changed."),
        ].join("\n\n"),
      },
      other,
    );
    if (chosen !== other) return undefined;
    return promptForName(vscode.l10n.t("Add Connection"), { used: namesInSettings() });
  }

  async #offerExisting(existing: Connection): Promise<void> {
    const { connections } = this.#options;
    const isUsed = connections.current?.name === existing.name;
    const use = vscode.l10n.t("Use in This Workspace");
    const setKey = vscode.l10n.t("Set API Key...");
    const chosen = await showInformation(
      vscode.l10n.t("You already have the connection '{0}' from this link.", existing.name),
      isUsed ? setKey : use,
    );
    if (chosen === use) await connections.use(existing);
    if (chosen === setKey) await vscode.commands.executeCommand(commandIds.setApiKey, existing.name);
  }
}

function leadsTo({ address }: Connection): string | undefined {
  return address.kind === "address" ? address.address.base : undefined;
}

/** Shows the host in its ASCII form, because letters of other scripts can look alike. */
function detailOf({ address, clientStyle }: ProposedConnection): string {
  return [
    vscode.l10n.t("Host: {0}", address.base),
    ...(clientStyle === undefined ? [] : [vscode.l10n.t("Client style: {0}", clientStyle)]),
    ...describeEncodedHost(address),
    "",
    vscode.l10n.t(
      "Everything you ask and the key you enter next will be sent to this host. Add this connection only if you know the host and expected this link.",
    ),
  ].join("\n");
}

async function showLinkProblem(problem: LinkProblem): Promise<void> {
  await showError([describe(problem), vscode.l10n.t("No connection was added.")].join(" "));
}

function describe(problem: LinkProblem): string {
  const { t } = vscode.l10n;
  switch (problem) {
    case "key":
      return t(
        "The link was ignored because it contains what looks like an API key. Links are kept in histories and logs, so revoke the key and ask for a link without a key.",
      );
    case "other-path":
      return t("Inference Chat doesn't support this kind of link.");
    case "too-long":
      return t("The link is too long.");
    case "unreadable":
      return t("The link contains characters that can't be displayed.");
    case "unknown-parameter":
      return t("The link contains parameters other than name, baseUrl, and style.");
    case "duplicate-parameter":
      return t("The link repeats a parameter.");
    case "name":
      return t("The link has no connection name, or the name is too long.");
    case "address":
      return t("The link contains no valid URL.");
    case "insecure":
      return t("The link uses an unencrypted http URL. To use it anyway, add the connection yourself.");
    case "style":
      return t("The link contains an unknown client style.");
  }
}
