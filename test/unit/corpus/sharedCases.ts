import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { tellFigure } from "../../support/figures.ts";

const caseSchema = v.object({
  area: v.string(),
  id: v.string(),
  input: v.unknown(),
  expect: v.unknown(),
  why: v.string(),
});

/** One small input beyond the wire, the right result, and the reason. */
export type SharedCase = v.InferOutput<typeof caseSchema>;

const file = new URL("../../../../shared/cases/cases.json", import.meta.url);

/** Reads the cases of one area. Prints a line and returns none if the file is not beside the project. */
export function readSharedCases(area: string): readonly SharedCase[] {
  if (!existsSync(fileURLToPath(file))) {
    tellFigure(`cases of ${area}: NOT RUN, ../shared/cases is not there`);
    return [];
  }
  const all = v.parse(v.array(caseSchema), JSON.parse(readFileSync(file, "utf8")));
  const cases = all.filter((each) => each.area === area);
  if (cases.length === 0) throw new Error(`There is no case of ${area}.`);
  return cases;
}
