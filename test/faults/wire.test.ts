import assert from "node:assert/strict";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { tellFigure } from "../support/figures.ts";
import { endingOf, flows } from "./wire/fault.ts";
import { faultGroups } from "./wire/faults.ts";
import { type Ran, runFault } from "./wire/run.ts";
import { isOnWay, ways } from "./wire/site.ts";
import { createTrust, type Trust } from "./wire/trust.ts";

const megabyte = 1024 * 1024;
/** Bytes. Client and server share one process, and garbage counts until it is collected. */
const memoryBound = 256 * megabyte;
const fewestKinds = 60;

describe("faults on the wire", function () {
  this.timeout(60_000);
  let trust: Trust;
  const runs: Ran[] = [];

  before(async () => {
    trust = await createTrust();
  });
  after(async () => {
    await trust[Symbol.asyncDispose]();
    const kinds = Object.values(faultGroups).flat().length;
    const slowest = Math.max(...runs.map(({ milliseconds }) => milliseconds));
    const late = runs.flatMap(({ lateMs }) => lateMs ?? []);
    const memory = Math.max(...runs.map((run) => run.memory));
    tellFigure(
      `faults on the wire: ${kinds} kinds, by our own connection and by fetch, ${runs.length} runs ended in the right cause, ` +
        `the slowest in ${Math.round(slowest)} ms; ${late.length} of them by the one limit of time that was to end them, ` +
        `at most ${Math.round(Math.max(0, ...late))} ms behind it, the others by none; ` +
        `text kept and next request answered in ${runs.length}; the connection left in ${runs.filter(({ left }) => left).length}, ` +
        `all in which it could serve nothing more; ` +
        `memory at most ${Math.ceil(memory / megabyte)} MB more than before (bound ${memoryBound / megabyte} MB)`,
    );
  });

  it(`have at least ${fewestKinds} kinds, each with a unique name`, () => {
    const names = Object.values(faultGroups)
      .flat()
      .map(({ name }) => name);
    assert.ok(new Set(names).size >= fewestKinds);
    assert.equal(new Set(names).size, names.length);
  });

  for (const [group, faults] of Object.entries(faultGroups)) {
    describe(group, () => {
      for (const fault of faults) {
        for (const flow of flows.filter((each) => endingOf(fault, each) !== undefined)) {
          // The request for a list is the same in both styles.
          const styles = flow === "list" ? clientStyles.slice(0, 1) : clientStyles;
          for (const style of styles) {
            for (const way of ways.filter((each) => isOnWay(fault, each))) {
              it(`${fault.name}: ${flow}, ${style}, ${way}`, async () => {
                const ran = await runFault(fault, flow, style, trust, way);
                runs.push(ran);
                assert.ok(ran.memory < (fault.memory ?? memoryBound), `${ran.memory} bytes`);
              });
            }
          }
        }
      }
    });
  }
});
