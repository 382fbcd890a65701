import * as vscode from "vscode";
import { settingKeys, settingSection } from "../../contributions.ts";
import { localReasonOf, showError } from "../shared/notices.ts";
import { rawConnectionSetting, writeConnectionSetting } from "./settings.ts";
import { tryUntilDone } from "./tryUntilDone.ts";

/** An entry of the setting as it stands there, with what this extension does not know. */
type ConnectionEntry = Readonly<Record<string, unknown>>;

/**
 * The names in the user's settings, also of entries that cannot be used.
 * @throws Error to be shown, if the setting is no list
 */
export function namesInSettings(): readonly string[] {
  return rawConnectionSetting()
    .map(nameOf)
    .filter((name) => name !== undefined);
}

/** The address as it was typed, and whether http is allowed for it. */
export function writtenAddress(connectionName: string): { baseUrl: string; allowHttp: boolean } {
  const entry = rawConnectionSetting().find(
    (each): each is ConnectionEntry => isRecord(each) && nameOf(each) === connectionName,
  );
  const baseUrl = entry?.["baseUrl"];
  return { baseUrl: typeof baseUrl === "string" ? baseUrl : "", allowHttp: entry?.["allowHttp"] === true };
}

/** False where the settings cannot be written, such as for a slip in their file, and the user gives it up. */
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
    vscode.l10n.t("'{0}' was not added. Your answers are kept: {1}", connectionName, localReasonOf(error)),
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

/** Writes properties of an entry; those that are undefined are taken out. */
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
 * Takes the entries of a name out, of which only the first was used. The result puts them back where
 * they stood, among whatever is there then, and says false where there is an entry of the name by then,
 * which stays as it is.
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
