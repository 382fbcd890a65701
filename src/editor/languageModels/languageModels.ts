import * as vscode from "vscode";
import { convertLanguageModelMessages } from "../../chat/session/languageModelMessages.ts";
import { ReasoningMemory, restoreReasoning } from "../../chat/session/reasoningMemory.ts";
import { estimateMessages, estimateTokens, usualRatio } from "../../chat/session/tokenEstimate.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import { commandIds } from "../../contributions.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import { toAbortSignal } from "../shared/abort.ts";
import { reportError } from "../shared/notices.ts";
import { readMaxTokensSetting } from "../workspace/settings.ts";
import { LanguageModelResponder } from "./languageModelResponder.ts";
import { readRequestMessage } from "./buildRequest.ts";
import { recallFor } from "./returnedReasoning.ts";
import type { LanguageModelServices } from "./registerLanguageModels.ts";
import { findRequestedModel } from "./requestedModel.ts";
import { capabilitiesOf } from "../service/modelCapabilities.ts";
import { modelInformation, type ModelInformation } from "./modelInformation.ts";

/** The models of the workspace's connection, for VS Code's own chat and for other extensions. */
export class LanguageModels implements vscode.Disposable {
  readonly #options: LanguageModelServices;
  readonly #requests: LanguageModelResponder;
  readonly #reasoning = new ReasoningMemory();
  /** Cache of characters per token, by model identifier: VS Code counts a prompt in many small pieces. */
  readonly #ratios = new Map<string, number>();
  readonly #subscriptions: vscode.Disposable;

  /** @param onChange called when the models change, or when they become able or unable to answer */
  constructor(options: LanguageModelServices, onChange: () => void) {
    this.#options = options;
    this.#requests = new LanguageModelResponder(options, this.#reasoning);
    const { connections, keys, catalog, compatibility, health, limits } = options;
    this.#subscriptions = vscode.Disposable.from(
      limits.onDidChange(() => this.#ratios.clear()),
      connections.onDidChange(onChange),
      keys.onDidChange(onChange),
      keys.onDidAnswerAfterTimeout(onChange),
      catalog.onDidChange(onChange),
      health.onDidChange(onChange),
      new vscode.Disposable(compatibility.listen(onChange)),
    );
  }

  /**
   * Returns the models of the last listing and the model in use. Sends a request only if the user is waiting (`silent`
   * is false). Never throws: a model that can't answer now stays in the list with a warning.
   */
  async list(silent: boolean, token: vscode.CancellationToken): Promise<ModelInformation[]> {
    const { connections, catalog } = this.#options;
    const connection = connections.current;
    // The user has selected our entry among VS Code's model providers. Not awaited: VS Code waits for this list.
    if (!silent) reportError(vscode.commands.executeCommand(commandIds.manageConnections));
    if (connection === undefined) return [];
    if (!silent && catalog.cached(connection) === undefined) await this.#refresh(connection, token);
    const warning = await keyWarningOf(this.#options, connection);
    return this.#modelsOf(connection).map((model) =>
      modelInformation({
        connectionName: connection.name,
        model,
        maxTokens: readMaxTokensSetting(),
        capabilities: this.#capabilitiesOf(connection, model.id),
        ...(warning === undefined ? {} : { warning }),
      }),
    );
  }

  /** @throws Error with the diagnosis as its message and without a stack, which VS Code would show */
  respond(
    model: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<unknown>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    return this.#requests.answer(model.id, messages, options, progress, token);
  }

  /** Estimates tokens by the average length of this model's tokens so far. */
  count(
    model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const charactersPerToken = this.#ratioOf(model.id);
    const tokens =
      typeof text === "string"
        ? estimateTokens(text.length, charactersPerToken)
        : estimateMessages(this.#withReasoning(model.id, text), charactersPerToken);
    return Promise.resolve(tokens);
  }

  /** Converts the message to its form in a request. */
  #withReasoning(identifier: string, given: vscode.LanguageModelChatRequestMessage): readonly Message[] {
    const messages = convertLanguageModelMessages([readRequestMessage(given)]);
    const asked = findRequestedModel(this.#options.connections, identifier);
    return asked === undefined
      ? messages
      : restoreReasoning(messages, recallFor(asked, this.#reasoning, [given]));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #modelsOf(connection: Connection): readonly Model[] {
    const { connections, catalog } = this.#options;
    const listed = catalog.lastKnown(connection)?.models ?? [];
    const inUse = connections.modelFor(connection);
    return listed.some(({ id }) => id === inUse) ? listed : [{ id: inUse }, ...listed];
  }

  #capabilitiesOf(connection: Connection, model: string) {
    const { connections, compatibility } = this.#options;
    const origin = connection.address.kind === "address" ? connection.address.address.origin : "";
    const clientStyle = connections.clientStyleFor(connection);
    return capabilitiesOf(compatibility, { origin, model, clientStyle });
  }

  async #refresh(connection: Connection, token: vscode.CancellationToken): Promise<void> {
    // The warning of each model, or its next answer, reports the problem.
    await this.#options.catalog.refresh(connection, toAbortSignal(token)).catch(() => undefined);
  }

  #ratioOf(identifier: string): number {
    const known = this.#ratios.get(identifier);
    if (known !== undefined) return known;
    const { connections, limits } = this.#options;
    const asked = findRequestedModel(connections, identifier);
    // A request to a model of another connection fails with a message later.
    if (asked === undefined) return usualRatio.charactersPerToken;
    const { charactersPerToken } = limits.limitsOf(asked.connection, asked.modelId, asked.clientStyle);
    this.#ratios.set(identifier, charactersPerToken);
    return charactersPerToken;
  }
}

/** Returns a short reason why the connection's models can't answer now; undefined if none is known. Sends nothing. */
async function keyWarningOf(
  { keys, health }: Pick<LanguageModelServices, "keys" | "health">,
  connection: Connection,
): Promise<string | undefined> {
  const { address } = connection;
  if (address.kind === "problem") return vscode.l10n.t("Invalid base URL");
  if (connection.faultyHeader !== undefined) return vscode.l10n.t("A header of the connection is invalid");
  const key = await keys.readForSearch(connection);
  if (key === undefined) return vscode.l10n.t("No API key");
  const isElsewhere =
    !key.seal.isSameAs(KeySeal.of(address.address)) ||
    keys.variables.movedOf(connection) !== undefined ||
    keys.variables.movedHeadersOf(connection).length > 0;
  if (isElsewhere) return vscode.l10n.t("The API key was stored for a different host");
  const state = health.of(connection.name);
  return state.kind === "key-refused" ? state.title : undefined;
}
