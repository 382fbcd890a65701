import { atLeast, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { memoryModel, memoryVendor } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { otherKeyVariable } from "./scriptedService.ts";
import { partsOfAnswer, sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";
import { withStreamServer } from "./withServer.ts";

const contenders = [
  { name: "ours", vendor: "inference", id: "Stream/service-core" },
  { name: "a provider from memory", vendor: memoryVendor, id: memoryModel },
] as const;

/** Row 13: an answer to another extension, by the editor's API, beside one whose parts lie in memory. */
export async function benchLanguageModels(size: BenchSize): Promise<readonly BenchRow[]> {
  const parts = partsOfAnswer(size);
  const editor = await sharedEditor(size);
  await editor.start();
  return withStreamServer(parts, async (baseUrl) => {
    const connection = { name: "Stream", baseUrl, keyVariable: otherKeyVariable };
    await editor.probe.call("writeConnections", { connections: [connection] });
    const speeds = await measureSpeeds(editor, parts, size.runs);
    await editor.probe.call("writeConnections", { connections: editor.scripted.connections });
    const figures = contenders.map(({ name }, index): Figure => ({
      name,
      value: median(speeds[index] ?? []),
      unit: "tokens/s",
    }));
    const [ours = [], memory = []] = speeds;
    const share = median(ours.map((speed, run) => speed / (memory[run] ?? Number.NaN)));
    return [
      {
        what: `an answer of ${parts} tokens by vscode.lm`,
        ours: figures.slice(0, 1),
        peers: [],
        limits: figures.slice(1),
        goals: [atLeast("of the speed from memory", share, 0.9)],
      },
    ];
  });
}

/** Tokens a second of each, one run of each after the other; the first warms up. */
async function measureSpeeds(
  { probe }: ProbedEditor,
  parts: number,
  runs: number,
): Promise<readonly (readonly number[])[]> {
  const speeds = contenders.map((): number[] => []);
  for (let run = 0; run <= runs; run += 1) {
    const inOrder = [...contenders.entries()];
    for (const [index, { name, vendor, id }] of run % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const answer = await probe.call("askModel", { vendor, id });
      if (answer.parts !== parts) throw new Error(`${name}: ${answer.parts} parts of ${parts} came`);
      if (run > 0) speeds[index]?.push((answer.parts / answer.milliseconds) * 1000);
    }
  }
  return speeds;
}
