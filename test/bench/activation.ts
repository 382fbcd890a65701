import { type Activations, measureActivations } from "./activations.ts";
import { atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { median } from "./statistics.ts";

/** Row 5: to load and activate ours, beside an empty extension in the same host; each time a fresh one. */
export async function benchActivation(size: BenchSize): Promise<readonly BenchRow[]> {
  const runs = await measureActivations(size);
  const figure = (name: "ours" | "empty"): Figure => ({
    name: name === "ours" ? "ours" : "empty extension",
    value: median(runs.map((run) => run[name].took)),
    unit: "ms",
  });
  const first = runs.filter(({ oursFirst }) => oursFirst);
  const second = runs.filter(({ oursFirst }) => !oursFirst);
  return [
    {
      what: `load and activate, fresh hosts: ${runs.length}`,
      ours: [figure("ours")],
      peers: [],
      limits: [figure("empty")],
      goals: [
        atMost("ms over the empty extension", medianOver(runs), 10),
        atMost("ms over it where ours is first in its host", medianOver(first), 10),
        atMost("ms over it where ours is second", medianOver(second), 10),
      ],
    },
  ];
}

/** In the same host, whose speed falls on both of them. */
function medianOver(runs: readonly Activations[]): number {
  return median(runs.map(({ ours, empty }) => ours.took - empty.took));
}
