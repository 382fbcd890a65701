import { isFields, readFields, readString } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { readTokens } from "./usage.ts";

/** A model that the key can use. Only `id` is reliable (specification, section 2). */
export interface Model {
  readonly id: string;
  readonly name?: string;
  /** Tokens of question and answer together. */
  readonly contextWindow?: number;
  /** Tokens of one answer. */
  readonly maxOutputTokens?: number;
  readonly ownedBy?: string;
  /** Whether the list says that the model takes a reasoning effort. Absent if the list doesn't say so. */
  readonly takesEffort?: boolean;
}

/** One page of models. Send `next` as `?after_id=`; stop if it is null or repeats. */
export interface ModelPage {
  readonly models: readonly Model[];
  readonly next: string | null;
}

/** Maximum number of models over all pages of a list, because the list is stored and read at each use. */
export const maxModels = 5000;
/** Maximum number of characters of an ID or name. */
const maxNameLength = 200;

/**
 * Reads a model list: an array, or an object with `data` or `models`, possibly inside another `data`. Either member may
 * be null. Entries may be plain IDs.
 * Omits duplicates, entries with invalid or overlong IDs, overlong names, and models beyond `maxModels`. Returns null
 * if the body is not a list.
 */
export function readModelList(body: unknown): ModelPage | null {
  const entries = readEntries(body);
  if (entries === null) return null;
  const models = new Map<string, Model>();
  for (const entry of entries) {
    if (models.size === maxModels) break;
    const model = readModel(entry);
    if (model !== undefined && !models.has(model.id)) models.set(model.id, model);
  }
  return { models: [...models.values()], next: readCursor(body) };
}

function readEntries(body: unknown): readonly unknown[] | null {
  if (Array.isArray(body)) return body;
  if (!isFields(body)) return null;
  const data = readFields(body, "data") ?? {};
  const lists = [body["data"], body["models"], data["data"], data["models"]].filter((list) =>
    Array.isArray(list),
  );
  const filled = lists.find((list) => list.length > 0) ?? lists[0];
  if (filled !== undefined) return filled;
  return body["data"] === null || body["models"] === null ? [] : null;
}

function readCursor(body: unknown): string | null {
  if (!isFields(body) || body["has_more"] !== true) return null;
  return readString(body, "last_id") ?? null;
}

function readModel(entry: unknown): Model | undefined {
  if (typeof entry === "string") return isName(entry) ? { id: entry } : undefined;
  if (!isFields(entry)) return undefined;
  // Some lists put the ID in another member. If the first of these members is not a string, the entry is not a model.
  const idName =
    ["id", "model", "model_name", "slug", "name"].find((member) => entry[member] !== undefined) ?? "id";
  const id = readString(entry, idName);
  if (!isName(id)) return undefined;
  const name = readString(entry, "display_name") ?? readString(entry, "name");
  const ownedBy = readString(entry, "owned_by");
  const groups = limitGroups(entry);
  const contextWindow = firstCount(groups, contextNames);
  const maxOutputTokens = firstCount(groups, outputNames);
  return {
    id,
    ...(isName(name) && name !== id ? { name } : {}),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(isName(ownedBy) ? { ownedBy } : {}),
    ...(saysEffort(entry) ? { takesEffort: true } : {}),
  };
}

/**
 * Whether a text is a valid ID or name. Rejects overlong ones: truncating could leave part of a key that we could no
 * longer detect.
 */
function isName(text: string | undefined): text is string {
  return text !== undefined && text !== "" && text.length <= maxNameLength;
}

/** Members with the tokens of question and answer together; the last four count the question only. */
const contextNames = [
  "loaded_context_length",
  "max_model_len",
  "context_length",
  "context_window",
  "max_context_length",
  "max_context_window_tokens",
  "context_size",
  "max_context_tokens",
  "max_seq_len",
  "n_ctx",
  "context",
  "contextLength",
  "contextWindow",
  "availableContextTokens",
  "inputTokenLimit",
  "max_input_tokens",
  "max_input_token_length",
  "max_prompt_tokens",
];
const outputNames = [
  "max_output_tokens",
  "max_completion_tokens",
  "max_output_length",
  "max_output_token_length",
  "maxOutputTokens",
  "outputTokenLimit",
  "max_tokens",
  "output",
];

const groupNames = [
  "limits",
  "limit",
  "token_limits",
  "context_window",
  "top_provider",
  "model_info",
  "model_spec",
  "meta",
  "metadata",
];

/** Returns the entry and the objects inside it that may hold limits of the model. */
function limitGroups(entry: Fields): readonly Fields[] {
  const capabilities = readFields(entry, "capabilities") ?? {};
  const groups = [readFields(capabilities, "limits"), ...groupNames.map((name) => readFields(entry, name))];
  return [entry, ...groups.filter((group) => group !== undefined)];
}

const effortNames: ReadonlySet<unknown> = new Set(["reasoning_effort", "reasoning", "thinking", "effort"]);

/** Whether an entry names reasoning as a parameter or a feature: in a list, or as a member that is not off. */
function saysEffort(entry: Fields): boolean {
  const { supported_parameters: parameters, capabilities, features } = entry;
  const info = readFields(entry, "model_info") ?? {};
  if (entry["supports_reasoning"] === true || info["supports_reasoning"] === true) return true;
  if ([parameters, capabilities, features].some((list) => hasEffortName(list))) return true;
  if (!isFields(capabilities)) return false;
  return [capabilities, readFields(capabilities, "supports") ?? {}].some((group) =>
    Object.entries(group).some(([name, value]) => effortNames.has(name) && isOn(value)),
  );
}

function hasEffortName(list: unknown): boolean {
  return Array.isArray(list) && list.some((name) => effortNames.has(name));
}

/** Whether a feature is on: `true`, a list of its values, or an object with `supported`. */
function isOn(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (isFields(value) && value["supported"] === true);
}

function firstCount(groups: readonly Fields[], names: readonly string[]): number | undefined {
  return groups
    .flatMap((group) => names.map((name) => readTokens(group, name)))
    .find((count) => count !== undefined && count > 0);
}
