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

/** A small input, the expected result, and the reason. These cases are not about wire formats. */
export type SharedCase = v.InferOutput<typeof caseSchema>;

const file = new URL("../../../../shared/cases/cases.json", import.meta.url);

/**
 * Reads the cases of one area. If the file next to the project is missing, prints a line and returns an empty list.
 * @throws Error if the file has no case of the area
 */
export function readSharedCases(area: string): readonly SharedCase[] {
  if (!existsSync(fileURLToPath(file))) {
    tellFigure(`cases of ${area}: NOT RUN, ../shared/cases is not there`);
    return [];
  }
  const all = v.parse(v.array(caseSchema), JSON.parse(readFileSync(file, "utf8")));
  const cases = all.filter((each) => each.area === area);
  if (cases.length === 0) throw new Error(`The file has no case of the area ${area}.`);
  return cases;
}
