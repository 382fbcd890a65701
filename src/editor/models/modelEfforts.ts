import * as v from "valibot";
import * as vscode from "vscode";
import type { Addressee } from "../../client/request/requestMemory.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { commandIds, settingKeys, settingSection } from "../../contributions.ts";
import type { Effort } from "../../protocol/conversation/conversation.ts";
import { type ClientStyle, styleFacts } from "../../protocol/conversation/wireStyle.ts";
import {
  effortLevels,
  maxBudgetTokens,
  minBudgetTokens,
  thinkingField,
} from "../../protocol/encode/effort.ts";
import { fieldOf } from "../../protocol/encode/adaptation.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { addresseeOf } from "../service/modelCapabilities.ts";
import { showInformation } from "../shared/notices.ts";
import type { State } from "../workspace/state.ts";
import type { ModelCatalog } from "./modelCatalog.ts";

const stateKey = "inference.efforts";
/** Maximum number of remembered models. The least recently changed model is dropped first. */
const maxModels = 200;

const effortSchema = v.object({
  level: v.exactOptional(v.picklist(effortLevels)),
  budgetTokens: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(minBudgetTokens))),
});
const effortsSchema = v.record(v.string(), effortSchema);

interface ModelEffortsOptions {
  readonly state: State;
  readonly catalog: ModelCatalog;
  readonly compatibility: CompatibilityStore;
}

/** `refused`: the service refused the field. `unknown`: no probe has tested it, and the list of models doesn't say. */
export type EffortSupport = "yes" | "refused" | "unknown";

/** The effort that the user selected for each model, and which models take one. */
export class ModelEfforts implements vscode.Disposable {
  readonly #options: ModelEffortsOptions;
  readonly #changed = new vscode.EventEmitter<void>();

  /** Fires when another effort is selected. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ModelEffortsOptions) {
    this.#options = options;
  }

  /** Whether a model takes an effort. A refusal counts most, then a probe, then the list of models. */
  supportOf(connection: Connection, model: string, clientStyle: ClientStyle): EffortSupport {
    const { compatibility, catalog } = this.#options;
    const addressee = addresseeOf(connection, model, clientStyle);
    const { learnt } = compatibility.seen(addressee);
    const { field } = styleFacts[clientStyle].effort;
    const isRefused = learnt.some(({ adaptation }) => isOmitted(adaptation, field));
    const seen = compatibility.stateOf(addressee, "effort");
    if (isRefused || seen === "no") return "refused";
    const listed = catalog.lastKnown(connection)?.models.find(({ id }) => id === model);
    return seen === "yes" || listed?.takesEffort === true ? "yes" : "unknown";
  }

  /** The effort of the next question. Undefined if it is off, or if the model is not known to take one. */
  effortOf(connection: Connection, model: string, clientStyle: ClientStyle): Effort | undefined {
    if (this.supportOf(connection, model, clientStyle) !== "yes") return undefined;
    const effort = this.#efforts()[keyOf(addresseeOf(connection, model, clientStyle))];
    return effort?.[styleFacts[clientStyle].effort.member] === undefined ? undefined : effort;
  }

