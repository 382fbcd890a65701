import { atMost, type BenchResult, type BenchSize, formatNumber } from "./benchRow.ts";
import { memoryModel, memoryVendor } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { otherKeyVariable } from "./scriptedService.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";
import { withStreamServer } from "./withServer.ts";

/** A separate connection adds a new model, so VS Code reports when it lists the model. */
const connection = "Stream";
const ours = { vendor: "inference", id: `${connection}/service-core` };
const memory = { vendor: memoryVendor, id: memoryModel };

/** Row 13: an answer to another extension through `vscode.lm`, compared with a model whose parts are in memory. */
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

/** Selects the connection: otherwise the workspace stays with the connection that it used before. */
async function useConnection({ editor: { workbench } }: ProbedEditor, name: string): Promise<void> {
  await workbench.palette.run("inference.useConnection");
  await workbench.quickInput.pick(name);
}

/** Microseconds per token. Both models take turns; the first run warms up. */
async function measureTimes(
  { probe }: ProbedEditor,
  parts: number,
  runs: number,
): Promise<readonly { readonly ours: number; readonly memory: number }[]> {
  const ask = async (model: typeof ours): Promise<number> => {
    const answer = await probe.call("askModel", { ...model, parts });
    if (answer.parts !== parts) throw new Error(`${model.id}: received ${answer.parts} of ${parts} parts`);
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
