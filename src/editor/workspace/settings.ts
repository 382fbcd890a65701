import { hostname } from "node:os";
import * as v from "valibot";
import * as vscode from "vscode";
import type { Price } from "../../chat/transcript/usage.ts";
import { type ConnectionList, readConnections, readModelName } from "../../connection/setup/connection.ts";
import { extensionId, settingKeys, settingSection } from "../../contributions.ts";
import { isOnOneOfSeveralMachines, type Side, sideOf, type WindowFacts } from "./extensionSide.ts";

const defaultMaxTokens = 4096;
const defaultStallSeconds = 20;
const maxStallSeconds = 3600;

/** The user's connections. Only the user's own settings are read, because a repository must not decide them. */
export function readConnectionSetting(): ConnectionList {
  return readConnections(connectionSettingAsWritten() ?? []);
}

/** The value of the user's setting, not validated; undefined if it is not set. */
function connectionSettingAsWritten(): unknown {
  return userSetting(settingKeys.connections);
}

/**
 * The entries of the user's setting, not validated, so that an edit preserves unknown properties.
 * @throws Error with a message for the user if the setting is not a list
 */
export function rawConnectionSetting(): readonly unknown[] {
  const value = connectionSettingAsWritten() ?? [];
  if (Array.isArray(value)) return value;
  throw new Error(
    vscode.l10n.t(
      "The setting inference.connections is not a list, so nothing was changed. Fix the setting first.",
    ),
  );
}

/** @throws Error with VS Code's reason if the user's settings can't be written */
export async function writeConnectionSetting(entries: readonly unknown[]): Promise<void> {
  await vscode.workspace
    .getConfiguration(settingSection)
    .update(settingKeys.connections, entries, vscode.ConfigurationTarget.Global);
}

/** The team's default model for a folder of the workspace; undefined if there is none. */
export function readModelSetting(folder: vscode.Uri | undefined): string | undefined {
  return readModelName(folderSetting(folder, settingKeys.model));
}

/** The model for completions at the cursor, for a folder; undefined for the model of the workspace. */
export function readCompletionModelSetting(folder: vscode.Uri | undefined): string | undefined {
  return readModelName(folderSetting(folder, settingKeys.completionModel));
}

/** Token limit for an answer, at least 1. */
export function readMaxTokensSetting(): number {
  const value = vscode.workspace.getConfiguration(settingSection).get<unknown>(settingKeys.maxTokens);
  return typeof value === "number" && Number.isInteger(value) && value >= 1 ? value : defaultMaxTokens;
}

/** Token cap for a chat or a day; undefined if there is none. Only the user's own settings are read. */
export function readTokenCap(of: "chat" | "day"): number | undefined {
  const value = userSetting(of === "chat" ? settingKeys.tokenCap : settingKeys.dailyTokenCap);
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** Whether each workspace has its own chats, or all workspaces share them. Only the user's own settings are read. */
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

/** The price of a model; undefined unless the user's settings have a valid one. */
export function readPriceSetting(model: string): Price | undefined {
  const parsed = v.safeParse(priceSchema, userSettingOf(settingKeys.prices, model));
  return parsed.success ? parsed.output : undefined;
}

const capabilitiesSchema = v.object({
  toolCalling: v.exactOptional(v.boolean()),
  imageInput: v.exactOptional(v.boolean()),
  pdfInput: v.exactOptional(v.boolean()),
});

/** Capabilities of a model from the user's settings, under its ID or `*` for all models. Ignores invalid values. */
export function readCapabilitySetting(model: string): v.InferOutput<typeof capabilitiesSchema> {
  const read = (name: string): v.InferOutput<typeof capabilitiesSchema> => {
    const parsed = v.safeParse(capabilitiesSchema, userSettingOf(settingKeys.modelCapabilities, name));
    return parsed.success ? parsed.output : {};
  };
  return { ...read("*"), ...read(model) };
}

/** The value in the user's own settings, not validated. A repository must not decide it. */
export function userSetting(key: string): unknown {
  return vscode.workspace.getConfiguration(settingSection).inspect<unknown>(key)?.globalValue;
}

/** The member `name` of a setting that is an object. */
function userSettingOf(key: string, name: string): unknown {
  const parsed = v.safeParse(v.record(v.string(), v.unknown()), userSetting(key));
  return parsed.success && Object.hasOwn(parsed.output, name) ? parsed.output[name] : undefined;
}

/**
 * Globs of files that are excluded from the chat, for a folder or for the workspace. All scopes are joined, so that a
 * repository can't include a file that the user has excluded.
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

/** Globs of files that VS Code hides (`files.exclude`), for a folder or for the workspace. */
export function readHiddenPatterns(folder: vscode.Uri | undefined): readonly string[] {
  return readPatterns(vscode.workspace.getConfiguration("files", folder ?? null).get<unknown>("exclude"));
}

/** Reads a list of patterns, or an object with `true` for each pattern that is on. */
export function readPatterns(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((pattern) => typeof pattern === "string");
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}

/** The text that is sent before each conversation, for a folder; empty if there is none. */
export function readInstructionsSetting(folder: vscode.Uri | undefined): string {
  const value = folderSetting(folder, settingKeys.instructions);
  return typeof value === "string" ? value : "";
}

/** Whether the folder's instruction files are read. */
export function readsInstructionFiles(folder: vscode.Uri): boolean {
  return folderSetting(folder, settingKeys.useInstructionFiles) !== false;
}

function folderSetting(folder: vscode.Uri | undefined, key: string): unknown {
  return vscode.workspace.getConfiguration(settingSection, folder ?? null).get<unknown>(key);
}

const defaultMaxRequests = 25;

/** Requests of one answer with tools until the user is asked. Only the user's own settings are read. */
export function readMaxRequestsSetting(): number {
  const value = userSetting(settingKeys.maxRequests);
  return typeof value === "number" && value >= 1 ? Math.floor(value) : defaultMaxRequests;
}

/** Whether requests are recorded for the list of requests. Only the user's own settings are read. */
export function recordsRequests(): boolean {
  return userSetting(settingKeys.recordRequests) !== false;
}

const defaultCommandTimeout = 120;
/** One hour. */
const maxCommandTimeout = 3600;

/** Seconds after which a command of the model goes on in the background. Only the user's own settings are read. */
export function readCommandTimeoutSetting(): number {
  const value = userSetting(settingKeys.commandTimeout);
  return typeof value === "number" && value >= 1 ? Math.min(value, maxCommandTimeout) : defaultCommandTimeout;
}

/** Seconds without data until the chat says so; 0 for never. Only the user's own settings are read. */
export function readStallSetting(): number {
  const value = userSetting(settingKeys.stallTimeout);
  const isSeconds = typeof value === "number" && value >= 0;
  return isSeconds ? Math.min(value, maxStallSeconds) : defaultStallSeconds;
}

/** The machine that the extension runs on in a remote window. Undefined if there is no other machine to run on. */
export function readSide(): Side | undefined {
  return sideOf(windowFacts());
}

/** The name of the machine that loopback hosts mean here. Undefined if they mean the user's own computer. */
export function readMachineName(): string | undefined {
  return isOnOneOfSeveralMachines(windowFacts()) ? hostname() : undefined;
}

function windowFacts(): WindowFacts {
  const { remoteName, uiKind } = vscode.env;
  const kind = vscode.extensions.getExtension(extensionId)?.extensionKind;
  return {
    remoteName,
    isWeb: uiKind === vscode.UIKind.Web,
    runsWithWindow: kind === vscode.ExtensionKind.UI,
  };
}
