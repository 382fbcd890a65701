import { type Activations, measureActivations } from "./activations.ts";
import { atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { median } from "./statistics.ts";

/** Row 5: to load and activate ours, beside an empty extension in the same host; each time a fresh one. */
export async function benchActivation(size: BenchSize): Promise<readonly BenchRow[]> {
  const runs = await measureActivations(size);
  const first = runs.filter(({ oursFirst }) => oursFirst).map(over);
  const second = runs.filter(({ oursFirst }) => !oursFirst).map(over);
  // What is activated first takes another time than what comes behind it, be it ours or not: each run with ours first
  // has one with ours second beside it, so that the place falls on both alike.
  const overEmpty = median(first.map((value, index) => (value + (second[index] ?? value)) / 2));
  return [
    {
      what: `load and activate, fresh hosts: ${runs.length}`,
      ours: [
        milliseconds("ours", median(runs.map(({ ours }) => ours.took))),
        milliseconds("over the empty one where ours is first", median(first)),
        milliseconds("where ours is second", median(second)),
      ],
      peers: [],
      limits: [milliseconds("empty extension", median(runs.map(({ empty }) => empty.took)))],
      goals: [atMost("ms over the empty extension, each first as often", overEmpty, 10)],
    },
  ];
}

/** In the same host, whose speed falls on both of them. */
function over({ ours, empty }: Activations): number {
  return ours.took - empty.took;
}

function milliseconds(name: string, value: number): Figure {
  return { name, value, unit: "ms" };
}
