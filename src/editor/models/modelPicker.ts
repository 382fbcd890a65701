import * as vscode from "vscode";
import { InferenceError } from "../../client/failure/failure.ts";
import type { RetryNotice } from "../../client/request/retrying.ts";
import { type Connection, readModelName } from "../../connection/setup/connection.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import { describeModelProblem } from "../../connection/setup/inputTexts.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import { toAbortSignal } from "../shared/abort.ts";
import { reportError, showProgress } from "../shared/notices.ts";
import { showFailure } from "../failures/failureNotice.ts";
import type { ModelSources } from "./registerModels.ts";
import type { Price } from "../../chat/transcript/usage.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { addresseeOf, capabilitiesOf, type Capability } from "../service/modelCapabilities.ts";
import { readPriceSetting } from "../workspace/settings.ts";
import { fallbackModel, type WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** Returns undefined if listing fails or is canceled. A failure is shown, and the user can still choose. */
export async function refreshWithProgress(
  { catalog, clients, connections }: ModelSources,
  connection: Connection,
): Promise<readonly Model[] | undefined> {
  const title = vscode.l10n.t("Loading models from '{0}'", connection.name);
  const location = vscode.ProgressLocation.Notification;
  try {
    const listing = await showProgress({ location, title, cancellable: true }, async (progress, token) => {
      const { diagnose } = await clients.serviceOf(connection);
      const onRetry = (notice: RetryNotice): void =>
        progress.report({ message: retryMessage(notice, diagnose(notice.error)) });
      return catalog.refresh(connection, toAbortSignal(token), onRetry);
    });
    return listing.models;
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    if (error.failure.kind === "cancelled") return undefined;
    const { diagnose } = await clients.serviceOf(connection);
    // Not awaited: the notice stays open while the user continues to choose.
    reportError(showFailure({ connectionName: connection.name, connections }, diagnose(error)));
    return undefined;
  }
}

function retryMessage({ waitMs, attempt, of }: RetryNotice, { title }: Diagnosis): string {
  const seconds = Math.ceil(waitMs / 1000);
  return vscode.l10n.t("{0}. Trying again in {1} s ({2} of {3})", title, seconds, attempt, of);
}

/** A model of a connection, as the user has picked it. */
export interface ModelChoice {
  readonly connection: Connection;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  readonly from: "list" | "typed";
  /** Whether the user picked the model for new chats of the workspace as well. */
  readonly isForWorkspace: boolean;
}

type PickedModel = Pick<ModelChoice, "connection" | "model" | "clientStyle">;

interface ModelPicker {
  readonly title: string;
  readonly placeholder: string;
  /** The connections whose models are offered. The models of the first one are listed at once if they are unknown. */
  readonly connections: readonly [Connection, ...Connection[]];
  /** The client styles that are offered for a connection, the first one first. */
  readonly stylesOf: (connection: Connection) => readonly ClientStyle[];
  /** The model that is marked, with its mark, such as "in use". */
  readonly marked?: {
    readonly picked: Omit<PickedModel, "connection"> & { readonly connection: string };
    readonly mark: string;
  };
  /** Models of the first connection that are offered if its list is empty, or has no such model. */
  readonly unlisted: readonly string[];
  /** Whether `unlisted` are offered above a list, too. */
  readonly isAboveList?: boolean;
  /** Whether the first row that is not marked is active at first. */
  readonly skipsMarked?: boolean;
  /** Whether a row offers to use the model for new chats of the workspace as well. */
  readonly offersWorkspace?: boolean;
}

/** The models of a connection, or why they are not there. */
type Listing =
  | { readonly kind: "models"; readonly models: readonly Model[] }
  /** The models are listed only if the user asks, because that sends a request with the connection's key. */
  | { readonly kind: "unknown" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly diagnosis: Diagnosis };

interface ModelItem extends vscode.QuickPickItem {
  readonly choice?: ModelChoice;
  /** The connection whose models are listed when the row is accepted. */
  readonly lists?: Connection;
}

/** Maximum number of rows for models that were used recently, of all connections together. */
const maxRecent = 5;

/**
 * Lets the user pick a model, by connection, with what is known about each. Lists the models of the first connection,
 * and those of others only when the user asks for them. Resolves to undefined on Escape.
 */
export async function pickModel(
  sources: ModelSources,
  options: ModelPicker,
): Promise<ModelChoice | undefined> {
  const [first] = options.connections;
  const rows = new ModelRows(sources, options);
  // No request goes to a connection that the user has not selected here.
  if (rows.isUnknown(first) && sources.connections.isSelected(first)) await rows.listFirst();
  const picker = vscode.window.createQuickPick<ModelItem>();
  const leaving = new AbortController();
  const render = (): void => {
    const items = rows.items(picker.value.trim());
    // New items make the first row active again, even while the user presses arrow keys. So set them only if changed.
    if (!areSame(items, picker.items)) picker.items = items;
  };
  const list = async (connection: Connection): Promise<void> => {
    picker.busy = true;
    try {
      await rows.list(connection, leaving.signal, render);
    } finally {
      picker.busy = false;
    }
  };
  picker.title = options.title;
  picker.placeholder = options.placeholder;
  picker.matchOnDescription = true;
  picker.ignoreFocusOut = true;
  picker.buttons = [
    { iconPath: new vscode.ThemeIcon("refresh"), tooltip: vscode.l10n.t("Refresh Model List") },
  ];
  picker.onDidChangeValue(render);
  const refresh = async (): Promise<void> => {
    picker.busy = true;
    try {
      await rows.listFirst();
      render();
    } finally {
      picker.busy = false;
    }
  };
  picker.onDidTriggerButton(() => reportError(refresh()));
  render();
  const active = picker.items.find(({ choice }) => choice !== undefined && !rows.isMarked(choice));
  if (options.skipsMarked === true && active !== undefined) picker.activeItems = [active];
  const chosen = await new Promise<ModelChoice | undefined>((resolve) => {
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item?.choice !== undefined) resolve(item.choice);
      if (item?.lists !== undefined) reportError(list(item.lists));
    });
    picker.onDidTriggerItemButton(({ item: { choice } }) => {
      if (choice !== undefined) resolve({ ...choice, isForWorkspace: true });
    });
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  leaving.abort();
  picker.dispose();
  return chosen;
}

