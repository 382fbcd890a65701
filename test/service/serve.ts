import { once } from "node:events";
import { createServer, STATUS_CODES, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createRequestId, openExchange } from "./exchange.ts";
import type { Ask } from "./generation.ts";
import type { GenerationSetting } from "./generationEndpoint.ts";
import { IssuedReasoning } from "./issuedReasoning.ts";
import { Journal } from "./journal.ts";
import { KeyRing } from "./keyRing.ts";
import { createLocalSource, type PlannedCalls } from "./localGeneration.ts";
import { ModelCatalogue } from "./modelsEndpoint.ts";
import { PromptCache } from "./promptCache.ts";
import { noQuirks, type Quirks } from "./quirks.ts";
import { type PlannedFailure, PlannedFailures } from "./plannedFailures.ts";
import { Pacing } from "./pacing.ts";
import { ScriptPlayer, type ScriptStep } from "./script.ts";
import { answerCall } from "./routes.ts";
import { createUpstreamSource, listUpstreamModels, type Upstream } from "./upstream.ts";

export interface ReferenceServiceOptions {
  /** 0, the default, selects a free port. */
  readonly port?: number | undefined;
  /** Milliseconds per generated piece; 0, the default, is as fast as the client reads. */
  readonly pace?: number | undefined;
  /** The models of the service. Default: the upstream's, or `defaultModels`. */
  readonly models?: readonly string[] | undefined;
  readonly upstream?: Upstream | undefined;
  /** The answer to a message; `undefined` leaves the message to the generator. */
  readonly answers?: ((message: string) => string | undefined) | undefined;
  /** The tool calls to make; overrides the tools that the message names. */
  readonly calls?: PlannedCalls | undefined;
  /** Answers to requests that offer tools, in order. */
  readonly script?: readonly ScriptStep[] | undefined;
  /** Tokens of each model's context window, for the model list; not listed by default. */
  readonly contextWindow?: number | undefined;
  /** Called with each request, texts included; the service doesn't store them. */
  readonly onAsk?: ((ask: Ask) => void) | undefined;
  /** Called with each piece of a streamed answer just before it is written. */
  readonly onPiece?: ((text: string) => void) | undefined;
  /** Maximum bytes of a request body; 4 MiB by default. */
  readonly bodyLimit?: number | undefined;
  /** By default, the service offers, accepts and applies everything. */
  readonly quirks?: Partial<Quirks> | undefined;
  /** Stops waiting at start for the upstream's model list. */
  readonly signal?: AbortSignal | undefined;
}

/** A running service. Changes apply from the next request on. */
export interface ReferenceService extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, the base URL of the messages style. */
  readonly origin: string;
  /** Empty at start. */
  readonly keys: KeyRing;
  readonly journal: Journal;
  pace: number;
  quirks: Quirks;
  /** Refuses the next requests of a kind, before any of its own checks. */
  failNext(failure: PlannedFailure): void;
  /** Scripted answers to requests that offer tools. */
  readonly script: Pick<ScriptPlayer, "add" | "clear" | "left">;
  /** Ends the pauses of all current generated answers. */
  hurry(): void;
  /** Closes every connection and frees the port. */
  close(): Promise<void>;
}

/** The models of a service without an upstream. */
export const defaultModels: readonly string[] = ["service-core", "service-mini", "service-large"];

/**
 * Starts a server that implements the specification, on 127.0.0.1 only. Rejects if the port is in use, or with a
 * `Refusal` if the upstream can't list its models.
 */
export async function startReferenceService(
  options: ReferenceServiceOptions = {},
): Promise<ReferenceService> {
  const keys = new KeyRing();
  const journal = new Journal();
  const pacing = new Pacing(options.pace ?? 0);
  const manner = { quirks: { ...noQuirks, ...options.quirks } };
  const player = new ScriptPlayer(
    pacing,
    options.upstream === undefined
      ? createLocalSource(pacing, {
          ...(options.answers === undefined ? {} : { answers: options.answers }),
          ...(options.calls === undefined ? {} : { calls: options.calls }),
          thinks: () => manner.quirks.demandsReasoning,
        })
      : createUpstreamSource(options.upstream),
    options.script ?? [],
  );
  const setting: GenerationSetting = {
    keys,
    catalogue: new ModelCatalogue(await findModels(options), options.contextWindow),
    source: player,
    cache: new PromptCache(),
    onAsk: options.onAsk,
    onPiece: options.onPiece,
    bodyLimit: options.bodyLimit ?? 4 * 1024 * 1024,
    quirks: () => manner.quirks,
    issued: new IssuedReasoning(),
  };
  const failures = new PlannedFailures();
  const server = createServer((request, response) => {
    const exchange = openExchange(
      request,
      response,
      journal,
      (text) => keys.redact(text),
      manner.quirks.saysKey,
    );
    if (!failures.answer(exchange)) void answerCall(exchange, setting);
  });
  server.on("clientError", answerUnreadable);
  const port = await listen(server, options.port ?? 0);
  return {
    origin: `http://127.0.0.1:${port}`,
    keys,
    journal,
    get pace() {
      return pacing.pace;
    },
    set pace(pace) {
      pacing.pace = pace;
    },
    get quirks() {
      return manner.quirks;
    },
    set quirks(quirks) {
      manner.quirks = quirks;
    },
    hurry: () => pacing.hurry(),
    failNext: (failure) => failures.add(failure),
    script: player,
    close: () => close(server),
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function findModels({ models, upstream, signal }: ReferenceServiceOptions): Promise<readonly string[]> {
  if (models !== undefined) {
    return models;
  }
  return upstream === undefined
    ? defaultModels
    : listUpstreamModels(upstream, signal ?? AbortSignal.timeout(10_000));
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") {
    throw new TypeError("The service has no port.");
  }
  return address.port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) {
    return;
  }
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Answers even invalid HTTP with a request ID. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `x-request-id: ${createRequestId()}`,
    "content-length: 0",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n`);
}
