import { clientStyles } from "../../../src/protocol/wireStyle.ts";
import { endingOf, flows } from "../../faults/wire/fault.ts";
import { faultGroups } from "../../faults/wire/faults.ts";
import { runFault } from "../../faults/wire/run.ts";
import { isOnWay, ways } from "../../faults/wire/site.ts";
import { createTrust, type Trust } from "../../faults/wire/trust.ts";

/** Each quick fault once on each way, by turns in both styles and in what is asked; `npm run test:faults` has all. */
describe("faults on the wire, some of them", () => {
  let trust: Trust;

  before(async () => {
    trust = await createTrust();
  });
  after(() => trust[Symbol.asyncDispose]());

  for (const way of ways) {
    for (const [group, faults] of Object.entries(faultGroups)) {
      const met = faults.filter((fault) => fault.slow !== true && isOnWay(fault, way));
      if (met.length === 0) continue;
      it(`end in the right cause: ${group}, ${way}`, async () => {
        for (const [index, fault] of met.entries()) {
          const possible = flows.filter((flow) => endingOf(fault, flow) !== undefined);
          const flow = possible[index % possible.length] ?? "chat";
          const style = clientStyles[index % clientStyles.length] ?? "messages";
          await runFault(fault, flow, style, trust, way).catch((error: unknown) => {
            throw new Error(`${fault.name} (${flow}, ${style})`, { cause: error });
          });
        }
      });
    }
  }
});
