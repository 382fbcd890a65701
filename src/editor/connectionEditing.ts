import * as vscode from "vscode";
import { readAddress } from "../client/address.ts";
import type { Connection } from "../connection/connection.ts";
import { describeAddressProblem } from "../connection/inputTexts.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import type { ConnectionHealth } from "./connectionHealth.ts";
import { askAddress, askClientStyle, askKey, askName } from "./inputs.ts";
import { rawConnectionSetting, writeConnectionSetting } from "./settings.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";

export interface AddedConnection {
  readonly name: string;
  readonly keyed: boolean;
  readonly used: boolean;
}

/** Adds, changes and removes connections, in the user's settings and the secret store. */
export class ConnectionEditing {
  readonly #connections: WorkspaceConnections;
  readonly #keys: ApiKeyStore;
  readonly #health: ConnectionHealth;

  constructor(connections: WorkspaceConnections, keys: ApiKeyStore, health: ConnectionHealth) {
    this.#connections = connections;
    this.#keys = keys;
    this.#health = health;
  }

  /**
   * Asks name, address, style and key. The connection is kept even where the key is given later;
   * `keyed` says whether it was, `used` whether this workspace, unbound before, is bound to it now.
   */
  async add(): Promise<AddedConnection | undefined> {
    const name = await askName(
      addTitle(1),
      this.#connections.all.map((connection) => connection.name),
    );
    if (name === undefined) return undefined;
    const baseUrl = await askAddress(addTitle(2), false);
    if (baseUrl === undefined) return undefined;
    const reading = readAddress(baseUrl);
    if (reading.kind === "problem") return undefined;
    const { address } = reading;
    const clientStyle = await askClientStyle(addTitle(3), address);
    if (clientStyle === undefined) return undefined;
    const key = await askKey(addTitle(4), name, address.origin);
    await writeConnectionSetting([...rawConnectionSetting(), { name, baseUrl: address.base, clientStyle }]);
    if (key !== undefined) await this.#keys.store(name, key, address.origin);
    // A workspace that is bound stays with its client; one that is not yet is for the new one.
    const used = this.#connections.current === undefined || this.#connections.all.length <= 1;
    if (used) await this.#connections.use({ name });
    return { name, keyed: key !== undefined, used };
  }

  /** Asks for a new key; the old one is replaced. False where the user thought better of it. */
  async setKey(connection: Connection): Promise<boolean> {
    if (connection.keyVariable !== undefined) {
      await this.#explainVariable(connection, connection.keyVariable);
      return false;
    }
    if (connection.address.kind === "problem") {
      const { problem, suggestion } = connection.address;
      const reason = describeAddressProblem(problem, suggestion, vscode.l10n.t);
      await vscode.window.showErrorMessage(
        vscode.l10n.t(
          "A key is sealed to its address, and the address of {0} cannot be used. {1}",
          connection.name,
          reason,
        ),
      );
      return false;
    }
    const { origin } = connection.address.address;
    const key = await askKey(vscode.l10n.t("Set API Key"), connection.name, origin);
    if (key === undefined) return false;
    await this.#keys.store(connection.name, key, origin);
    return true;
  }

  async removeKey(connection: Connection): Promise<void> {
    await this.#keys.remove(connection.name);
  }

  async rename(connection: Connection): Promise<void> {
    const others = this.#connections.all.filter((other) => other !== connection).map((other) => other.name);
    const name = await askName(vscode.l10n.t("Rename Connection"), others, connection.name);
    if (name === undefined || name === connection.name) return;
    // The key is there under both names until the new one holds, so that a failed write loses nothing.
    await this.#keys.copy(connection.name, name);
    await this.#change(connection, { name });
    await this.#connections.renamed(connection.name, name);
    await this.#keys.remove(connection.name);
  }

  /** A key stays sealed to the address it was given for, so a moved address asks for the key again. */
  async moveAddress(connection: Connection): Promise<void> {
    const current = rawEntry(connection)?.["baseUrl"];
    const allowHttp = rawEntry(connection)?.["allowHttp"] === true;
    const title = vscode.l10n.t("Base Address of {0}", connection.name);
    const baseUrl = await askAddress(title, allowHttp, typeof current === "string" ? current : undefined);
    if (baseUrl === undefined) return;
    const before = originOf(connection);
    await this.#change(connection, { baseUrl });
    this.#health.forget(connection.name);
    const moved = this.#connections.named(connection.name);
    if (moved !== undefined && originOf(moved) !== before && moved.keyVariable === undefined)
      await this.setKey(moved);
  }

  async changeStyle(connection: Connection): Promise<void> {
    const address = connection.address.kind === "address" ? connection.address.address : undefined;
    const title = vscode.l10n.t("Client Style of {0}", connection.name);
    const clientStyle = await askClientStyle(title, address, connection.clientStyle);
    if (clientStyle === undefined) return;
    await this.#change(connection, { clientStyle });
    // A choice this workspace had made before would go on hiding the new one.
    await this.#connections.chooseClientStyle(connection, clientStyle);
  }

  async remove(connection: Connection): Promise<void> {
    await writeConnectionSetting(rawConnectionSetting().filter((entry) => nameOf(entry) !== connection.name));
    await this.#keys.remove(connection.name);
    await this.#connections.removed(connection.name);
  }

  async #change(connection: Connection, change: Readonly<Record<string, unknown>>): Promise<void> {
    const entries = rawConnectionSetting().map((entry) =>
      isRecord(entry) && nameOf(entry) === connection.name ? { ...entry, ...change } : entry,
    );
    await writeConnectionSetting(entries);
  }

  async #explainVariable(connection: Connection, variable: string): Promise<void> {
    await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "The key of {0} comes from the environment variable {1}. Set it there and restart the editor, or take keyVariable out of the connection's settings.",
        connection.name,
        variable,
      ),
    );
  }
}

function addTitle(step: number): string {
  return vscode.l10n.t("Add Connection ({0} of 4)", step);
}

function rawEntry(connection: Connection): Readonly<Record<string, unknown>> | undefined {
  return rawConnectionSetting().find(
    (entry): entry is Readonly<Record<string, unknown>> =>
      isRecord(entry) && nameOf(entry) === connection.name,
  );
}

function nameOf(entry: unknown): string | undefined {
  const name = isRecord(entry) ? entry["name"] : undefined;
  return typeof name === "string" ? name.trim() : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function originOf(connection: Connection): string | undefined {
  return connection.address.kind === "address" ? connection.address.address.origin : undefined;
}
