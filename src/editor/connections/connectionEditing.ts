import * as vscode from "vscode";
import { readAddress } from "../../client/http/address.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import { headersEntry } from "../../connection/setup/connectionHeaders.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { describeAddressProblem } from "../../connection/setup/inputTexts.ts";
import { commandIds } from "../../contributions.ts";
import type { ApiKeyStore, RestoreKey } from "../key/apiKeyStore.ts";
import {
  type AddressInput,
  type NewConnection,
  promptForAddress,
  pickClientStyle,
  promptForKey,
  promptForName,
  describeTakenName,
  type TakenNames,
} from "./connectionInputs.ts";
import { offerToClear, type Pasted, promptForNameOrPaste, reviewPasted } from "./pastedConnection.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import {
  addEntry,
  changeEntry,
  namesInSettings,
  removeEntry,
  writtenAddress,
} from "../workspace/connectionEntries.ts";
import { reportError, showError, showInformation, showWarning } from "../shared/notices.ts";
import { anotherKeyText, saveKey, type SavedKey, warnIfNotStored } from "../key/keyNotices.ts";
import type { SealedKey } from "../key/storedKeys.ts";
import type { MovedVariable } from "../key/variableKeys.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

export interface AddedConnection {
  readonly name: string;
  readonly hasKey: boolean;
  readonly isUsed: boolean;
}

/** Adds, changes and removes connections in the user's settings and in secret storage. */
export class ConnectionEditing {
  readonly #connections: WorkspaceConnections;
  readonly #keys: ApiKeyStore;

  constructor(connections: WorkspaceConnections, keys: ApiKeyStore) {
    this.#connections = connections;
    this.#keys = keys;
  }

  /**
   * Asks for name, base URL, client style and key, or reads them from the clipboard. The key is optional.
   * `isUsed` is true if this workspace had no connection before and now uses the new one.
   */
  async add(): Promise<AddedConnection | undefined> {
    const start = await promptForNameOrPaste(addTitle(1), { used: namesInSettings() });
    if (start === undefined) return undefined;
    if (start.kind === "pasted") return this.#addPasted(start.pasted);
    const { name } = start;
    const answer = await promptForAddress({ title: addTitle(2), connectionName: name });
    if (answer === undefined) return undefined;
    const reading = readAddress(answer.baseUrl, answer.allowHttp);
    if (reading.kind === "problem") return undefined;
    const { address } = reading;
    const clientStyle = await pickClientStyle(addTitle(3), address);
    if (clientStyle === undefined) return undefined;
    const key = await promptForKey(addTitle(4), name, KeySeal.of(address));
    return this.addAs({ name, address, clientStyle, allowHttp: answer.allowHttp }, key);
  }

