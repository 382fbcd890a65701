import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tellFigure } from "../support/figures.ts";
import { projectRoot } from "../support/paths.ts";

const fewestCases = 200_000;
const mostSeconds = 300;

describe("npm run fuzz", () => {
  it("finds no input that a parser or decoder fails on", () => {
    const { stdout, status } = spawnSync(process.execPath, ["test/fuzz/main.ts"], {
      cwd: projectRoot,
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
    const targets = stdout.match(/^ {2}.+: \d+ cases$/gm) ?? [];
    const [, cases, seconds] = /^(\d+) cases in (\d+) s/m.exec(stdout) ?? assert.fail(stdout);
    assert.ok(Number(cases) >= fewestCases && Number(seconds) <= mostSeconds, stdout);
    tellFigure(`fuzz: ${cases} cases in ${seconds} s over ${targets.length} parsers and decoders, 0 failed`);
  }).timeout(6 * 60_000);
});