/** The rows of a picker, made of the lists that are known so far. */
class ModelRows {
  readonly #sources: ModelSources;
  readonly #options: ModelPicker;
  readonly #first: Connection;
  readonly #listings: Map<string, Listing>;

  constructor(sources: ModelSources, options: ModelPicker) {
    this.#sources = sources;
    this.#options = options;
    [this.#first] = options.connections;
    this.#listings = new Map(
      options.connections.map((connection) => {
        const models = sources.catalog.cached(connection)?.models;
        return [connection.name, models === undefined ? { kind: "unknown" } : { kind: "models", models }];
      }),
    );
  }

  isUnknown(connection: Connection): boolean {
    return this.#listingOf(connection).kind === "unknown";
  }

  isMarked({ connection, model, clientStyle }: PickedModel): boolean {
    const picked = this.#options.marked?.picked;
    return (
      picked?.connection === connection.name && picked.model === model && picked.clientStyle === clientStyle
    );
  }

  /** Lists the models of the first connection, and shows a failure with its remedies. A known list stays then. */
  async listFirst(): Promise<void> {
    const models = await refreshWithProgress(this.#sources, this.#first);
    if (models !== undefined) this.#listings.set(this.#first.name, { kind: "models", models });
    else if (this.isUnknown(this.#first))
      this.#listings.set(this.#first.name, { kind: "models", models: [] });
  }

  /** Lists the models of a connection, because the user asks for them. A failure becomes a row. */
  async list(connection: Connection, signal: AbortSignal, render: () => void): Promise<void> {
    if (this.#listingOf(connection).kind === "loading") return;
    this.#listings.set(connection.name, { kind: "loading" });
    render();
    this.#listings.set(connection.name, await this.#listed(connection, signal));
    if (!signal.aborted) render();
  }

  items(typed: string): readonly ModelItem[] {
    const { connections } = this.#options;
    const id = readModelName(typed) ?? "";
    const recent = connections.length === 1 ? [] : this.#recent();
    const groups = connections.flatMap((connection) => this.#group(connection, id, recent));
    const rows = [...section(vscode.l10n.t("Recently used"), recent), ...groups];
    const refusal = refusalOf(typed, rows);
    // The rows that list models are always shown, but nothing is to be listed for a refused text.
    return refusal === undefined ? rows : [...rows.filter(({ lists }) => lists === undefined), refusal];
  }

  async #listed(connection: Connection, signal: AbortSignal): Promise<Listing> {
    const { catalog, clients } = this.#sources;
    try {
      const { models } = await catalog.refresh(connection, signal);
      return { kind: "models", models };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      if (error.failure.kind === "cancelled") return { kind: "unknown" };
      const { diagnose } = await clients.serviceOf(connection);
      return { kind: "failed", diagnosis: diagnose(error) };
    }
  }

  #listingOf(connection: Connection): Listing {
    return this.#listings.get(connection.name) ?? { kind: "unknown" };
  }

  #recent(): readonly ModelItem[] {
    return this.#options.connections
      .flatMap((connection) =>
        this.#sources.connections.recentModels(connection).flatMap((id) => {
          const listing = this.#listingOf(connection);
          const listed =
            listing.kind === "models" ? listing.models.find((model) => model.id === id) : undefined;
          const [clientStyle] = this.#options.stylesOf(connection);
          return clientStyle === undefined ? [] : [this.#row(connection, clientStyle, listed ?? { id }, "")];
        }),
      )
      .slice(0, maxRecent);
  }

  #group(connection: Connection, typed: string, recent: readonly ModelItem[]): readonly ModelItem[] {
    const { connections, stylesOf } = this.#options;
    const listing = this.#listingOf(connection);
    const models = this.#modelsOf(connection, listing);
    const isRecent = ({ choice }: ModelItem): boolean =>
      recent.some((each) => each.choice !== undefined && isSameModel(each.choice, choice));
    const rows = stylesOf(connection).flatMap((clientStyle, index) => [
      ...(index === 0 ? [] : [separator("")]),
      ...models
        .map(({ model, note }) => this.#row(connection, clientStyle, model, note))
        .filter((row) => !isRecent(row)),
      ...(typed === "" || models.some(({ model }) => model.id === typed)
        ? []
        : [this.#typedRow(connection, clientStyle, typed)]),
    ]);
    const all = [...rows, ...listingRow(connection, listing)];
    return connections.length === 1 ? all : section(connection.name, all);
  }

  /** The models of a group, recently used ones first, with a note on why an unlisted model is offered. */
  #modelsOf(
    connection: Connection,
    listing: Listing,
  ): readonly { readonly model: Model; readonly note: string }[] {
    const { unlisted, isAboveList } = this.#options;
    const { connections } = this.#sources;
    const isFirst = connection === this.#first;
    if (listing.kind !== "models" || listing.models.length === 0) {
      if (!isFirst) return [];
      return [...new Set([...unlisted, fallbackModel])].map((id) => ({
        model: { id },
        note: noteFor(id, unlisted),
      }));
    }
    const recent = connections.recentModels(connection);
    const listed = listing.models.toSorted((one, other) => placeIn(recent, one) - placeIn(recent, other));
    const above = isFirst && isAboveList === true ? unlisted : [];
    const others = above.filter((id) => !listed.some((model) => model.id === id)).map((id) => ({ id }));
    return [...others, ...listed].map((model) => ({ model, note: "" }));
  }

  #row(connection: Connection, clientStyle: ClientStyle, model: Model, note: string): ModelItem {
    const { marked, offersWorkspace } = this.#options;
    const listing = this.#listingOf(connection);
    const isListed = listing.kind === "models" && listing.models.some(({ id }) => id === model.id);
    const choice: ModelChoice = {
      connection,
      model: model.id,
      clientStyle,
      from: isListed ? "list" : "typed",
      isForWorkspace: false,
    };
    const isMarked = this.isMarked(choice);
    const facts = this.#factsOf(connection, clientStyle, model);
    return {
      label: model.id,
      description: [
        ...this.#placeOf(connection, clientStyle),
        ...(isMarked && marked !== undefined ? [marked.mark] : []),
        ...(model.name !== undefined && model.name !== model.id ? [model.name] : []),
        ...(note === "" ? [] : [note]),
      ].join(" · "),
      ...(facts === "" ? {} : { detail: facts }),
      ...(offersWorkspace === true
        ? {
            buttons: [
              { iconPath: new vscode.ThemeIcon("pinned"), tooltip: vscode.l10n.t("Use for New Chats Too") },
            ],
          }
        : {}),
      choice,
    };
  }

  #typedRow(connection: Connection, clientStyle: ClientStyle, model: string): ModelItem {
    const description = [...this.#placeOf(connection, clientStyle), vscode.l10n.t("use this model ID")];
    return {
      label: model,
      description: description.join(" · "),
      alwaysShow: true,
      choice: { connection, model, clientStyle, from: "typed", isForWorkspace: false },
    };
  }

  /** Names the connection and client style, if there are several. VS Code sorts the rows of a search, without groups. */
  #placeOf(connection: Connection, clientStyle: ClientStyle): readonly string[] {
    const { connections, stylesOf } = this.#options;
    return [
      ...(connections.length === 1 ? [] : [connection.name]),
      ...(stylesOf(this.#first).length === 1 ? [] : [clientStyle]),
    ];
  }

  /** The known facts about a model: context window, capabilities and price. Empty if there are none. */
  #factsOf(connection: Connection, clientStyle: ClientStyle, { id, contextWindow }: Model): string {
    const t = vscode.l10n.t;
    const numbers = new Intl.NumberFormat(vscode.env.language, { notation: "compact" });
    const { tools, images, pdf } = capabilitiesOf(
      this.#sources.compatibility,
      addresseeOf(connection, id, clientStyle),
    );
    const price = readPriceSetting(id);
    return [
      ...(contextWindow === undefined ? [] : [t("Context window: {0}", numbers.format(contextWindow))]),
      ...factOf(tools, t("Tools"), t("No tools")),
      ...factOf(images, t("Images"), t("No images")),
      ...factOf(pdf, t("PDF files"), t("No PDF files")),
      ...(price === undefined ? [] : [priceText(price)]),
    ].join(" · ");
  }
}

/**
 * Says why the typed text is refused as a model ID, for example because it is a key. A part of a row is not refused,
 * because it filters the list.
 */
function refusalOf(typed: string, rows: readonly ModelItem[]): ModelItem | undefined {
  const lower = typed.toLowerCase();
  const isPart = rows.some(({ label, description }) =>
    [label, description].some((text) => text?.toLowerCase().includes(lower)),
  );
  const problem = typed === "" || isPart ? undefined : describeModelProblem(typed, vscode.l10n.t);
  return problem === undefined ? undefined : { label: problem, alwaysShow: true };
}

/** The row that lists a connection's models, or says why they are not there. */
function listingRow(connection: Connection, listing: Listing): readonly ModelItem[] {
  const { name } = connection;
  switch (listing.kind) {
    case "models":
      return [];
    case "unknown":
      return [{ label: vscode.l10n.t("Load Models From '{0}'", name), alwaysShow: true, lists: connection }];
    case "loading":
      return [{ label: vscode.l10n.t("Loading models from '{0}'", name), alwaysShow: true }];
    case "failed":
      return [
        {
          label: vscode.l10n.t("Load Models From '{0}' Again", name),
          description: listing.diagnosis.title,
          detail: listing.diagnosis.explanation,
          alwaysShow: true,
          lists: connection,
        },
      ];
  }
}

function factOf({ has, by }: Capability, can: string, cannot: string): readonly string[] {
  if (has) return [can];
  return by === "nothing" || by === "unclear" ? [] : [cannot];
}

function priceText({ input, output, currency }: Price): string {
  const money = new Intl.NumberFormat(vscode.env.language, {
    style: "currency",
    currency,
    maximumFractionDigits: 4,
  });
  return vscode.l10n.t("{0} input, {1} output per million tokens", money.format(input), money.format(output));
}

function noteFor(model: string, used: readonly string[]): string {
  return used.includes(model)
    ? vscode.l10n.t("used in this workspace (couldn't load the model list)")
    : vscode.l10n.t("default if no model is set (couldn't load the model list)");
}

/** The place among the recent models; behind them if it is none of them. */
function placeIn(recent: readonly string[], { id }: Model): number {
  const place = recent.indexOf(id);
  return place === -1 ? recent.length : place;
}

function isSameModel(one: ModelChoice, other: ModelChoice | undefined): boolean {
  return (
    one.connection === other?.connection && one.model === other.model && one.clientStyle === other.clientStyle
  );
}

function section(label: string, items: readonly ModelItem[]): readonly ModelItem[] {
  return items.length === 0 ? [] : [separator(label), ...items];
}

function separator(label: string): ModelItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function areSame(rows: readonly vscode.QuickPickItem[], others: readonly vscode.QuickPickItem[]): boolean {
  return (
    rows.length === others.length &&
    rows.every(
      ({ label, description, detail }, index) =>
        label === others[index]?.label &&
        description === others[index]?.description &&
        detail === others[index]?.detail,
    )
  );
}

/** Uses a model for new chats of the workspace, with its connection. */
export async function useModel(
  connections: WorkspaceConnections,
  { connection, model, from }: ModelChoice,
): Promise<void> {
  if (connections.current?.name !== connection.name) await connections.use(connection);
  await connections.chooseModel(connection, model, from);
}

/** All connections, this one first. */
export function byFirst(
  all: readonly Connection[],
  first: Connection,
): readonly [Connection, ...Connection[]] {
  return [first, ...all.filter(({ name }) => name !== first.name)];
}

/** Rejects with an error whose message is the diagnosis and whose `cause` is the cause's ID. */
export async function listModelsForScript(
  { catalog, clients }: ModelSources,
  connection: Connection,
): Promise<{ connection: string; models: readonly Model[] }> {
  try {
    const { models } = await catalog.refresh(connection, new AbortController().signal);
    return { connection: connection.name, models };
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const { diagnose } = await clients.serviceOf(connection);
    throw toScriptError(diagnose(error));
  }
}

/** The error that scripts get: the diagnosis as its message, and the cause's ID. */
function toScriptError({ title, explanation, cause }: Diagnosis): Error {
  return new Error(`${title}. ${explanation}`, { cause });
}
