import * as v from "valibot";

/** The calls that the bench may send to the probe in the extension host, and the schemas of the results. */
export const probeResults = {
  /** Milliseconds to load and activate each extension in sequence, once the host's heap is stable. */
  activate: v.array(v.number()),
  /** Activates an extension unless it is active, as VS Code does after its start. */
  start: v.null(),
  /** Megabytes of the host's heap in use after garbage collection, once the heap is stable. */
  heap: v.number(),
  /** Completes when the host is almost idle, at the latest after about six seconds. */
  still: v.null(),
  /** Runs a VS Code command, and completes when the command does. */
  run: v.null(),
  /** Starts a VS Code command that may wait for the user; doesn't wait for it. */
  begin: v.null(),
  /** Requests VS Code's own list widget; doesn't wait until it is visible. */
  showList: v.null(),
  /** Writes the user's connections, and waits until the extensions have received the change. */
  writeConnections: v.null(),
  /** Watches the requests to a service from now on. */
  watchRequests: v.null(),
  /** The requests since the last call, in order. */
  takeRequests: v.array(
    v.object({
      /** Milliseconds from the last byte that the service had sent to the first byte of the request. */
      work: v.number(),
      /** Milliseconds of processor time of the whole host from its start to the request. */
      processor: v.number(),
      /** Bytes of the body. */
      bytes: v.number(),
      /** Milliseconds to write the same body as JSON, and nothing else. */
      writing: v.number(),
    }),
  ),
  /** Milliseconds in which VS Code reads a file for an extension. */
  readFile: v.number(),
  /** Asks a language model, and reads the whole answer. */
  askModel: v.object({ parts: v.number(), milliseconds: v.number() }),
};

export type ProbeCall = keyof typeof probeResults;
export type ProbeResult<Call extends ProbeCall> = v.InferOutput<(typeof probeResults)[Call]>;

export interface ProbeInputs {
  readonly activate: { readonly extensions: readonly string[] };
  readonly start: { readonly extension: string };
  readonly heap: null;
  readonly still: null;
  readonly run: { readonly command: string; readonly arguments?: readonly unknown[] };
  readonly begin: { readonly command: string };
  readonly showList: { readonly labels: readonly string[] };
  readonly writeConnections: { readonly connections: readonly object[] };
  readonly watchRequests: { readonly port: number };
  readonly takeRequests: null;
  readonly readFile: { readonly path: string };
  /** `id` is VS Code's ID of the model. `parts` is the number of parts that the model in memory sends. */
  readonly askModel: { readonly vendor: string; readonly id: string; readonly parts: number };
}

/** Each message is one line of JSON, in both directions. */
export const questionSchema = v.object({ id: v.number(), call: v.string(), input: v.unknown() });
export const replySchema = v.object({
  id: v.number(),
  result: v.optional(v.unknown(), null),
  error: v.optional(v.string()),
});

/** Environment variable with the port on which the bench waits for the probe. */
export const portVariable = "INFERENCE_BENCH_PORT";

export const memoryVendor = "inference-bench";
export const memoryModel = "memory";

export const emptyView = "bench.empty";
export const openEmptyView = "bench.openEmpty";
