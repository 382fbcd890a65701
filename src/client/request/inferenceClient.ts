import type { ChatRequest, StreamPart } from "../../protocol/conversation/conversation.ts";
import { maxModels, type Model, type ModelPage } from "../../protocol/decode/modelList.ts";
import { encodeJson } from "../../protocol/conversation/json.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../protocol/styles/wireStyles.ts";
import { endpointOf, type ServiceAddress } from "../http/address.ts";
import { ByteBudget, maxListBytes } from "../http/body.ts";
import { Call, type CallOptions } from "./call.ts";
import { Generation, type OmittedListener } from "./generation.ts";
import { readModelAnswer } from "../answer/modelAnswer.ts";
import { noMemory, type RequestMemory } from "./requestMemory.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Route } from "../http/transport.ts";

/** A complete answer. */
export interface ServiceResult<T> {
  readonly value: T;
  readonly status: number;
  readonly requestId?: string;
  readonly milliseconds: number;
}

interface ClientOptions extends CallOptions {
  readonly address: ServiceAddress;
  /** Limits for model lists; by default `limits`. */
  readonly listLimits?: TimeLimits;
  readonly userAgent: string;
  /** The changes that this service needs; by default nothing is remembered. */
  readonly memory?: RequestMemory;
}

/** Maximum number of pages of a model list after the first. Further pages are ignored. */
const maxModelPages = 50;

/** One listing of models. Its time and byte limits apply to all pages together. */
interface Listing {
  readonly signal: AbortSignal;
  readonly started: number;
  readonly budget: ByteBudget;
}

