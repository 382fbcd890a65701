import * as vscode from "vscode";
import { countCharacters, estimateRequest } from "../../chat/session/tokenEstimate.ts";
import { ReasoningMemory } from "../../chat/session/reasoningMemory.ts";
import { tokensTaken } from "../../chat/session/spentTokens.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import { readFiltered } from "../../client/answer/answer.ts";
import { withRetries } from "../../client/request/retrying.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ChatRequest } from "../../protocol/conversation/conversation.ts";
import { toAbortSignal, untilAborted } from "../shared/abort.ts";
import type { CallHealth } from "../service/connectionHealth.ts";
import type { LanguageModelServices } from "./registerLanguageModels.ts";
import { requestedModelOf, type RequestedModel } from "./requestedModel.ts";
import { buildRequest, type BuiltRequest } from "./buildRequest.ts";
import { recallFor, reasoningSourceOf, toMetadata } from "./returnedReasoning.ts";
import { ReportedAnswer } from "./reportedAnswer.ts";
import type { Cause } from "../../client/failure/cause.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";

/** Answers requests from VS Code and other extensions. */
export class LanguageModelResponder {
  readonly #options: LanguageModelServices;
  /** The pending prompt about the daily cap. Only one prompt is open at a time. */
  #capPrompt: Promise<unknown> = Promise.resolve();
  /** Estimated tokens of the pending requests, by connection name. */
  readonly #underWay = new Map<string, number>();
  readonly #reasoning: ReasoningMemory;

  /** @param reasoning stores the reasoning of answers for later requests */
  constructor(options: LanguageModelServices, reasoning = new ReasoningMemory()) {
    this.#options = options;
    this.#reasoning = reasoning;
  }

  /**
   * Returns silently if the request is canceled.
   * @throws Error without a stack
   */
  async answer(
    identifier: string,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<unknown>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const signal = toAbortSignal(token);
    try {
      const asked = requestedModelOf(this.#options.connections, identifier);
      const { request, cap } = buildRequest(
        this.#options,
        asked,
        messages,
        options,
        recallFor(asked, this.#reasoning, messages),
      );
      const sentTokens = this.#estimate(asked, request);
      const release = await this.#requireAllowance(asked, sentTokens, signal);
      try {
        if (!signal.aborted) await this.#send(asked, { request, cap, sentTokens }, progress, signal);
      } finally {
        release();
      }
    } catch (error) {
      if (!signal.aborted) throw withoutStack(error);
    }
  }

  async #send(
    asked: RequestedModel,
    { request, cap, sentTokens }: BuiltRequest & { readonly sentTokens: number },
    progress: vscode.Progress<unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clients, health, outgoing } = this.#options;
    const { connection, clientStyle } = asked;
    const call = health.begin(connection.name);
    const source = reasoningSourceOf(asked);
    const answer = new ReportedAnswer(request, cap, {
      report: (part) => progress.report(part),
      remember: (made, outline) => this.#reasoning.remember(source, made, request.messages.at(-1), outline),
      toMetadata: (outline) => toMetadata(source, outline),
    });
    try {
      let cleaned: Promise<ChatRequest> | undefined;
      const ask = async (onPiece: () => void) => {
        // Read the key for each try: it may have changed during the retry delay.
        const client = await clients.clientOf(connection, { kind: "language-model" });
        // Clean only after reading this key. If secret storage returns this key, it also returns the keys to search
        // for.
        cleaned ??= outgoing.cleanRequest(request);
        for await (const parts of client.streamChat(clientStyle, await cleaned, signal)) {
          onPiece();
          answer.take(parts);
        }
      };
      // VS Code can't show a retry delay here. The log has a line for each try.
      await withRetries(ask, () => undefined, signal);
    } catch (error) {
      if (!(error instanceof InferenceError) || signal.aborted) throw error;
      throw await this.#explain(asked, error, call);
    } finally {
      await this.#recordUsage(asked, request, sentTokens, answer, signal);
    }
    if (signal.aborted) return;
    const filtered = answer.finish && readFiltered(answer.finish, answer.requestId);
    if (filtered !== undefined) throw await this.#explain(asked, filtered, call);
    call.succeeded();
    answer.requireReadableCalls();
    answer.reportCut();
  }

