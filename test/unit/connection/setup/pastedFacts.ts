import assert from "node:assert/strict";
import { describeUnusedPart } from "../../../../src/connection/setup/inputTexts.ts";
import {
  type PastedConfiguration,
  type PasteProblem,
  readPastedConfiguration,
} from "../../../../src/connection/setup/pastedConfiguration.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { fakeKey } from "../../service/fixture.ts";

export const key = fakeKey("pasted-0123456789");
export const t = createTranslate();

/** Returns the configuration of a text that is one. */
export function read(text: string): PastedConfiguration {
  const reading = readPastedConfiguration(text);
  assert.ok(reading.kind === "configuration", JSON.stringify(reading));
  return reading.configuration;
}

/** Returns the problem of a text, or undefined for a configuration. */
export function problemOf(text: string): PasteProblem["kind"] | undefined {
  const reading = readPastedConfiguration(text);
  return reading.kind === "problem" ? reading.problem.kind : undefined;
}

/** Returns the base URL of these lines. */
export function urlOf(...lines: readonly string[]): string {
  return read(lines.join("\n")).baseUrl;
}

/** The facts of a configuration in one line. */
export function brief(text: string): string {
  const { source, name, baseUrl, clientStyle, model, headers, key: found } = read(text);
  const shown = headers.map((header) => `${header.name}=${JSON.stringify(header.value)}`);
  const keyText = found.kind === "key" ? (found.key === key ? "key" : "other") : found.kind;
  return [source, name, baseUrl, clientStyle, model, ...shown, keyText]
    .map((part) => part ?? "-")
    .join(" | ");
}

/** Returns the descriptions of the parts that are not used. */
export function unusedOf(text: string): readonly string[] {
  return read(text).unused.map((part) => describeUnusedPart(part, t));
}
