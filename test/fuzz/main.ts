// `npm run fuzz`: gives random cases to the parsers and decoders until there are 200,000 cases or five minutes have
// passed. Prints the number of cases.
import { fuzzTargets } from "./targets.ts";

const fewestCases = 200_000;
const limitMs = 5 * 60_000;
const casesAtOnce = 1000;

const started = performance.now();
const elapsed = (): number => performance.now() - started;
const counts = fuzzTargets.map((target) => ({ target, cases: 0, failure: "" }));
const total = (): number => counts.reduce((sum, { cases }) => sum + cases, 0);

// Runs all targets in rounds, so that a slow machine still runs every target.
while (total() < fewestCases && elapsed() < limitMs) {
  for (const count of counts.filter(({ failure }) => failure === "")) {
    const { cases, failure = "" } = await count.target.run(casesAtOnce);
    count.cases += cases;
    count.failure = failure;
  }
  if (counts.every(({ failure }) => failure !== "")) break;
}

for (const { target, cases, failure } of counts) {
  console.log(`  ${target.name}: ${cases} cases${failure === "" ? "" : `, failed\n${failure}`}`);
}
const enough = total() >= fewestCases;
console.log(
  `\n${total()} cases in ${Math.round(elapsed() / 1000)} s (at least ${fewestCases} in ${limitMs / 1000} s)`,
);
const failed = counts.filter(({ failure }) => failure !== "").length + (enough ? 0 : 1);
console.log(`${counts.length + 1 - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
