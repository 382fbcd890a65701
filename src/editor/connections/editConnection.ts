import * as vscode from "vscode";
import { type Connection, unencryptedHost } from "../../connection/setup/connection.ts";
import { readExpiry, expiryInBrief } from "../../connection/setup/expiry.ts";
import { commandIds } from "../../contributions.ts";
import { pickConnection } from "../workspace/chooseConnection.ts";
import type { ConnectionEditing } from "./connectionEditing.ts";
import { withSecretStore, showKeyRemoved } from "../key/keyNotices.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import {
  confirmHttp,
  promptForDefaultModel,
  promptForExpiryDate,
  promptForKeyVariable,
} from "./connectionInputs.ts";
import { changeEntry, openConnectionSetting, writtenAddress } from "../workspace/connectionEntries.ts";
import { showInformation } from "../shared/notices.ts";

interface EditConnectionOptions {
  readonly connections: WorkspaceConnections;
  readonly editing: ConnectionEditing;
  readonly terms: ConnectionTerms;
}

interface Choice extends vscode.QuickPickItem {
  readonly run: () => Promise<unknown>;
}

/** Asks which connection and which property to change. Each property is saved separately. */
export async function editConnection({ connections, editing, terms }: EditConnectionOptions): Promise<void> {
  const t = vscode.l10n.t;
  const connection = await pickConnection(connections, t("Which connection do you want to edit?"));
  if (connection === undefined) return;
  const { name, clientStyle, model, keyVariable } = connection;
  const choices: readonly Choice[] = [
    {
      label: t("Name"),
      description: name,
      run: () => withSecretStore(() => editing.rename(connection)),
    },
    {
      label: t("Base URL"),
      description: describeAddress(connection),
      run: () => editing.editAddress(connection),
    },
    ...httpChoice(connection, terms),
    { label: t("Client Style"), description: clientStyle, run: () => editing.changeStyle(connection) },
    {
      label: t("Default Model"),
      description: model ?? t("none"),
      run: () => terms.changeModel(connection),
    },
    ...(keyVariable === undefined
      ? [
          {
            label: t("API Key"),
            description: "",
            run: async () => vscode.commands.executeCommand(commandIds.setApiKey, name),
          },
        ]
      : []),
    {
      label: t("Key Source"),
      description: keyVariable ?? t("secret storage"),
      run: () => withSecretStore(() => terms.changeKeySource(connection)),
    },
    {
      label: t("Headers..."),
      description: describeHeaders(connection),
      run: openConnectionSetting,
    },
    {
      label: t("Expiration Date"),
      description: describeExpiryDate(connection),
      run: () => terms.changeExpiry(connection),
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: name,
    placeHolder: t("What do you want to change?"),
    ignoreFocusOut: true,
  });
  await chosen?.run();
}

/** The HTTP choice is offered only for an HTTP base URL. */
function httpChoice(connection: Connection, terms: ConnectionTerms): readonly Choice[] {
  const t = vscode.l10n.t;
  const isAllowed = unencryptedHost(connection) !== undefined;
  const isRefused = connection.address.kind === "problem" && connection.address.problem === "insecure";
  if (!isAllowed && !isRefused) return [];
  return [
    {
      label: isAllowed ? t("Don't Allow HTTP") : t("Allow HTTP..."),
      description: isAllowed
        ? t("HTTP is allowed: requests are not encrypted")
        : t("HTTP is not allowed: nothing is sent"),
      run: () => terms.changeHttp(connection),
    },
  ];
}

function describeAddress(connection: Connection): string {
  if (connection.address.kind === "problem") return vscode.l10n.t("invalid");
  const { base } = connection.address.address;
  return unencryptedHost(connection) === undefined
    ? base
    : `${base} · $(unlock) ${vscode.l10n.t("not encrypted")}`;
}

function describeHeaders({ headers = [], faultyHeader }: Connection): string {
  if (faultyHeader !== undefined) return vscode.l10n.t("invalid");
  return headers.map(({ name }) => name).join(", ") || vscode.l10n.t("none");
}

