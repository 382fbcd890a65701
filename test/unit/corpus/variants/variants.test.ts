import assert from "node:assert/strict";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";
import { readFacts } from "../../../../src/connection/diagnosis/diagnosisFacts.ts";
import { byteByByte, type Cut, replay, type Replayed, whole } from "../replay.ts";
import type { ErrorVariant } from "./errorVariant.ts";
import { answerVariants } from "./answers.ts";
import { frontVariants } from "./fronts.ts";
import { gatewayVariants } from "./gateways.ts";
import { hostVariants } from "./hosts.ts";
import { labVariants } from "./labs.ts";
import { languageVariants } from "./languages.ts";
import { furtherWords, otherWords, traps } from "./otherWords.ts";
import { ownMachineVariants } from "./ownMachines.ts";
import { pageVariants } from "./pages.ts";
import { youngerLabVariants } from "./youngerLabs.ts";

const styles = ["chat", "messages", "models"] as const;

async function play(variant: ErrorVariant, style: (typeof styles)[number]): Promise<Replayed> {
  const { status, body, headers = {} } = variant;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return replayBody(style, status, headers, text, status < 300 ? byteByByte : whole);
}

function replayBody(
  style: (typeof styles)[number],
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  cut: Cut,
): Promise<Replayed> {
  const none = { id: "", expect: {}, alsoPossible: [], mustRedact: [], splitAtBytes: [] };
  return replay({ ...none, kind: "error", style, status, headers: { ...headers }, body }, cut);
}

const tables: Readonly<Record<string, readonly ErrorVariant[]>> = {
  "model makers": [...labVariants, ...youngerLabVariants],
  "model hosts": [...hostVariants, ...ownMachineVariants],
  gateways: [...gatewayVariants, ...frontVariants],
  "HTML pages": pageVariants,
  "unknown services": [...otherWords, ...furtherWords],
  "services that mention another cause": traps,
};

describe("answers outside the corpus", () => {
  for (const [name, variants] of Object.entries(tables)) {
    it(`are diagnosed with the right cause in every client style: errors of ${name}`, async () => {
      const missed: unknown[] = [];
      for (const variant of variants) {
        for (const style of styles) {
          const { failure } = await play(variant, style);
          const found = failure && causeOf(failure);
          if (found === undefined || !variant.causes.includes(found))
            missed.push([variant.from, variant.status, variant.body, variant.causes, found]);
        }
      }
      console.log(`    ${variants.length} answers`);
      assert.deepEqual(missed, []);
    });
  }

  it("are diagnosed with the right cause in every language and envelope", async () => {
    const missed: unknown[] = [];
    for (const variant of languageVariants) {
      const { failure } = await play(variant, "chat");
      const found = failure && causeOf(failure);
      if (found === undefined || !variant.causes.includes(found))
        missed.push([variant.from, variant.status, variant.body, found]);
    }
    console.log(`    ${languageVariants.length} answers`);
    assert.deepEqual(missed, []);
  });

  for (const { what, style, body, text, models, causes } of answerVariants) {
    it(`are read correctly, whole and byte by byte: ${style}, ${what}`, async () => {
      for (const cut of [whole, byteByByte]) {
        const { parts, page, failure } = await replayBody(style, 200, {}, body, cut);
        if (text !== undefined)
          assert.equal(parts.map((part) => (part.type === "text-delta" ? part.text : "")).join(""), text);
        if (models !== undefined)
          assert.deepEqual(
            page?.models.map(({ id }) => id),
            models,
          );
        const cause = failure && causeOf(failure);
        assert.ok(causes === undefined ? cause === undefined : cause && causes.includes(cause), cause);
      }
    });
  }

  for (const variant of pageVariants) {
    it(`reveal the kind of page: ${variant.from}`, async () => {
      const { failure } = await play(variant, "chat");
      assert.ok(failure !== undefined);
      assert.equal(readFacts(failure, {}).pageKind, variant.page);
    });
  }
});
