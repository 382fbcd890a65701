import { stat } from "node:fs/promises";
import { extensionsVariable } from "../support/endToEnd.ts";
import { packagedExtension, packageExtension } from "../support/packageExtension.ts";
import { atMost, type BenchResult } from "./benchRow.ts";

/** Row 6: the size of the download. The goal is at most 1.5 MB. */
export async function benchSize(): Promise<BenchResult> {
  // During other tests, the package already exists, and the files that it was built from are in use.
  const file = process.env[extensionsVariable] === undefined ? await packageExtension() : packagedExtension;
  const { size } = await stat(file);
  const ours = { value: size / 1_024, unit: "KiB" };
  return {
    lines: [{ what: "whole VSIX", ours, goal: atMost(ours.value, 1_536, "KiB") }],
    figures: [{ name: "whole VSIX", value: size, unit: "bytes" }],
  };
}
