import * as vscode from "vscode";
import { withoutExposedKeys } from "../../connection/exposedKeys/exposedKeys.ts";
import {
  readRequestFields,
  requestFieldLimits,
  requestFieldsOf,
  type RequestFieldProblem,
} from "../../connection/setup/requestFields.ts";
import { settingKeys, settingSection } from "../../contributions.ts";
import type { ChatRequest } from "../../protocol/conversation/conversation.ts";
import type { Fields } from "../../protocol/conversation/json.ts";
import { type ClientStyle, styleFacts } from "../../protocol/conversation/wireStyle.ts";
import { minBudgetTokens } from "../../protocol/encode/effort.ts";
import { wireStyles } from "../../protocol/styles/wireStyles.ts";
import { reportError, showWarning } from "../shared/notices.ts";
import { userSetting } from "../workspace/settings.ts";
import type { SearchedKeys } from "./searchedKeys.ts";

const settingId = `${settingSection}.${settingKeys.requestFields}`;

/** Reports each problem of the setting `inference.chat.requestFields` once per window. */
export class RequestFieldNotices implements vscode.Disposable {
  readonly #shown = new Set<string>();
  readonly #watching = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(settingId)) this.#showProblems();
  });

  constructor() {
    this.#showProblems();
  }

  dispose(): void {
    this.#watching.dispose();
  }

  #showProblems(): void {
    const { problems } = readRequestFields(userSetting(settingKeys.requestFields));
    const texts = problems.filter(({ kind }) => kind !== "reserved").map(describe);
    const reserved = problems.flatMap((problem) => (problem.kind === "reserved" ? [problem.field] : []));
    const fresh = [...new Set(reserved)].filter((field) => !this.#shown.has(`reserved ${field}`));
    for (const field of fresh) this.#shown.add(`reserved ${field}`);
    // One notice for all of them, because they share the reason.
    if (fresh.length > 0) reportError(warn(reservedText(fresh)));
    for (const text of texts) {
      if (this.#shown.has(text)) continue;
      this.#shown.add(text);
      reportError(warn(text));
    }
  }
}

/** The user's own fields of requests, as they are sent. */
export class RequestFields {
  readonly #searchedKeys: Pick<SearchedKeys, "list">;
  readonly #shown = new Set<string>();

  constructor(searchedKeys: Pick<SearchedKeys, "list">) {
    this.#searchedKeys = searchedKeys;
  }

  /** The fields for a model, without those that contain a stored key. Tells the user about each of these once. */
  async of(model: string): Promise<Fields> {
    const fields = requestFieldsOf(readRequestFields(userSetting(settingKeys.requestFields)), model);
    const named = Object.entries(fields);
    if (named.length === 0) return {};
    const keys = await this.#searchedKeys.list();
    const hasKey = (text: string): boolean => withoutExposedKeys(text, keys).connectionNames.length > 0;
    const kept = named.filter(([field, value]) => {
      const isNameKey = hasKey(field);
      const isKept = !isNameKey && !textsIn(value).some(hasKey);
      if (!isKept) this.#tell(isNameKey ? "" : field);
      return isKept;
    });
    return Object.fromEntries(kept);
  }

