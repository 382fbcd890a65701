import { extensionId } from "../support/workbench/webviewFrame.ts";
import type { BenchSize } from "./benchRow.ts";
import type { Activation } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { sharedEditor } from "./sharedEditor.ts";

const emptyExtensionId = "inference-chat-bench.empty";

/** What two extensions took that were activated in one fresh host, ours and an empty one. */
export interface Activations {
  readonly ours: Activation;
  readonly empty: Activation;
  /** Whether ours was activated before the empty one. They take turns: what one leaves to do may fall on the next. */
  readonly oursFirst: boolean;
  /** Megabytes of ours some time later, when it watches. */
  readonly settled: number;
}

let measured: Promise<readonly Activations[]> | undefined;

/** For the rows of time and of memory, from the same hosts. */
export function measureActivations(size: BenchSize): Promise<readonly Activations[]> {
  return (measured ??= sharedEditor(size)
    .then((editor) => activateOften(editor, size))
    .catch((error: unknown) => {
      // Who asks next tries again.
      measured = undefined;
      throw error;
    }));
}

async function activateOften(editor: ProbedEditor, { runs }: BenchSize): Promise<readonly Activations[]> {
  const all: Activations[] = [];
  for (let run = 0; run < runs * 2; run += 1) {
    await editor.becomeFresh();
    const order = [extensionId, emptyExtensionId];
    const extensions = run % 2 === 0 ? order : order.toReversed();
    all.push(await activateIn(editor, extensions));
  }
  return all;
}

async function activateIn(editor: ProbedEditor, extensions: readonly string[]): Promise<Activations> {
  const activations = await editor.probe.call("activate", { extensions });
  const [ours, empty] = [extensionId, emptyExtensionId].map((id) =>
    activations.find(({ extension }) => extension === id),
  );
  const last = activations.at(-1);
  if (ours === undefined || empty === undefined || last === undefined)
    throw new Error("An activation is missing.");
  await editor.start();
  const later = (await editor.probe.call("heap", null)) - last.heapOfHost;
  return { ours, empty, oursFirst: extensions[0] === extensionId, settled: ours.heap + later };
}
