import type { RequestSecrets } from "../../client/key/apiKey.ts";
import type { ConnectionFacts } from "../../client/transport/connectionRecorder.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import type { ServiceResult, InferenceClient } from "../../client/request/inferenceClient.ts";
import type { Translate } from "../../text/translate.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import { type ClientStyle, clientStyles, styleFacts } from "../../protocol/conversation/wireStyle.ts";
import { type Connection, requireAddress } from "../setup/connection.ts";
import {
  checkedStyles,
  type CheckResult,
  type CheckStep,
  type CheckStepId,
  checkStepIds,
  styleOfStep,
} from "./checkSteps.ts";
import { causeTable } from "../diagnosis/causeTable.ts";
import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import { certificateLines, type NetworkFacts, networkText, readNetworkFacts } from "./networkFacts.ts";

export interface CheckOptions {
  readonly connection: Connection;
  readonly clientStyle: ClientStyle;
  readonly model: string;
  /** Whether the check may send billable requests, which generate text. */
  readonly billable: boolean;
  /** Reads the key, with the further headers of the connection. */
  readonly readKey: () => Promise<RequestSecrets>;
  readonly createClient: (key: RequestSecrets) => InferenceClient;
  readonly diagnose: (error: InferenceError) => Diagnosis;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  readonly t: Translate;
  /** Returns the facts about the newest network connection. Absent if none are recorded. */
  readonly readConnectionFacts?: () => ConnectionFacts;
  /** Called when a step starts, with the finished steps. */
  readonly onStep?: (id: CheckStepId, done: readonly CheckStep[]) => void;
}

/** The result of a check, with the diagnosis of the failed step. */
export interface CheckOutcome {
  readonly result: CheckResult;
  readonly diagnosis?: Diagnosis;
  /** The service's model list, regardless of later steps. */
  readonly models?: readonly Model[];
  /** Whether the service answered in the connection's own client style. It may lack other checked features. */
  readonly canChat: boolean;
}

/** Whether the service only lacks the requested feature, which a chat does not need. */
function isNotThere({ failure, cause }: InferenceError): boolean {
  if (failure.kind === "unreadable") return failure.bodyKind === "json" || failure.bodyKind === "empty";
  if (failure.kind !== "refused") return false;
  return [404, 405, 410, 501].includes(failure.status) || causeTable[cause].mayStillChat;
}

/**
 * Runs the connection check of the specification (section 4). It lists the models. If billable requests are allowed, it
 * then requests a completion of one user message with `max_tokens` 1. For the Messages style, it also requests one
 * message.
 * @throws the abort reason of `signal`; a failed step is a result, not an exception
 */
export async function checkConnection(options: CheckOptions, signal: AbortSignal): Promise<CheckOutcome> {
  return new ConnectionCheck(options, signal).run();
}

class ConnectionCheck {
  readonly #options: CheckOptions;
  readonly #signal: AbortSignal;
  readonly #steps: CheckStep[] = [];
  #diagnosis: Diagnosis | undefined;
  #models: readonly Model[] | undefined;
  #canChat = false;

  constructor(options: CheckOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(): Promise<CheckOutcome> {
    const { clientStyle, connection, model, now } = this.#options;
    const at = now().toISOString();
    await this.#address();
    const key = await this.#key();
    if (key !== undefined) await this.#requests(this.#options.createClient(key));
    for (const id of checkStepIds.slice(this.#steps.length)) this.#skip(id);
    const checked = checkedStyles(clientStyle);
    const required = this.#steps.filter(({ id }) => {
      const style = styleOfStep(id);
      return style === undefined || checked.includes(style);
    });
    return {
      result: {
        ok: required.every(({ ok }) => ok),
        connection: connection.name,
        clientStyle,
        model,
        at,
        steps: this.#steps,
      },
      ...(this.#diagnosis === undefined ? {} : { diagnosis: this.#diagnosis }),
      ...(this.#models === undefined ? {} : { models: this.#models }),
      canChat: this.#canChat,
    };
  }

  async #address(): Promise<void> {
    const { connection, t } = this.#options;
    await this.#step("address", async () => {
      return { detail: t("Requests go to {0}", requireAddress(connection).base) };
    });
  }