  async #explain({ connection, modelId }: RequestedModel, error: InferenceError, call: CallHealth) {
    const service = await this.#options.clients.serviceOf(connection, modelId);
    const diagnosis = service.diagnose(error);
    call.failed(diagnosis.cause, diagnosis.title);
    return toRequestError(diagnosis);
  }

  /** Adds the usage to the day's tokens and calibrates the estimates. Never throws. */
  async #recordUsage(
    { connection, modelId }: RequestedModel,
    request: ChatRequest,
    sentTokens: number,
    { usage, finish, characters: came }: ReportedAnswer,
    signal: AbortSignal,
  ): Promise<void> {
    const { spending, limits } = this.#options;
    const characters = countCharacters(request);
    const ending = finish === undefined ? "failed" : "complete";
    try {
      await spending.add(
        connection.name,
        tokensTaken({
          usage,
          ending: signal.aborted ? "stopped" : ending,
          characters: came,
          sentTokens,
        }),
      );
      if (signal.aborted || characters === undefined || usage?.inputTokens === undefined) return;
      await limits.learn(connection, modelId, characters, usage.inputTokens);
    } catch {
      // A failure to save the count must not lose the answer.
    }
  }

  #estimate({ connection, modelId, clientStyle }: RequestedModel, request: ChatRequest): number {
    const { charactersPerToken } = this.#options.limits.limitsOf(connection, modelId, clientStyle);
    return estimateRequest(request, charactersPerToken);
  }

  /**
   * If the request would exceed the daily cap, asks the user. Call the returned function once the usage is recorded.
   * Skips the prompt if the request is already canceled, and stops waiting for the user if it is canceled later.
   * @throws Error if the user declines or the request is canceled
   */
  async #requireAllowance(
    { connection }: RequestedModel,
    next: number,
    signal: AbortSignal,
  ): Promise<() => void> {
    const allowed = this.#capPrompt.then(() => (signal.aborted ? undefined : this.#allow(connection, next)));
    this.#capPrompt = allowed.catch(() => undefined);
    const release = await untilAborted(allowed, signal);
    if (release !== undefined) return release;
    // If the user agrees after the cancellation, release the tokens at once.
    void allowed.then(
      (late) => late?.(),
      () => undefined,
    );
    throw new Error(vscode.l10n.t("Nothing was sent because the request would exceed your daily token cap."));
  }

  /** Resolves to undefined if the user declines. */
  async #allow(connection: Connection, next: number): Promise<(() => void) | undefined> {
    const underWay = (): number => this.#underWay.get(connection.name) ?? 0;
    const answer = await this.#options.caps.mayAskToday(connection, underWay() + next);
    if (answer !== "yes") return undefined;
    this.#underWay.set(connection.name, underWay() + next);
    return () => void this.#underWay.set(connection.name, underWay() - next);
  }
}

/**
 * Converts a diagnosis to an error for other extensions, with `code` as in VS Code's API. Not a `LanguageModelError`:
 * VS Code would create a new one with a stack for the caller.
 */
function toRequestError({ title, explanation, requestId, cause }: Diagnosis): Error {
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const code = codeOf(cause);
  const error = new Error(`${title}. ${explanation}${id}`);
  return code === undefined ? error : Object.assign(error, { code });
}

function codeOf(cause: Cause): string | undefined {
  switch (cause) {
    case "model-not-found":
      return vscode.LanguageModelError.NotFound.name;
    case "empty-key":
    case "malformed-key":
    case "not-a-key":
    case "invalid-key":
    case "revoked-key":
    case "expired-key":
    case "model-not-allowed":
    case "key-origin-mismatch":
      return vscode.LanguageModelError.NoPermissions.name;
    case "budget-exhausted":
    case "rate-limited":
    case "content-filtered":
      return vscode.LanguageModelError.Blocked.name;
    case "overloaded":
    case "server-error":
    case "bad-request":
    case "context-length":
    case "wrong-host":
    case "wrong-path":
    case "not-an-api":
    case "insecure-address":
    case "invalid-header":
    case "network":
    case "proxy":
    case "tls":
    case "timeout":
    case "interrupted":
    case "cancelled":
    case "unknown":
      return undefined;
  }
}

/** Removes the stack: VS Code would show it, with the paths of this extension. */
function withoutStack(error: unknown): Error {
  const shown = error instanceof Error ? error : new Error(String(error));
  Object.defineProperty(shown, "stack", { value: undefined, configurable: true });
  return shown;
}
