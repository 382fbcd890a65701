import { clientStyles } from "../../../src/protocol/wireStyle.ts";
import { endingOf, flows } from "../../faults/wire/fault.ts";
import { faultGroups } from "../../faults/wire/faults.ts";
import { runFault } from "../../faults/wire/run.ts";
import { createTrust, type Trust } from "../../faults/wire/trust.ts";

/** Each quick fault once, by turns in both styles and in what is asked; `npm run test:faults` has all of them. */
describe("faults on the wire, some of them", () => {
  let trust: Trust;

  before(async () => {
    trust = await createTrust();
  });
  after(() => trust[Symbol.asyncDispose]());

  for (const [group, faults] of Object.entries(faultGroups)) {
    it(`end in the right cause: ${group}`, async () => {
      for (const [index, fault] of faults.entries()) {
        if (fault.slow === true) continue;
        const possible = flows.filter((flow) => endingOf(fault, flow) !== undefined);
        const flow = possible[index % possible.length] ?? "chat";
        const style = clientStyles[index % clientStyles.length] ?? "messages";
        await runFault(fault, flow, style, trust).catch((error: unknown) => {
          throw new Error(`${fault.name} (${flow}, ${style})`, { cause: error });
        });
      }
    });
  }
});
