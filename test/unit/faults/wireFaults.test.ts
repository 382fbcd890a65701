import { clientStyles } from "../../../src/protocol/conversation/wireStyle.ts";
import { endingOf, type Fault, flows } from "../../faults/wire/fault.ts";
import { faultGroups } from "../../faults/wire/faults.ts";
import { runFault } from "../../faults/wire/run.ts";
import { isOnWay, type Way, ways } from "../../faults/wire/site.ts";
import { createTrust, type Trust } from "../../faults/wire/trust.ts";

/** Every nth fault also runs by `fetch`: most causes are told by the same code in both ways. */
const fetchStride = 3;

/** Whether the fault ends soon. `fetch` gives up an attempt to connect only after ten seconds. */
function isQuick({ slow, limit }: Fault, way: Way): boolean {
  return slow !== true && !(limit === "connect" && way === "fetch");
}

/** Number of faults run at once. Each fault has its own servers, and most faults wait for a timeout. */
const lanes = 4;

async function inLanes<T>(all: readonly T[], run: (one: T, index: number) => Promise<void>): Promise<void> {
  const queue = all.entries();
  const runQueue = async (): Promise<void> => {
    for (const [index, one] of queue) await run(one, index);
  };
  await Promise.all(Array.from({ length: lanes }, runQueue));
}

/** Runs each quick fault once, and some by `fetch` too, in alternating styles and flows. `npm run test:faults` runs all. */
describe("a sample of faults on the wire", () => {
  let trust: Trust;

  before(async () => {
    trust = await createTrust();
  });
  after(() => trust[Symbol.asyncDispose]());

  for (const way of ways) {
    for (const [group, faults] of Object.entries(faultGroups)) {
      const quick = faults.filter((fault) => isQuick(fault, way) && isOnWay(fault, way));
      const met = quick.filter(
        (fault, index) => way === "ours" || fault.way === "fetch" || index % fetchStride === 0,
      );
      if (met.length === 0) continue;
      it(`are reported with the right cause: ${group}, ${way}`, async () => {
        await inLanes(met, async (fault, index) => {
          const possible = flows.filter((flow) => endingOf(fault, flow) !== undefined);
          const flow = possible[index % possible.length] ?? "chat";
          const style = clientStyles[index % clientStyles.length] ?? "messages";
          await runFault(fault, flow, style, trust, way).catch((error: unknown) => {
            throw new Error(`${fault.name} (${flow}, ${style})`, { cause: error });
          });
        });
      });
    }
  }
});
