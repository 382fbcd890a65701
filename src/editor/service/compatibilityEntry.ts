import * as v from "valibot";
import { timeSchema } from "../../chat/transcript/transcriptSchema.ts";
import type { Addressee } from "../../client/request/requestMemory.ts";
import { type ProbeId, probeIds, seenStates } from "../../connection/compatibility/compatibility.ts";
import { isSameAdaptation } from "../../protocol/encode/adaptation.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";

/** Orders what is written in any window: the time in milliseconds, or one more than the newest that was seen. */
const stamp = v.pipe(v.number(), v.integer(), v.minValue(0));

const adaptationSchema = v.variant("kind", [
  v.object({ kind: v.literal("omit"), field: v.pipe(v.string(), v.maxLength(100)) }),
  v.object({ kind: v.literal("rename-cap") }),
  v.object({ kind: v.literal("system-as-user") }),
  v.object({ kind: v.literal("fill-reasoning") }),
]);

const learntSchema = v.object({
  stamp,
  adaptation: adaptationSchema,
  at: timeSchema,
  status: v.number(),
  requestId: v.exactOptional(v.string()),
});

const resultSchema = v.object({
  stamp,
  clientStyle: v.picklist(clientStyles),
  probe: v.picklist(probeIds),
  state: v.picklist(seenStates),
  evidence: v.string(),
  at: timeSchema,
  status: v.exactOptional(v.number()),
  requestId: v.exactOptional(v.string()),
});

/** What was forgotten stays forgotten, also where another window still holds it. */
const forgottenSchema = v.object({ stamp, what: v.picklist([...probeIds, "learnt"]) });

export const entrySchema = v.object({
  origin: v.string(),
  model: v.string(),
  clientStyle: v.picklist(clientStyles),
  learnt: v.array(learntSchema),
  results: v.array(resultSchema),
  forgotten: v.array(forgottenSchema),
});

/** All that was seen, and forgotten, of one origin, model and client style. */
export type Entry = v.InferOutput<typeof entrySchema>;

/** A refused field, and how requests are written since. */
export type LearntRefusal = v.InferOutput<typeof learntSchema>;

export type Forgettable = ProbeId | "learnt";

const maxLearnt = 12;

export function emptyEntry({ origin, model, clientStyle }: Addressee): Entry {
  return { origin, model, clientStyle, learnt: [], results: [], forgotten: [] };
}

export function isOf(entry: Addressee, { origin, model, clientStyle }: Addressee): boolean {
  return entry.origin === origin && entry.model === model && entry.clientStyle === clientStyle;
}

/**
 * What two windows know together: of each thing what was written last, and nothing that was forgotten
 * after it was seen. Whatever is joined in whichever order comes to the same.
 */
export function joinEntries(one: Entry, other: Entry): Entry {
  const forgotten = newest([...one.forgotten, ...other.forgotten], (a, b) => a.what === b.what);
  const isKept = (what: Forgettable, written: number): boolean =>
    forgotten.every((each) => each.what !== what || each.stamp < written);
  const results = newest([...one.results, ...other.results], (a, b) => a.probe === b.probe);
  const learnt = newest([...one.learnt, ...other.learnt], (a, b) =>
    isSameAdaptation(a.adaptation, b.adaptation),
  );
  return {
    ...one,
    forgotten,
    results: results.filter((result) => isKept(result.probe, result.stamp)),
    learnt: learnt.filter((refusal) => isKept("learnt", refusal.stamp)).slice(-maxLearnt),
  };
}

/** When anything of it was written last. */
export function stampOf({ learnt, results, forgotten }: Entry): number {
  return Math.max(0, ...[...learnt, ...results, ...forgotten].map((each) => each.stamp));
}

/** Of what is the same, the one that was written last; in the order of writing. */
function newest<T extends { readonly stamp: number }>(
  all: readonly T[],
  isSame: (one: T, other: T) => boolean,
): T[] {
  const sorted = all.toSorted((one, other) => one.stamp - other.stamp);
  return sorted.filter((each, index) => !sorted.slice(index + 1).some((later) => isSame(each, later)));
}