function describeExpiryDate({ expires }: Connection): string {
  const expiry = expires === undefined ? undefined : readExpiry(expires, new Date());
  if (expires === undefined || expiry === undefined) return vscode.l10n.t("none");
  return `${expires} · ${expiryInBrief(expiry, vscode.l10n.t)}`;
}

interface ConnectionTermsOptions {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  readonly editing: ConnectionEditing;
}

/** Changes optional properties of a connection: model, key source, expiration date, HTTP. */
export class ConnectionTerms {
  readonly #options: ConnectionTermsOptions;

  constructor(options: ConnectionTermsOptions) {
    this.#options = options;
  }

  async changeModel(connection: Connection): Promise<void> {
    const model = await promptForDefaultModel(connection.name, connection.model ?? "");
    if (model !== undefined) await changeEntry(connection.name, { model: orNone(model) });
  }

  async changeExpiry(connection: Connection): Promise<void> {
    const expires = await promptForExpiryDate(connection.name, connection.expires ?? "");
    if (expires !== undefined) await changeEntry(connection.name, { expires: orNone(expires) });
  }

  /** Switches between secret storage and an environment variable. */
  async changeKeySource(connection: Connection): Promise<void> {
    const t = vscode.l10n.t;
    const inUse = { description: t("in use") };
    const { keyVariable } = connection;
    const store = { label: t("Secret Storage"), ...(keyVariable === undefined ? inUse : {}) };
    const variable = {
      label: t("Environment Variable..."),
      ...(keyVariable === undefined ? {} : { description: t("in use: {0}", keyVariable) }),
    };
    const chosen = await vscode.window.showQuickPick([store, variable], {
      title: connection.name,
      placeHolder: t("Where is the API key stored?"),
      ignoreFocusOut: true,
    });
    if (chosen === variable) await this.#useVariable(connection);
    if (chosen === store && keyVariable !== undefined) await this.#useStore(connection);
  }

  /** Disallows HTTP at once. Allows HTTP only with the user's consent. */
  async changeHttp(connection: Connection): Promise<void> {
    if (unencryptedHost(connection) !== undefined) {
      await changeEntry(connection.name, { allowHttp: undefined });
      return;
    }
    const { baseUrl } = writtenAddress(connection.name);
    const host = URL.parse(baseUrl)?.host ?? baseUrl;
    if (await confirmHttp(connection.name, host))
      await this.#options.editing.changeAddress(connection, { baseUrl, allowHttp: true });
  }

  async #useVariable(connection: Connection): Promise<void> {
    const { keys } = this.#options;
    const variable = await promptForKeyVariable(connection.name, connection.keyVariable ?? "", (name) =>
      keys.variables.isSet(name),
    );
    if (variable === undefined) return;
    await changeEntry(connection.name, { keyVariable: variable });
    if ((await keys.storedNames()).includes(connection.name)) await this.#offerToRemove(connection);
  }

  async #useStore(connection: Connection): Promise<void> {
    const { connections, keys, editing } = this.#options;
    await changeEntry(connection.name, { keyVariable: undefined });
    const changed = connections.named(connection.name);
    const hasKey = (await keys.storedNames()).includes(connection.name);
    if (changed !== undefined && !hasKey) await editing.setKey(changed);
  }

  async #offerToRemove(connection: Connection): Promise<void> {
    const remove = vscode.l10n.t("Remove Stored Key");
    const chosen = await showInformation(
      vscode.l10n.t(
        "'{0}' now reads its key from the environment variable. The stored key is no longer used.",
        connection.name,
      ),
      remove,
      vscode.l10n.t("Keep"),
    );
    if (chosen !== remove) return;
    const restore = await this.#options.editing.removeKey(connection);
    if (restore !== undefined) showKeyRemoved(connection.name, restore);
  }
}

/** Turns an empty text into undefined, which removes the property from the settings. */
function orNone(text: string): string | undefined {
  return text === "" ? undefined : text;
}
