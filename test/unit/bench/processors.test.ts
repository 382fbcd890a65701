import assert from "node:assert/strict";
import { descendantsOf, readProcessorList } from "../../bench/processors.ts";

describe("readProcessorList", () => {
  it("reads single processors and ranges from the process status", () => {
    assert.deepEqual(
      readProcessorList("Cpus_allowed:\t3\nCpus_allowed_list:\t0-1\nMems_allowed:\t1\n"),
      [0, 1],
    );
    assert.deepEqual(readProcessorList("Cpus_allowed_list:\t0,2-4,9\n"), [0, 2, 3, 4, 9]);
    assert.deepEqual(readProcessorList("Cpus_allowed_list:\t5\n"), [5]);
  });

  it("returns an empty list if the status has no processors", () => {
    assert.deepEqual(readProcessorList("Name:\tnode\n"), []);
  });
});

describe("descendantsOf", () => {
  it("returns the child processes and their descendants only", () => {
    const listed =
      "    1     0\n   10     1\n   11    10\n  200    11\n  201    11\n   12     1\n  300   200\n";
    assert.deepEqual(new Set(descendantsOf(10, listed)), new Set([11, 200, 201, 300]));
    assert.deepEqual(descendantsOf(12, listed), []);
  });
});