  /** @param effort undefined for off */
  async select(addressee: Addressee, effort: Effort | undefined): Promise<void> {
    const { [keyOf(addressee)]: _before, ...others } = this.#efforts();
    const added = effort === undefined ? [] : [[keyOf(addressee), effort] as const];
    const kept = [...Object.entries(others), ...added].slice(-maxModels);
    const written = this.#options.state.update(stateKey, Object.fromEntries(kept));
    this.#changed.fire();
    await written;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #efforts(): Readonly<Record<string, Effort>> {
    const parsed = v.safeParse(effortsSchema, this.#options.state.get(stateKey));
    return parsed.success ? parsed.output : {};
  }
}

type LearntAdaptation = ReturnType<CompatibilityStore["seen"]>["learnt"][number]["adaptation"];

/** For Messages, `omit` with the field `thinking` is about blocks of earlier turns. */
function isOmitted(adaptation: LearntAdaptation, field: string): boolean {
  if (adaptation.kind === "omit-thinking") return fieldOf(adaptation) === field;
  return adaptation.kind === "omit" && adaptation.field === field && field !== thinkingField;
}

function keyOf({ origin, model, clientStyle }: Addressee): string {
  return JSON.stringify([origin, model, clientStyle]);
}

/** The name of an effort, as the composer and the list show it. */
export function effortTitle(effort: Effort | undefined): string {
  if (effort?.budgetTokens !== undefined)
    return vscode.l10n.t("{0} tokens", formatTokens(effort.budgetTokens));
  switch (effort?.level) {
    case undefined:
      return vscode.l10n.t("Off");
    case "low":
      return vscode.l10n.t("Low");
    case "medium":
      return vscode.l10n.t("Medium");
    case "high":
      return vscode.l10n.t("High");
  }
}

function formatTokens(tokens: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(tokens);
}

/** The model that an effort is selected for. */
export interface EffortSubject {
  readonly connection: Connection;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  /** Token limit of an answer, with its reasoning. */
  readonly maxTokens: number;
}

/**
 * Asks for the effort of a model and keeps it. Says why if the model is not known to take one. Resolves to false if
 * something else was opened, which then has the focus.
 */
export async function selectEffort(efforts: ModelEfforts, subject: EffortSubject): Promise<boolean> {
  const { connection, model, clientStyle } = subject;
  const support = efforts.supportOf(connection, model, clientStyle);
  if (support !== "yes") return explainSupport(support, model);
  const current = efforts.effortOf(connection, model, clientStyle);
  const chosen = await pickEffort(subject, current);
  if (chosen === undefined) return true;
  if (chosen === "change-limit") {
    const setting = `@id:${settingSection}.${settingKeys.maxTokens}`;
    await vscode.commands.executeCommand("workbench.action.openSettings", setting);
    return false;
  }
  await efforts.select(addresseeOf(connection, model, clientStyle), chosen === "off" ? undefined : chosen);
  return true;
}

async function explainSupport(support: Exclude<EffortSupport, "yes">, model: string): Promise<boolean> {
  const verify = vscode.l10n.t("Verify Compatibility...");
  const text =
    support === "refused"
      ? vscode.l10n.t(
          "The service refused a reasoning effort for {0}. Select another model, or verify again.",
          model,
        )
      : vscode.l10n.t(
          "It isn't known whether {0} takes a reasoning effort. Verify its compatibility first.",
          model,
        );
  if ((await showInformation(text, verify)) !== verify) return false;
  await vscode.commands.executeCommand(commandIds.verifyCompatibility);
  return false;
}

type EffortChoice = Effort | "off" | "change-limit";

interface EffortItem extends vscode.QuickPickItem {
  readonly choice?: EffortChoice;
}

/** Shows the efforts of the client style. Resolves to undefined on Escape. */
async function pickEffort(
  subject: EffortSubject,
  current: Effort | undefined,
): Promise<EffortChoice | undefined> {
  const { model, clientStyle, maxTokens } = subject;
  const picker = vscode.window.createQuickPick<EffortItem>();
  const isBudget = styleFacts[clientStyle].effort.member === "budgetTokens";
  const render = (): void => {
    picker.items = isBudget ? budgetItems(maxTokens, current, picker.value.trim()) : levelItems(current);
  };
  picker.title = vscode.l10n.t("Effort of {0}", model);
  picker.placeholder = isBudget
    ? vscode.l10n.t("Select the thinking budget, or type a number of tokens")
    : vscode.l10n.t("Select how much the model reasons before it answers");
  picker.onDidChangeValue(() => {
    if (isBudget) render();
  });
  render();
  const active = picker.items.find(({ choice }) => isSame(choice, current));
  if (active !== undefined) picker.activeItems = [active];
  try {
    return await new Promise<EffortChoice | undefined>((resolve) => {
      picker.onDidAccept(() => {
        const choice = picker.selectedItems[0]?.choice;
        if (choice !== undefined) resolve(choice);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function isSame(choice: EffortChoice | undefined, current: Effort | undefined): boolean {
  if (choice === undefined || choice === "change-limit") return false;
  if (choice === "off") return current === undefined;
  return choice.level === current?.level && choice.budgetTokens === current?.budgetTokens;
}

function levelItems(current: Effort | undefined): readonly EffortItem[] {
  return [offItem(current), ...effortLevels.map((level) => effortItem({ level }, current))];
}

function offItem(current: Effort | undefined): EffortItem {
  return {
    ...itemOf("off", effortTitle(undefined), current),
    detail: vscode.l10n.t("Sends no effort. The service decides."),
  };
}

function effortItem(effort: Effort, current: Effort | undefined): EffortItem {
  return itemOf(effort, effortTitle(effort), current);
}

function itemOf(choice: EffortChoice, label: string, current: Effort | undefined): EffortItem {
  return {
    label,
    choice,
    ...(isSame(choice, current) ? { description: vscode.l10n.t("in use") } : {}),
  };
}

/** Budgets that are offered, in tokens. */
const budgetSteps = [1024, 2048, 4096, 8192, 16_384, 32_768];

function budgetItems(maxTokens: number, current: Effort | undefined, typed: string): readonly EffortItem[] {
  const budgets = new Set(budgetSteps.filter((step) => step <= maxBudgetTokens(maxTokens)));
  if (current?.budgetTokens !== undefined) budgets.add(current.budgetTokens);
  const typedRows = typedItems(maxTokens, current, typed);
  const sorted = [...budgets]
    .filter((budgetTokens) => !typedRows.some(({ choice }) => isSame(choice, { budgetTokens })))
    .toSorted((one, other) => one - other);
  return [
    ...typedRows,
    offItem(current),
    ...sorted.map((budgetTokens) => effortItem({ budgetTokens }, current)),
    {
      label: vscode.l10n.t("Change Token Limit"),
      detail: vscode.l10n.t(
        "A budget leaves a quarter of the token limit for the answer. The limit is {0}.",
        formatTokens(maxTokens),
      ),
      choice: "change-limit",
    },
  ];
}

/** A row for a typed number, or a row without a choice that says which numbers are valid. */
function typedItems(maxTokens: number, current: Effort | undefined, typed: string): readonly EffortItem[] {
  if (typed === "") return [];
  const digits = typed.replaceAll(/[\s.,_'’]/g, "");
  const budgetTokens = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
  const most = maxBudgetTokens(maxTokens);
  if (budgetTokens >= minBudgetTokens && budgetTokens <= most)
    return [{ ...effortItem({ budgetTokens }, current), alwaysShow: true }];
  const label =
    most >= minBudgetTokens
      ? vscode.l10n.t("Type a number from {0} to {1}", formatTokens(minBudgetTokens), formatTokens(most))
      : vscode.l10n.t("The token limit is too low for a thinking budget");
  return [{ label, alwaysShow: true }];
}
