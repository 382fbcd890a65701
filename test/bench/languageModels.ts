import { atMost, type BenchResult, type BenchSize, formatNumber } from "./benchRow.ts";
import { memoryModel, memoryVendor } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { otherKeyVariable } from "./scriptedService.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";
import { withStreamServer } from "./withServer.ts";

/** A connection of its own: the editor tells when it knows its model. */
const connection = "Stream";
const ours = { vendor: "inference", id: `${connection}/service-core` };
const memory = { vendor: memoryVendor, id: memoryModel };

/** Row 13: an answer to another extension, by the editor's API, beside one whose parts lie in memory. */
export async function benchLanguageModels({ runs, scale }: BenchSize): Promise<BenchResult> {
  const parts = 20_000 * scale;
  const editor = await sharedEditor();
  await editor.start();
  return withStreamServer(parts, async (origin) => {
    const connections = [{ name: connection, baseUrl: origin, keyVariable: otherKeyVariable }];
    await editor.probe.call("writeConnections", { connections });
    await useConnection(editor, connection);
    const times = await measureTimes(editor, parts, runs);
    await editor.probe.call("writeConnections", { connections: editor.scripted.connections });
    for (const { name } of editor.scripted.connections) await useConnection(editor, name);
    const ratio = median(times.map((time) => time.ours / time.memory));
    const unit = "µs/token";
    const line = {
      what: `${formatNumber(parts)} tokens, vscode.lm`,
      ours: { value: median(times.map((time) => time.ours)), unit },
      limit: { name: "from memory", value: median(times.map((time) => time.memory)), unit },
      ratio,
      goal: atMost(ratio, 1.11),
    };
    return { lines: [line], figures: [] };
  });
}

/** The workspace stays with the one that it used until then, if it used any. */
async function useConnection({ editor: { workbench } }: ProbedEditor, name: string): Promise<void> {
  await workbench.palette.run("inference.useConnection");
  await workbench.quickInput.pick(name);
}

/** Microseconds for each token, one run of each after the other; the first warms up. */
async function measureTimes(
  { probe }: ProbedEditor,
  parts: number,
  runs: number,
): Promise<readonly { readonly ours: number; readonly memory: number }[]> {
  const ask = async (model: typeof ours): Promise<number> => {
    const answer = await probe.call("askModel", { ...model, parts });
    if (answer.parts !== parts) throw new Error(`${model.id}: ${answer.parts} parts of ${parts} came`);
    return (answer.milliseconds * 1_000) / parts;
  };
  const times = [];
  for (let run = 0; run <= runs; run += 1) {
    const first = await ask(run % 2 === 0 ? ours : memory);
    const second = await ask(run % 2 === 0 ? memory : ours);
    if (run > 0)
      times.push(run % 2 === 0 ? { ours: first, memory: second } : { ours: second, memory: first });
  }
  return times;
}
