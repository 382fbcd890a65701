import { extensionId } from "../support/workbench/webviewFrame.ts";
import { atMost, type BenchResult, type BenchSize, milliseconds } from "./benchRow.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";

const emptyExtensionId = "inference-chat-bench.empty";

/**
 * Row 5: time to load and activate our extension, minus the time of an empty extension in the same host. Each
 * measurement has a fresh host.
 */
export async function benchActivation({ runs }: BenchSize): Promise<BenchResult> {
  const editor = await sharedEditor();
  /** Milliseconds of both extensions in a fresh host. */
  const activate = async (oursFirst: boolean): Promise<{ readonly ours: number; readonly empty: number }> => {
    await editor.becomeFresh();
    const order = oursFirst ? [extensionId, emptyExtensionId] : [emptyExtensionId, extensionId];
    const [first = Number.NaN, second = Number.NaN] = await editor.probe.call("activate", {
      extensions: order,
    });
    await editor.start();
    return oursFirst ? { ours: first, empty: second } : { ours: second, empty: first };
  };
  const [empty, over, overAsFirst, overAsSecond]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let run = 0; run < runs; run += 1) {
    // The first extension in a host takes a different time than the second, so each extension comes first once.
    const [one, other] = [await activate(true), await activate(false)];
    empty.push((one.empty + other.empty) / 2);
    overAsFirst.push(one.ours - one.empty);
    overAsSecond.push(other.ours - other.empty);
    over.push((one.ours - one.empty + other.ours - other.empty) / 2);
  }
  const ours = milliseconds(median(over));
  return {
    lines: [
      {
        what: "activate, over empty one",
        ours,
        limit: { name: "empty one", ...milliseconds(median(empty)) },
        goal: atMost(ours.value, 15, "ms"),
      },
    ],
    figures: [
      { name: "over the empty one where ours is first", ...milliseconds(median(overAsFirst)) },
      { name: "over the empty one where ours is second", ...milliseconds(median(overAsSecond)) },
    ],
  };
}
