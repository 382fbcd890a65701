import * as vscode from "vscode";
import { settingKeys, settingSection } from "../../contributions.ts";
import { localReasonOf, showError } from "../shared/notices.ts";
import { rawConnectionSetting, writeConnectionSetting } from "./settings.ts";
import { tryUntilDone } from "./tryUntilDone.ts";

/** An entry of the setting as written, with properties that this extension does not know. */
type ConnectionEntry = Readonly<Record<string, unknown>>;

/**
 * The names in the user's settings, including names of entries that can't be used.
 * @throws Error with a message for the user if the setting is not a list
 */
export function namesInSettings(): readonly string[] {
  return rawConnectionSetting()
    .map(nameOf)
    .filter((name) => name !== undefined);
}

/** The base URL as the user typed it, and whether HTTP is allowed for it. */
export function writtenAddress(connectionName: string): { baseUrl: string; allowHttp: boolean } {
  const entry = rawConnectionSetting().find(
    (each): each is ConnectionEntry => isRecord(each) && nameOf(each) === connectionName,
  );
  const baseUrl = entry?.["baseUrl"];
  return { baseUrl: typeof baseUrl === "string" ? baseUrl : "", allowHttp: entry?.["allowHttp"] === true };
}

/**
 * Resolves to false if the settings can't be written and the user gives up. The settings file may, for example, have a
 * syntax error.
 */
export async function addEntry(entry: ConnectionEntry & { readonly name: string }): Promise<boolean> {
  return tryUntilDone(
    () => writeConnectionSetting([...rawConnectionSetting(), entry]),
    (error) => offerRetry(entry.name, error),
  );
}

async function offerRetry(connectionName: string, error: unknown): Promise<boolean> {
  const open = vscode.l10n.t("Open Settings");
  const again = vscode.l10n.t("Try Again");
  const chosen = await showError(
    vscode.l10n.t(
      "'{0}' was not added, but what you entered is kept. Reason: {1}",
      connectionName,
      localReasonOf(error),
    ),
    open,
    again,
  );
  if (chosen !== open) return chosen === again;
  await openConnectionSetting();
  return offerRetry(connectionName, error);
}

/** Opens the file of the user's settings at the connections. */
export async function openConnectionSetting(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
    revealSetting: { key: `${settingSection}.${settingKeys.connections}` },
  });
}

/** Writes properties of an entry, and removes those that are undefined. */
export async function changeEntry(
  connectionName: string,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const entries = rawConnectionSetting().map((entry) => {
    if (!isRecord(entry) || nameOf(entry) !== connectionName) return entry;
    const changed = Object.entries({ ...entry, ...change });
    return Object.fromEntries(changed.filter(([, value]) => value !== undefined));
  });
  await writeConnectionSetting(entries);
}

/**
 * Removes all entries of a name. Only the first of them was used. The returned function puts them back at their former
 * positions among the current entries. If there is an entry of the name again, the function changes nothing and
 * resolves to false.
 */
export async function removeEntry(connectionName: string): Promise<() => Promise<boolean>> {
  const entries = rawConnectionSetting();
  const removed = [...entries.entries()].filter(([, entry]) => nameOf(entry) === connectionName);
  await writeConnectionSetting(entries.filter((entry) => nameOf(entry) !== connectionName));
  return async () => {
    if (removed.length === 0 || namesInSettings().includes(connectionName)) return false;
    const restored = removed.reduce(
      (list, [index, entry]) => list.toSpliced(index, 0, entry),
      [...rawConnectionSetting()],
    );
    await writeConnectionSetting(restored);
    return true;
  };
}

function nameOf(entry: unknown): string | undefined {
  const name = isRecord(entry) ? entry["name"] : undefined;
  return typeof name === "string" ? name.trim() : undefined;
}

function isRecord(value: unknown): value is ConnectionEntry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
