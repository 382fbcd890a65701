import assert from "node:assert/strict";
import { tellFigure } from "../../support/figures.ts";
import { readCorpus } from "./corpusCase.ts";
import type { CorpusCase } from "./corpusCase.ts";
import { byteByByte, check, cutAt, replay, whole } from "./replay.ts";
import type { Check, Cut } from "./replay.ts";

interface Finding extends Check {
  readonly where: string;
}

/** All ways to split the body of a case into reads. */
function cutsOf(wireCase: CorpusCase): readonly (readonly [string, Cut])[] {
  const splits = wireCase.splitAtBytes.map((offset) => [`cut at ${offset}`, cutAt([offset])] as const);
  return [
    ["whole", whole],
    ["byte by byte", byteByByte],
    ...splits,
    ["all cuts", cutAt(wireCase.splitAtBytes)],
  ];
}

async function replayAll(cases: readonly CorpusCase[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const wireCase of cases) {
    for (const [name, cut] of cutsOf(wireCase)) {
      const where = `${wireCase.id} (${name})`;
      findings.push(...check(wireCase, await replay(wireCase, cut)).map((each) => ({ ...each, where })));
    }
  }
  return findings;
}

describe("the corpus of real answers", () => {
  it("produces the expected results and diagnoses", async () => {
    const cases = readCorpus();
    if (cases === null) {
      tellFigure("real answers: NOT REPLAYED, ../shared/wire-cases is not there");
      return;
    }
    const findings = await replayAll(cases);
    const fields = [...new Set(findings.map((finding) => finding.field))];
    console.log(`    ${cases.length} cases, ${findings.length} checks over all cuts:`);
    for (const field of fields) {
      const ofField = findings.filter((finding) => finding.field === field);
      console.log(`    ${field}: ${ofField.filter(({ held }) => held).length} of ${ofField.length} held`);
    }
    const missed = findings.filter(({ held }) => !held);
    assert.deepEqual(
      missed.map(({ where, field, expected, found }) => ({ where, field, expected, found })),
      [],
    );
    tellFigure(
      `real answers: ${cases.length} cases, ${findings.length} checks over all cuts, all read and diagnosed as they expect`,
    );
  });
});
