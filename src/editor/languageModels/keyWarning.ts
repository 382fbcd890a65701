import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import type { LanguageModelServices } from "./requestedModel.ts";

/** Why a connection's models cannot answer now, in a few words; undefined where nothing speaks against it. Sends nothing. */
export async function keyWarningOf(
  { keys, health }: Pick<LanguageModelServices, "keys" | "health">,
  connection: Connection,
): Promise<string | undefined> {
  const { address } = connection;
  if (address.kind === "problem") return vscode.l10n.t("The address cannot be used");
  const key = await keys.readForSearch(connection);
  if (key === undefined) return vscode.l10n.t("No API key");
  const isElsewhere =
    key.origin !== address.address.origin || keys.variables.movedOf(connection) !== undefined;
  if (isElsewhere) return vscode.l10n.t("The API key is for another address");
  const state = health.of(connection.name);
  return state.kind === "key-refused" ? state.title : undefined;
}
