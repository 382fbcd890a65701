import * as v from "valibot";
import * as vscode from "vscode";
import type { Price } from "../../chat/transcript/usage.ts";
import { type ConnectionList, readConnections, readModelName } from "../../connection/setup/connection.ts";
import { settingKeys, settingSection } from "../../contributions.ts";

const defaultMaxTokens = 4096;
const defaultStallSeconds = 20;
const maxStallSeconds = 3600;

/** The user's connections. Only the user's own settings are read: a repository has no say in it. */
export function readConnectionSetting(): ConnectionList {
  return readConnections(connectionSettingAsWritten() ?? []);
}

/** What stands in the user's settings, unread; undefined where nothing does. */
function connectionSettingAsWritten(): unknown {
  return userSetting(settingKeys.connections);
}

/** The entries as they stand in the user's settings, unread, so that an edit keeps what it does not know. */
export function rawConnectionSetting(): readonly unknown[] {
  const value = connectionSettingAsWritten() ?? [];
  if (Array.isArray(value)) return value;
  throw new Error(
    vscode.l10n.t(
      "The setting inference.connections is not a list, so nothing was changed. Fix the setting first.",
    ),
  );
}

/** @throws where the editor cannot write the user's settings, with its reason. */
export async function writeConnectionSetting(entries: readonly unknown[]): Promise<void> {
  await vscode.workspace
    .getConfiguration(settingSection)
    .update(settingKeys.connections, entries, vscode.ConfigurationTarget.Global);
}

/** The team's default model, for a folder of the workspace, or undefined. */
export function readModelSetting(folder: vscode.Uri | undefined): string | undefined {
  return readModelName(folderSetting(folder, settingKeys.model));
}

/** Cap on generated tokens per answer, at least 1. */
export function readMaxTokensSetting(): number {
  const value = vscode.workspace.getConfiguration(settingSection).get<unknown>(settingKeys.maxTokens);
  return typeof value === "number" && Number.isInteger(value) && value >= 1 ? value : defaultMaxTokens;
}

/** Tokens after which a chat or a day asks; undefined where there is no cap. Only the user's own count. */
export function readTokenCap(of: "chat" | "day"): number | undefined {
  const value = userSetting(of === "chat" ? settingKeys.tokenCap : settingKeys.dailyTokenCap);
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** Whether a workspace has chats of its own, or all share theirs. Only the user's own setting counts. */
export function readHistorySetting(): "workspace" | "everywhere" {
  return userSetting(settingKeys.history) === "everywhere" ? "everywhere" : "workspace";
}

const priceSchema = v.object({
  input: v.pipe(v.number(), v.minValue(0)),
  output: v.pipe(v.number(), v.minValue(0)),
  currency: v.optional(
    v.pipe(
      v.string(),
      v.check((code) => /^[A-Z]{3}$/.test(code)),
    ),
    "USD",
  ),
});

/** What the model costs, where the user's settings say so in a readable way. */
export function readPriceSetting(model: string): Price | undefined {
  const parsed = v.safeParse(priceSchema, userSettingOf(settingKeys.prices, model));
  return parsed.success ? parsed.output : undefined;
}

const capabilitiesSchema = v.object({
  toolCalling: v.exactOptional(v.boolean()),
  imageInput: v.exactOptional(v.boolean()),
});

/** What the user says that a model can do, by its name or by `*` for all; nothing where that is unreadable. */
export function readCapabilitySetting(model: string): v.InferOutput<typeof capabilitiesSchema> {
  const read = (name: string): v.InferOutput<typeof capabilitiesSchema> => {
    const parsed = v.safeParse(capabilitiesSchema, userSettingOf(settingKeys.modelCapabilities, name));
    return parsed.success ? parsed.output : {};
  };
  return { ...read("*"), ...read(model) };
}

/** What stands in the user's own settings, unread: a repository has no say in it. */
export function userSetting(key: string): unknown {
  return vscode.workspace.getConfiguration(settingSection).inspect<unknown>(key)?.globalValue;
}

/** What a setting that is an object holds under a name. */
function userSettingOf(key: string, name: string): unknown {
  const parsed = v.safeParse(v.record(v.string(), v.unknown()), userSetting(key));
  return parsed.success && Object.hasOwn(parsed.output, name) ? parsed.output[name] : undefined;
}

/**
 * Globs of files that are kept out of the chat, for a folder or for the workspace. Every scope adds to
 * them: a repository cannot take back what the user has excluded.
 */
export function readExcludePatterns(folder: vscode.Uri | undefined): readonly string[] {
  const inspected = vscode.workspace
    .getConfiguration(settingSection, folder ?? null)
    .inspect<unknown>(settingKeys.chatExclude);
  const scopes = [
    inspected?.globalValue,
    inspected?.workspaceValue,
    inspected?.workspaceFolderValue,
    inspected?.defaultValue,
  ];
  return [...new Set(scopes.flatMap(readPatterns))];
}

/** Globs of files that the editor hides (`files.exclude`), for a folder or for the workspace. */
export function readHiddenPatterns(folder: vscode.Uri | undefined): readonly string[] {
  return readPatterns(vscode.workspace.getConfiguration("files", folder ?? null).get<unknown>("exclude"));
}

/** A list of patterns, or an object that switches them on. */
export function readPatterns(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((pattern) => typeof pattern === "string");
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}

/** Text sent ahead of every conversation, for a folder; empty where there is none. */
export function readInstructionsSetting(folder: vscode.Uri | undefined): string {
  const value = folderSetting(folder, settingKeys.instructions);
  return typeof value === "string" ? value : "";
}

/** Whether the folder's files with instructions are read. */
export function readsInstructionFiles(folder: vscode.Uri): boolean {
  return folderSetting(folder, settingKeys.useInstructionFiles) !== false;
}

function folderSetting(folder: vscode.Uri | undefined, key: string): unknown {
  return vscode.workspace.getConfiguration(settingSection, folder ?? null).get<unknown>(key);
}

/** Seconds without a byte before the chat says so; 0 for never. Only the user's own settings are read. */
export function readStallSetting(): number {
  const value = userSetting(settingKeys.stallTimeout);
  const isSeconds = typeof value === "number" && value >= 0;
  return isSeconds ? Math.min(value, maxStallSeconds) : defaultStallSeconds;
}
