import assert from "node:assert/strict";
import { settledTurnSchema, transcriptEventSchema } from "../../../src/chat/transcript/transcriptSchema.ts";
import { answerLimits, listLimits } from "../../../src/client/http/transport.ts";
import { probeIds } from "../../../src/connection/compatibility/compatibility.ts";
import { probes } from "../../../src/connection/compatibility/probes.ts";
import { namesIn, readDocument, tableRows } from "./documents.ts";

/** Names of all fields in a schema and all their literal values. */
function namesOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const parts = Object.entries(schema).flatMap(([name, value]: [string, unknown]): readonly string[] => {
    switch (name) {
      case "entries":
        return Object.entries(Object(value)).flatMap(([field, of]) => [field, ...namesOf(of)]);
      case "literal":
        return typeof value === "string" ? [value] : [];
      case "options":
      case "pipe":
        return Array.isArray(value) ? value.flatMap(namesOf) : [];
      case "item":
      case "wrapped":
        return namesOf(value);
      default:
        return [];
    }
  });
  return [...new Set(parts)];
}

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

describe("docs/dev/history-format.md", () => {
  const told = new Set(readDocument("docs/dev/history-format.md").match(/[\w-]+/g));

  it("describes every field and literal of events and exported turns", () => {
    const names = [transcriptEventSchema, settledTurnSchema].flatMap(namesOf);
    assert.ok(names.length > 50, names.join());
    assert.deepEqual(
      names.filter((name) => !told.has(name)),
      [],
    );
  });
});

describe("docs/requests.md", () => {
  const text = readDocument("docs/requests.md");

  it("lists the streaming and the token cap of every probe", () => {
    assert.deepEqual(
      tableRows(text, "Probe").map(([id = "", , streamed, cap]) => [namesIn(id)[0], streamed, cap]),
      probeIds.map((id) => {
        const { stream, maxTokens } = probes[id].request;
        return [id, stream ? "yes" : "no", String(maxTokens)];
      }),
    );
  });

  it("lists the timeouts", () => {
    const names = ["connectMs", "headersMs", "idleMs", "totalMs"] as const;
    assert.deepEqual(
      tableRows(text, "Limit").map(([, answers, lists]) => [answers, lists]),
      names.map((name) => [seconds(answerLimits[name]), seconds(listLimits[name])]),
    );
  });
});
