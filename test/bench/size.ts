import { stat } from "node:fs/promises";
import { extensionsVariable } from "../support/endToEnd.ts";
import { packagedExtension, packageExtension } from "../support/packageExtension.ts";
import { atMost, type BenchResult } from "./benchRow.ts";

/** Row 6: what is downloaded, with at most 1,048,576 bytes. */
export async function benchSize(): Promise<BenchResult> {
  // Among other tests it is there, and what was built for it is in use.
  const file = process.env[extensionsVariable] === undefined ? await packageExtension() : packagedExtension;
  const { size } = await stat(file);
  const ours = { value: size / 1_024, unit: "KiB" };
  return {
    lines: [{ what: "whole VSIX", ours, goal: atMost(ours.value, 1_024, "KiB") }],
    figures: [{ name: "whole VSIX", value: size, unit: "bytes" }],
  };
}