/** A client for one service with one key. Every failure is an `InferenceError`; its texts never contain the key. */
export class InferenceClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The route of requests to the service. */
  get route(): Route {
    return this.#options.transport.routeFor(this.#options.address.modelsUrl);
  }

  /**
   * Lists the models, page by page (specification, section 4.1).
   * @param onHead called with the milliseconds until the head of the first answer, for any status
   * @throws InferenceError; `cancelled` if the signal was aborted
   */
  async listModels(
    signal: AbortSignal,
    onHead?: (milliseconds: number) => void,
  ): Promise<ServiceResult<readonly Model[]>> {
    const listing = { signal, started: performance.now(), budget: new ByteBudget(maxListBytes) };
    const first = await this.#listPage(this.#options.address.modelsUrl, listing, onHead);
    const models = new Map(first.value.models.map((model) => [model.id, model]));
    const seen = new Set<string>();
    let { next } = first.value;
    while (next !== null && !seen.has(next) && seen.size < maxModelPages && models.size < maxModels) {
      seen.add(next);
      const url = new URL(this.#options.address.modelsUrl);
      url.searchParams.set("after_id", next);
      const { value } = await this.#listPage(url, listing);
      for (const model of value.models) models.set(model.id, model);
      next = value.next;
    }
    return { ...first, value: [...models.values()].slice(0, maxModels) };
  }

  /**
   * Requests one completion or message and reads all of it (specification, sections 4.2 and 4.3).
   * @throws InferenceError; `cancelled` if the signal was aborted
   */
  async complete(
    clientStyle: ClientStyle,
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<ServiceResult<readonly StreamPart[]>> {
    const call = this.#generation(clientStyle, request, signal);
    return readWhole(call, async (response) => {
      for (let answer = response; ; answer = await call.send()) {
        const parts: StreamPart[] = [];
        try {
          for await (const batch of call.read(answer)) parts.push(...call.onParts(batch));
          return parts;
        } catch (error) {
          if (!call.adapts(error)) throw error;
        }
      }
    });
  }

  /**
   * Requests a streamed answer. Yields the parts of one network read at a time, never an `error` part. If the signal is
   * aborted, ends without an error and closes the connection.
   * @param onActivity called at the head and at each read, even without a part, as a sign of life
   * @param onOmitted called with each field that the service refuses by name, before the request is repeated without it
   * @throws InferenceError after the parts that preceded the error
   */
  async *streamChat(
    clientStyle: ClientStyle,
    request: ChatRequest,
    signal: AbortSignal,
    onActivity?: () => void,
    onOmitted?: OmittedListener,
  ): AsyncGenerator<readonly StreamPart[], void, undefined> {
    const call = this.#generation(clientStyle, request, signal, onOmitted);
    let complete = false;
    let begun = false;
    try {
      while (!complete) {
        const response = await call.send(onActivity);
        // Yield the request ID only with the first parts. The loop over the body has then begun, and closes the body if
        // the caller leaves early.
        let first: readonly StreamPart[] =
          call.requestId === undefined ? [] : [{ type: "request-id", requestId: call.requestId }];
        try {
          for await (const batch of call.read(response, onActivity)) {
            begun = true;
            const parts = call.onParts(batch);
            yield first.length === 0 ? parts : [...first, ...parts];
            first = [];
          }
          complete = true;
        } catch (error) {
          if (begun || !call.adapts(error)) throw error;
        }
      }
    } catch (error) {
      const failed = call.fail(error);
      if (failed.failure.kind !== "cancelled") throw failed;
    } finally {
      call.close(complete);
    }
  }

  async #listPage(
    url: URL,
    { signal, started, budget }: Listing,
    onHead?: (milliseconds: number) => void,
  ): Promise<ServiceResult<ModelPage>> {
    const limits = this.#options.listLimits ?? this.#options.limits;
    const totalMs = limits.totalMs - (performance.now() - started);
    const options = { ...this.#options, limits: { ...limits, totalMs } };
    const call = new Call(options, { method: "GET", url, headers: this.#headers(url) }, signal);
    return readWhole(
      call,
      async (response) =>
        this.#cleanPage(await readModelAnswer({ ...response, body: budget.spend(response.body) })),
      onHead,
    );
  }

  /** Removes the key and its pieces from texts of the service about itself. */
  redactServiceText(text: string): string {
    return this.#options.key.redactServiceText(text);
  }

  #cleanPage({ models, next }: ModelPage): ModelPage {
    const { key } = this.#options;
    const clean = (text: string | undefined): string | undefined =>
      text === undefined ? undefined : key.redactServiceText(text);
    // Drop an ID that contains a piece of the key: it must not be shown, and a redacted ID selects no model.
    const kept = models.filter(({ id }) => key.redactServiceText(id) === id);
    return {
      next,
      models: kept.map(({ name, ownedBy, ...model }) => {
        const [cleanName, cleanOwner] = [clean(name), clean(ownedBy)];
        return {
          ...model,
          ...(cleanName === undefined ? {} : { name: cleanName }),
          ...(cleanOwner === undefined ? {} : { ownedBy: cleanOwner }),
        };
      }),
    };
  }

  #generation(
    clientStyle: ClientStyle,
    request: ChatRequest,
    signal: AbortSignal,
    onOmitted?: OmittedListener,
  ): Generation {
    const style = wireStyles[clientStyle];
    const { address } = this.#options;
    const url = endpointOf(address, clientStyle);
    const headers = { ...this.#headers(url), ...style.headers, "content-type": "application/json" };
    const wrap = (body: object): HttpRequest => ({
      method: "POST",
      url,
      headers,
      body: encodeJson(body),
    });
    const { memory = noMemory } = this.#options;
    const { origin } = address;
    return new Generation({ ...this.#options, style, request, origin, memory, wrap, onOmitted }, signal);
  }

  #headers(url: URL): Readonly<Record<string, string>> {
    const { key, userAgent } = this.#options;
    return { ...key.headersFor(url), accept: "application/json", "user-agent": userAgent };
  }
}

async function readWhole<T>(
  call: Call | Generation,
  read: (response: HttpResponse) => Promise<T>,
  onHead?: (milliseconds: number) => void,
): Promise<ServiceResult<T>> {
  let complete = false;
  try {
    const response = await call.send(onHead);
    const value = await read(response);
    complete = true;
    const { requestId, milliseconds } = call;
    return {
      value,
      status: response.status,
      milliseconds,
      ...(requestId === undefined ? {} : { requestId }),
    };
  } catch (error) {
    throw call.fail(error);
  } finally {
    call.close(complete);
  }
}
