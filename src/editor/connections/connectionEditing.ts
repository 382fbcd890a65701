import * as vscode from "vscode";
import { readAddress, type ServiceAddress } from "../../client/http/address.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { describeAddressProblem } from "../../connection/setup/inputTexts.ts";
import { commandIds } from "../../contributions.ts";
import type { ApiKeyStore, RestoreKey } from "../key/apiKeyStore.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import {
  type AddressInput,
  promptForAddress,
  pickClientStyle,
  promptForKey,
  promptForName,
  describeTakenName,
  type TakenNames,
} from "./connectionInputs.ts";
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

/** What a connection consists of, beside its key. */
export interface NewConnection {
  readonly name: string;
  readonly address: ServiceAddress;
  readonly clientStyle: ClientStyle;
  readonly allowHttp?: boolean;
}

/** Adds, changes and removes connections, in the user's settings and the secret store. */
export class ConnectionEditing {
  readonly #connections: WorkspaceConnections;
  readonly #keys: ApiKeyStore;

  constructor(connections: WorkspaceConnections, keys: ApiKeyStore) {
    this.#connections = connections;
    this.#keys = keys;
  }

  /**
   * Asks for name, address, style and key, of which the key may be left out.
   * `isUsed` says whether this workspace, unbound before, is bound to the connection now.
   */
  async add(): Promise<AddedConnection | undefined> {
    const name = await promptForName(addTitle(1), { used: namesInSettings() });
    if (name === undefined) return undefined;
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

  /** Adds what the user has agreed to. Undefined where the settings could not be written, and nothing was added. */
  async addAs(
    { name, address, clientStyle, allowHttp }: NewConnection,
    key: SealedKey | undefined,
  ): Promise<AddedConnection | undefined> {
    const before = this.#connections.current;
    const entry = { name, baseUrl: address.base, clientStyle, ...(allowHttp === true ? { allowHttp } : {}) };
    if (!(await addEntry(entry))) return undefined;
    // An entry of this name that a hand took out has left its variable's seal behind.
    await this.#keys.variables.forget(name);
    if (key !== undefined) await saveKey(this.#keys, name, key);
    // A workspace that uses a client stays with it, also one that used the only one there was.
    const isUsed = before === undefined;
    await this.#connections.use(before ?? { name });
    return { name, hasKey: key !== undefined, isUsed };
  }

  /**
   * Asks for a new key; the old one is replaced. Of a variable's key only whether it may be sent to a
   * moved address. Undefined where no key was set.
   */
  async setKey(connection: Connection): Promise<SavedKey | undefined> {
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

  /** Puts the key back whose place another one took. */
  async restoreKey(connection: Connection, restore: RestoreKey): Promise<void> {
    await this.#restoreKey(connection, restore);
  }

  /** The result puts the key back; it is undefined where there was none. */
  async removeKey(connection: Pick<Connection, "name">): Promise<(() => Promise<void>) | undefined> {
    const restore = await this.#keys.remove(connection.name);
    return restore && (() => this.#restoreKey(connection, restore));
  }

  async rename(connection: Connection): Promise<void> {
    const taken = await this.#takenNames(connection);
    const name = await promptForName(vscode.l10n.t("Rename Connection"), taken, connection.name);
    if (name !== undefined && name !== connection.name) await this.renameTo(connection, name);
  }

  /** @throws Error to be shown, where another connection or its key has the name by now */
  async renameTo(connection: Connection, name: string): Promise<void> {
    const problem = describeTakenName(name, await this.#takenNames(connection));
    if (problem !== undefined) throw new Error(problem);
    // The key is there under both names until the new one holds, so that a failed write loses nothing.
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

  /** What a failing store keeps of it is told of later, as a key without a connection. */
  async #forgetKey(name: string): Promise<void> {
    await this.#keys.variables.forget(name);
    try {
      await this.#keys.remove(name);
    } catch (error) {
      if (!(error instanceof SecretStoreError)) throw error;
    }
  }

  /** A key stays sealed to the address it was given for, so a moved address asks for the key again. */
  async editAddress(connection: Connection): Promise<void> {
    const current = writtenAddress(connection.name);
    const title = vscode.l10n.t("Base URL for '{0}'", connection.name);
    const answer = await promptForAddress({ title, connectionName: connection.name, current });
    if (answer !== undefined) await this.changeAddress(connection, answer);
  }

  /** Nothing is sent to the new address before it has a key of its own, or may have the variable's. */
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
    // A choice this workspace had made before would go on hiding the new one.
    await this.#connections.chooseClientStyle(connection, undefined);
  }

  /** The result puts connection and key back, and binds this workspace again. */
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
      // What was added under this name since is another connection, and its key another key.
      if (!isRestored && !(await restoreEntry())) throw new Error(existsAgainText(connection));
      // What comes now may fail, and be tried again.
      isRestored = true;
      if (restoreKey !== undefined) await this.#restoreKey(connection, restoreKey);
      await restoreChoices();
      if (wasUsed) await this.#connections.use(connection);
    };
  }

  /** A key that is stored without a connection would be lost by the new name, or be taken over by it. */
  async #takenNames(connection: Connection): Promise<TakenNames> {
    const isOther = (name: string): boolean => name !== connection.name;
    const stored = await this.#keys.storedNames();
    return { used: namesInSettings().filter(isOther), keyed: stored.filter(isOther) };
  }

  /** @throws Error to be shown, where another key was set since */
  async #restoreKey({ name }: Pick<Connection, "name">, restore: RestoreKey): Promise<void> {
    const result = await restore();
    if (result === undefined) throw new Error(anotherKeyText(name));
    warnIfNotStored(this.#keys, name, result);
  }

  /** A key that may be sent to where the connection leads now; what is wrong in a variable is told at its use. */
  async #hasKey(connection: Connection): Promise<boolean> {
    if (connection.keyVariable !== undefined) return this.#keys.variables.movedOf(connection) === undefined;
    return this.#keys.read(connection).then(
      () => true,
      () => false,
    );
  }
}

function existsAgainText({ name }: Connection): string {
  return vscode.l10n.t("A connection named '{0}' exists again.", name);
}

async function confirmMovedVariable(
  name: string,
  { variable, seal, needed }: MovedVariable,
): Promise<boolean> {
  const send = vscode.l10n.t("Send Key");
  const chosen = await showWarning(
    vscode.l10n.t("Send the key in {0} to {1}?", variable, needed.host),
    {
      modal: true,
      detail: vscode.l10n.t(
        "'{0}' has sent this key to {1} so far. Nothing is sent to {2} unless you allow it.",
        name,
        seal.toString(),
        needed.toString(),
      ),
    },
    send,
  );
  return chosen === send;
}

/** Says where a key is that no store of the editor holds, and leads to where that is changed. */
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
