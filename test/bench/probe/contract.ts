import * as v from "valibot";

/** What the bench may ask of the probe in the extension host, and the shape of what comes back. */
export const probeResults = {
  /** Milliseconds to load and activate each extension, one after the other, once the host has become calm. */
  activate: v.array(v.number()),
  /** Activates an extension unless it is active, as the editor does behind its start. */
  start: v.null(),
  /** Megabytes of the host's heap in use, when garbage was collected and the host has become calm. */
  heap: v.number(),
  /** Is done when the host has next to nothing to do. */
  still: v.null(),
  /** Runs a command of the editor, and is done when that is. */
  run: v.null(),
  /** Begins a command of the editor, which may wait for the user. */
  begin: v.null(),
  /** Shows the editor's own list widget, and is done when it was asked for. */
  showList: v.null(),
  /** Writes the user's connections, and waits until the extensions know. */
  writeConnections: v.null(),
  /** Asks a language model, and reads all of its answer. */
  askModel: v.object({ parts: v.number(), milliseconds: v.number() }),
};

export type ProbeCall = keyof typeof probeResults;
export type ProbeResult<Call extends ProbeCall> = v.InferOutput<(typeof probeResults)[Call]>;

/** What goes along with each question. */
export interface ProbeInputs {
  readonly activate: { readonly extensions: readonly string[] };
  readonly start: { readonly extension: string };
  readonly heap: null;
  readonly still: null;
  readonly run: { readonly command: string; readonly arguments?: readonly unknown[] };
  readonly begin: { readonly command: string };
  readonly showList: { readonly labels: readonly string[] };
  readonly writeConnections: { readonly connections: readonly object[] };
  /** `id` as the editor lists the model; how many parts the one from memory is to answer with. */
  readonly askModel: { readonly vendor: string; readonly id: string; readonly parts: number };
}

/** One line each way, as JSON. */
export const questionSchema = v.object({ id: v.number(), call: v.string(), input: v.unknown() });
export const replySchema = v.object({
  id: v.number(),
  result: v.optional(v.unknown(), null),
  error: v.optional(v.string()),
});

/** Names the port on which the bench waits for the probe. */
export const portVariable = "INFERENCE_BENCH_PORT";

export const memoryVendor = "inference-bench";
export const memoryModel = "memory";

export const emptyView = "bench.empty";
export const openEmptyView = "bench.openEmpty";