  async #key(): Promise<RequestSecrets | undefined> {
    if (this.#failed) return undefined;
    const { connection, readKey, t } = this.#options;
    let key: RequestSecrets | undefined;
    await this.#step("key", async () => {
      key = await readKey();
      const { keyVariable, headers = [] } = connection;
      const source =
        keyVariable === undefined
          ? t("From the secret storage")
          : t("From the environment variable {0}", keyVariable);
      const names = headers.map(({ name }) => name).join(", ");
      return { detail: names === "" ? source : [source, t("Further headers: {0}", names)].join("\n") };
    });
    return key;
  }

  async #requests(client: InferenceClient): Promise<void> {
    const { clientStyle, billable } = this.#options;
    await this.#networkAndModels(client);
    if (this.#failed || !billable) return;
    const checked = checkedStyles(clientStyle);
    for (const style of clientStyles) {
      const { checkStep } = styleFacts[style];
      if (!checked.includes(style)) this.#skip(checkStep);
      else await this.#generate(checkStep, client, style);
      if (this.#failed) return;
    }
    this.#canChat = true;
  }

  /** Runs the steps `network` and `models` with one request. `network` ends when the headers of the response arrive. */
  async #networkAndModels(client: InferenceClient): Promise<void> {
    const { t } = this.#options;
    let headMs: number | undefined;
    const onHead = (milliseconds: number): void => {
      headMs = milliseconds;
      const { network, detail } = this.#network(client);
      this.#steps.push({ id: "network", ok: true, ms: milliseconds, detail, network });
      this.#begin("models");
    };
    const started = this.#options.clock();
    this.#begin("network");
    try {
      const { value, ...answered } = await client.listModels(this.#signal, onHead);
      this.#models = value;
      this.#pass("models", {
        ...answered,
        detail: value.length === 1 ? t("1 model") : t("{0} models", value.length),
      });
    } catch (error) {
      const ms = this.#options.clock() - started;
      if (headMs === undefined) this.#failNetwork(client, error, ms);
      else this.#fail("models", error, ms, true);
    }
  }

  async #generate(id: CheckStepId, client: InferenceClient, clientStyle: ClientStyle): Promise<void> {
    const { model } = this.#options;
    // The service may lack the other style, because chats use only the connection's own style.
    const isOptional = clientStyle !== this.#options.clientStyle;
    await this.#step(
      id,
      async () => {
        const request = {
          model,
          messages: [{ role: "user", content: [{ type: "text", text: "ping" }] }],
          maxTokens: 1,
          stream: false,
        } as const;
        return client.complete(clientStyle, request, this.#signal);
      },
      isOptional,
    );
  }

  async #step(
    id: CheckStepId,
    work: () => Promise<Partial<Omit<ServiceResult<unknown>, "value">> & { detail?: string }>,
    isOptional = false,
  ): Promise<void> {
    const started = this.#options.clock();
    this.#begin(id);
    try {
      const facts = await work();
      this.#pass(id, { milliseconds: this.#options.clock() - started, ...facts });
    } catch (error) {
      this.#fail(id, error, this.#options.clock() - started, isOptional);
    }
  }

  #pass(
    id: CheckStepId,
    facts: { milliseconds: number; status?: number; requestId?: string; detail?: string },
  ): void {
    const { milliseconds, status, requestId, detail } = facts;
    this.#steps.push({
      id,
      ok: true,
      ms: milliseconds,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(detail === undefined ? {} : { detail }),
    });
  }

  #failNetwork(client: InferenceClient, error: unknown, ms: number): void {
    const { network, detail } = this.#network(client);
    const step = this.#fail("network", error, ms);
    this.#steps.splice(-1, 1, { ...step, detail: [step.detail, detail].join("\n"), network });
    // Support needs to know which certificate was refused.
    if (step.cause === "tls" && this.#diagnosis !== undefined) {
      const evidence = [...this.#diagnosis.evidence, ...certificateLines(network, this.#options.t)];
      this.#diagnosis = { ...this.#diagnosis, evidence };
    }
  }

  #network({ route }: InferenceClient): { readonly network: NetworkFacts; readonly detail: string } {
    const { readConnectionFacts, now, t } = this.#options;
    const network = readNetworkFacts(route, readConnectionFacts?.() ?? {}, now());
    return { network, detail: networkText(route, network, t) };
  }

  /** @param isOptional whether the check continues if the service lacks the requested feature */
  #fail(id: CheckStepId, error: unknown, ms: number, isOptional = false): CheckStep {
    this.#signal.throwIfAborted();
    if (!(error instanceof InferenceError)) throw error;
    const { failure } = error;
    const diagnosis = this.#options.diagnose(error);
    const { cause, requestId, title } = diagnosis;
    if (!isOptional || !isNotThere(error)) this.#diagnosis = diagnosis;
    const step = {
      id,
      ok: false,
      ms,
      ...("status" in failure && failure.status !== undefined ? { status: failure.status } : {}),
      ...(requestId === undefined ? {} : { requestId }),
      cause,
      detail: title,
    };
    this.#steps.push(step);
    return step;
  }

  #begin(id: CheckStepId): void {
    this.#options.onStep?.(id, [...this.#steps]);
  }

  #skip(id: CheckStepId): void {
    this.#steps.push({ id, ok: false, skipped: true, ms: 0 });
  }

  get #failed(): boolean {
    return this.#diagnosis !== undefined;
  }
}