  async #addPasted(pasted: Pasted): Promise<AddedConnection | undefined> {
    const isSet = (variable: string): boolean => this.#keys.variables.isSet(variable);
    const review = await reviewPasted(pasted, { used: namesInSettings() }, isSet);
    const added = review && (await this.addAs(review.connection, review.key));
    if (pasted.configuration.holdsSecret) reportError(offerToClear(pasted.text));
    return added;
  }

  /** Adds a connection after the user's consent. Undefined if the settings could not be written. */
  async addAs(
    { name, address, clientStyle, allowHttp, model, keyVariable, headers = [] }: NewConnection,
    key: SealedKey | undefined,
  ): Promise<AddedConnection | undefined> {
    const before = this.#connections.current;
    const entry = {
      name,
      baseUrl: address.base,
      clientStyle,
      ...(model === undefined ? {} : { model }),
      ...(keyVariable === undefined ? {} : { keyVariable }),
      ...(headers.length === 0 ? {} : { headers: headersEntry(headers) }),
      ...(allowHttp === true ? { allowHttp } : {}),
    };
    if (!(await addEntry(entry))) return undefined;
    // If an entry of this name was removed by hand, the seal of its environment variable is still stored.
    await this.#keys.variables.forget(name);
    await this.#connections.added(name);
    if (key !== undefined) await saveKey(this.#keys, name, key);
    // A workspace keeps its connection, even if it used that connection only because there was no other.
    const isUsed = before === undefined;
    if (before === undefined) await this.#connections.use({ name });
    else await this.#connections.bind(before);
    return { name, hasKey: key !== undefined || keyVariable !== undefined, isUsed };
  }

  /**
   * Asks for a new key, which replaces the old one. Undefined if no key was set.
   * For a value in an environment variable, asks only whether it can be sent to a changed base URL.
   */
  async setKey(connection: Connection): Promise<SavedKey | undefined> {
    const movedHeaders = this.#keys.variables.movedHeadersOf(connection);
    for (const moved of movedHeaders) {
      if (!(await confirmMovedVariable(connection.name, moved))) return undefined;
      await this.#keys.resealVariable(connection.name, moved);
    }
    if (movedHeaders.length > 0 && (await this.#hasKey(connection))) return undefined;
    if (connection.keyVariable !== undefined) {
      const moved = this.#keys.variables.movedOf(connection);
      if (moved === undefined) reportError(explainVariable(connection, connection.keyVariable));
      else if (await confirmMovedVariable(connection.name, moved))
        await this.#keys.resealVariable(connection.name, moved);
      return undefined;
    }
    if (connection.address.kind === "problem") {
      const { problem, suggestion } = connection.address;
      const reason = describeAddressProblem(problem, suggestion, vscode.l10n.t);
      const message = vscode.l10n.t(
        "Can't store a key for '{0}' because its base URL is invalid. {1}",
        connection.name,
        reason,
      );
      reportError(offerToEdit(showError(message, editLabel())));
      return undefined;
    }
    const seal = KeySeal.of(connection.address.address);
    const key = await promptForKey(vscode.l10n.t("Set API Key"), connection.name, seal);
    return key === undefined ? undefined : saveKey(this.#keys, connection.name, key);
  }

  /** Restores a key that another key has replaced. */
  async restoreKey(connection: Connection, restore: RestoreKey): Promise<void> {
    await this.#restoreKey(connection, restore);
  }

  /** Returns a function that restores the key. Undefined if there was no key. */
  async removeKey(connection: Pick<Connection, "name">): Promise<(() => Promise<void>) | undefined> {
    const restore = await this.#keys.remove(connection.name);
    return restore && (() => this.#restoreKey(connection, restore));
  }

  async rename(connection: Connection): Promise<void> {
    const taken = await this.#takenNames(connection);
    const name = await promptForName(vscode.l10n.t("Rename Connection"), taken, connection.name);
    if (name !== undefined && name !== connection.name) await this.renameTo(connection, name);
  }

  /** @throws Error with a message for the user if another connection or stored key already has the name */
  async renameTo(connection: Connection, name: string): Promise<void> {
    const problem = describeTakenName(name, await this.#takenNames(connection));
    if (problem !== undefined) throw new Error(problem);
    // Copy the key before renaming, so that a failed write loses nothing.
    await this.#keys.copy(connection.name, name);
    await this.#keys.variables.copy(connection.name, name);
    try {
      await changeEntry(connection.name, { name });
    } catch (error) {
      await this.#forgetKey(name);
      throw error;
    }
    await this.#connections.renamed(connection.name, name);
    await this.#forgetKey(connection.name);
  }

  /** Removes a key. If secret storage fails, the key is reported later as a key without a connection. */
  async #forgetKey(name: string): Promise<void> {
    await this.#keys.variables.forget(name);
    try {
      await this.#keys.remove(name);
    } catch (error) {
      if (!(error instanceof SecretStoreError)) throw error;
    }
  }

  /**
   * Asks for a new base URL. A key stays sealed to the origin that it was entered for, so a new origin needs the key
   * again.
   */
  async editAddress(connection: Connection): Promise<void> {
    const current = writtenAddress(connection.name);
    const title = vscode.l10n.t("Base URL for '{0}'", connection.name);
    const answer = await promptForAddress({ title, connectionName: connection.name, current });
    if (answer !== undefined) await this.changeAddress(connection, answer);
  }

  /** Sends nothing to a new origin until the user sets its key or allows the environment variable's key. */
  async changeAddress(connection: Connection, { baseUrl, allowHttp }: AddressInput): Promise<void> {
    await changeEntry(connection.name, { baseUrl, allowHttp: allowHttp ? true : undefined });
    const moved = this.#connections.named(connection.name);
    if (moved !== undefined && !(await this.#hasKey(moved))) await this.setKey(moved);
  }

  async changeStyle(connection: Connection): Promise<void> {
    const address = connection.address.kind === "address" ? connection.address.address : undefined;
    const title = vscode.l10n.t("Client Style for '{0}'", connection.name);
    const clientStyle = await pickClientStyle(title, address, connection.clientStyle);
    if (clientStyle === undefined) return;
    await changeEntry(connection.name, { clientStyle });
    // An earlier choice of this workspace would hide the new client style.
    await this.#connections.chooseClientStyle(connection, undefined);
  }

  /** Returns a function that restores the connection, its key and this workspace's choices. */
  async remove(connection: Connection): Promise<() => Promise<void>> {
    const wasUsed = this.#connections.current?.name === connection.name;
    const restoreEntry = await removeEntry(connection.name);
    const restoreKey = await this.#keys.remove(connection.name).catch(async (error: unknown) => {
      await restoreEntry();
      throw error;
    });
    await this.#keys.variables.forget(connection.name);
    const restoreChoices = await this.#connections.removed(connection.name);
    let isRestored = false;
    return async () => {
      // An entry added under this name since is another connection with another key.
      if (!isRestored && !(await restoreEntry())) throw new Error(existsAgainText(connection));
      // The next steps can fail. A second attempt must not restore the entry again.
      isRestored = true;
      if (restoreKey !== undefined) await this.#restoreKey(connection, restoreKey);
      await restoreChoices();
      if (wasUsed) await this.#connections.use(connection);
    };
  }

  /** Includes the names of stored keys without a connection. A new name must not overwrite or adopt such a key. */
  async #takenNames(connection: Connection): Promise<TakenNames> {
    const isOther = (name: string): boolean => name !== connection.name;
    const stored = await this.#keys.storedNames();
    return { used: namesInSettings().filter(isOther), keyed: stored.filter(isOther) };
  }

  /** @throws Error with a message for the user if another key was set since */
  async #restoreKey({ name }: Pick<Connection, "name">, restore: RestoreKey): Promise<void> {
    const result = await restore();
    if (result === undefined) throw new Error(anotherKeyText(name));
    warnIfNotStored(this.#keys, name, result);
  }

  /** Whether a key can be sent to the current base URL. Problems with environment variables are reported on use. */
  async #hasKey(connection: Connection): Promise<boolean> {
    if (this.#keys.variables.movedHeadersOf(connection).length > 0) return false;
    if (connection.keyVariable !== undefined) return this.#keys.variables.movedOf(connection) === undefined;
    return this.#keys.read(connection).then(
      () => true,
      () => false,
    );
  }
}

function existsAgainText({ name }: Connection): string {
  return vscode.l10n.t("Another connection already uses the name '{0}'.", name);
}

async function confirmMovedVariable(
  name: string,
  { variable, seal, needed }: MovedVariable,
): Promise<boolean> {
  const send = vscode.l10n.t("Send Key");
  const chosen = await showWarning(
    vscode.l10n.t("Send the key from the environment variable {0} to {1}?", variable, needed.host),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Until now, the connection '{0}' has sent this key only to {1}. Nothing is sent to {2} unless you allow it.",
        name,
        seal.toString(),
        needed.toString(),
      ),
    },
    send,
  );
  return chosen === send;
}

/** Tells the user which environment variable holds the key, and offers to change the key source. */
export async function explainVariable({ name }: Connection, variable: string): Promise<void> {
  const message = vscode.l10n.t(
    "The key for '{0}' comes from the environment variable {1}. Change it there and restart VS Code, or select the secret storage in Edit Connection.",
    name,
    variable,
  );
  await offerToEdit(showInformation(message, editLabel()));
}

function editLabel(): string {
  return vscode.l10n.t("Edit Connection...");
}

async function offerToEdit(chosen: Thenable<string | undefined>): Promise<void> {
  if ((await chosen) === editLabel()) await vscode.commands.executeCommand(commandIds.editConnection);
}

function addTitle(step: number): string {
  return vscode.l10n.t("Add Connection ({0} of 4)", step);
}
