import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";

const usageSchema = v.object({
  inputTokens: v.optional(v.number()),
  outputTokens: v.optional(v.number()),
  totalTokens: v.optional(v.number()),
});

const caseSchema = v.object({
  id: v.string(),
  style: v.picklist(["chat", "messages", "models"]),
  kind: v.picklist(["error", "stream", "models", "success"]),
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
  expect: v.object({
    cause: v.optional(v.string()),
    text: v.optional(v.string()),
    models: v.optional(v.array(v.string())),
    requestId: v.optional(v.string()),
    retryAfterSeconds: v.optional(v.number()),
    usage: v.optional(usageSchema),
    stopReason: v.optional(v.nullable(v.string())),
    midStreamError: v.optional(v.boolean()),
    toolCalls: v.optional(v.array(v.tuple([v.nullable(v.string()), v.string(), v.unknown()]))),
    reasoning: v.optional(v.string()),
    modelFacts: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
  }),
  alsoPossible: v.optional(v.array(v.string()), []),
  mustRedact: v.optional(v.array(v.string()), []),
  splitAtBytes: v.optional(v.array(v.number()), []),
  nowMs: v.optional(v.number()),
  nodeError: v.optional(v.unknown()),
  pagination: v.optional(v.object({ next: v.nullable(v.string()) })),
});

/** A recorded answer of a real server and the expected result. */
export type CorpusCase = v.InferOutput<typeof caseSchema>;

const folder = new URL("../../../../shared/wire-cases/", import.meta.url);
const files = ["error.json", "stream.json", "models.json", "success.json", "more.json"];

/** Reads the cases next to the project's folder, or returns null if they are missing. */
export function readCorpus(): readonly CorpusCase[] | null {
  if (!existsSync(fileURLToPath(folder))) return null;
  return files
    .map((file) => new URL(file, folder))
    .filter((file) => existsSync(file))
    .flatMap((file) => v.parse(v.array(caseSchema), JSON.parse(readFileSync(file, "utf8"))));
}