  /** Tells the user once which fields an effort replaces, or can't be sent with thinking or with the token limit. */
  tellWithheld(clientStyle: ClientStyle, request: ChatRequest): void {
    const { fields = {}, ...others } = request;
    const names = Object.keys(fields);
    if (names.length === 0) return;
    const style = wireStyles[clientStyle];
    const body = style.encodeRequest({ ...request, messages: [] });
    const { field } = styleFacts[clientStyle].effort;
    const isEffortSent = field in style.encodeRequest({ ...others, messages: [] });
    const withheld = names.filter((name) => (name === field && isEffortSent) || !(name in body));
    const fresh = withheld.filter((name) => !this.#shown.has(`withheld ${name}`));
    for (const name of fresh) this.#shown.add(`withheld ${name}`);
    // Without a thinking budget that fits, no other field is withheld.
    if (fresh.length > 0)
      reportError(
        warn(fresh.includes(field) && !isEffortSent ? budgetText(field) : withheldText(fresh, isEffortSent)),
      );
  }

  #tell(field: string): void {
    if (this.#shown.has(field)) return;
    this.#shown.add(field);
    reportError(warn(secretText(field)));
  }
}

/** All texts in a value, and the names in it. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

async function warn(text: string): Promise<void> {
  const open = vscode.l10n.t("Open Settings");
  if ((await showWarning(text, open)) === open)
    await vscode.commands.executeCommand("workbench.action.openSettings", `@id:${settingId}`);
}

function describe(problem: RequestFieldProblem): string {
  const t = vscode.l10n.t;
  switch (problem.kind) {
    case "not-an-object":
      return t(
        "The setting inference.chat.requestFields is ignored because it isn't an object. Enter model IDs with their fields.",
      );
    case "entry":
      return t(
        "The entry '{0}' in inference.chat.requestFields is ignored because it isn't an object. Enter fields with their values.",
        problem.model,
      );
    case "entry-too-large":
      return t(
        "The entry '{0}' in inference.chat.requestFields is ignored because it is too large. Enter at most {1} fields with {2} characters.",
        problem.model,
        requestFieldLimits.count,
        requestFieldLimits.characters,
      );
    case "reserved":
      return reservedText([problem.field]);
    case "service-tools":
      return t(
        "The field '{0}' in inference.chat.requestFields is ignored because it lets the service run tools without asking you. Remove it from the setting.",
        problem.field,
      );
    case "secret":
      return secretText(problem.field);
    case "value":
      return t(
        "The field '{0}' in inference.chat.requestFields is ignored because its value isn't valid JSON or has more than {1} levels. Enter a simpler value.",
        problem.field,
        requestFieldLimits.nesting,
      );
    case "name":
      return t(
        "A field of '{0}' in inference.chat.requestFields is ignored because its name is invalid. Enter a name of 1 to {1} visible characters.",
        problem.model,
        requestFieldLimits.name,
      );
  }
}

function reservedText(fields: readonly string[]): string {
  const names = fields.map((field) => `'${field}'`).join(", ");
  return fields.length === 1
    ? vscode.l10n.t(
        "The field {0} in inference.chat.requestFields is ignored because Inference Chat sets it itself. Remove it from the setting.",
        names,
      )
    : vscode.l10n.t(
        "These fields in inference.chat.requestFields are ignored because Inference Chat sets them itself: {0}. Remove them from the setting.",
        names,
      );
}

function withheldText(fields: readonly string[], isEffortSent: boolean): string {
  const names = fields.map((field) => `'${field}'`).join(", ");
  return isEffortSent
    ? vscode.l10n.t(
        "Fields in inference.chat.requestFields are not sent together with the selected effort: {0}. To send them, set the effort to Off.",
        names,
      )
    : vscode.l10n.t(
        "Fields in inference.chat.requestFields are not sent together with the field 'thinking': {0}. To send them, remove 'thinking'.",
        names,
      );
}

function budgetText(field: string): string {
  return vscode.l10n.t(
    "The field '{0}' in inference.chat.requestFields is not sent because the token limit is too low for a thinking budget. Remove the field, or set inference.maxTokens to more than {1}.",
    field,
    minBudgetTokens,
  );
}

/** @param field empty if the name itself is a key */
function secretText(field: string): string {
  if (field === "")
    return vscode.l10n.t(
      "A field in inference.chat.requestFields is not sent because its name seems to contain an API key. Remove the key from the settings, and revoke it at the service.",
    );
  return vscode.l10n.t(
    "The field '{0}' in inference.chat.requestFields is not sent because it seems to contain an API key. Remove the key from the settings, and revoke it at the service.",
    field,
  );
}
