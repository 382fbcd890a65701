import { atLeast, type BenchRow, type BenchSize, type Figure, withGrowth } from "./benchRow.ts";
import { memoryModelOf, memoryVendor } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { otherKeyVariable } from "./scriptedService.ts";
import { partsOfAnswers, sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";
import { withStreamServer } from "./withServer.ts";

interface Contender {
  readonly name: string;
  readonly vendor: string;
  readonly id: string;
}

/** For an answer of so many parts. A connection for each of ours: the editor tells when it knows its model. */
function contendersFor(parts: number): readonly [Contender, Contender] {
  return [
    { name: "ours", vendor: "inference", id: `${connectionFor(parts)}/service-core` },
    { name: "a provider from memory", vendor: memoryVendor, id: memoryModelOf(parts) },
  ];
}

function connectionFor(parts: number): string {
  return `Stream${parts}`;
}

/** Row 13: answers to another extension, by the editor's API, beside those whose parts lie in memory. */
export async function benchLanguageModels(size: BenchSize): Promise<readonly BenchRow[]> {
  const counts = partsOfAnswers(size);
  const editor = await sharedEditor(size);
  await editor.start();
  return withStreamServer(counts, async (origin) => {
    const connections = counts.map((parts) => ({
      name: connectionFor(parts),
      baseUrl: `${origin}/events/${parts}`,
      keyVariable: otherKeyVariable,
    }));
    await editor.probe.call("writeConnections", { connections });
    const rows: BenchRow[] = [];
    for (const parts of counts) {
      await useConnection(editor, connectionFor(parts));
      rows.push(await benchParts(editor, parts, size.runs, counts.at(-1)));
    }
    await editor.probe.call("writeConnections", { connections: editor.scripted.connections });
    for (const { name } of editor.scripted.connections) await useConnection(editor, name);
    return withGrowth(rows);
  });
}

/** The workspace stays with the one that it used until then, if it used any. */
async function useConnection({ editor: { workbench } }: ProbedEditor, name: string): Promise<void> {
  await workbench.palette.run("inference.useConnection");
  await workbench.quickInput.pick(name);
}

/** @param most parts of an answer, of which the speed is judged */
async function benchParts(
  editor: ProbedEditor,
  parts: number,
  runs: number,
  most: number | undefined,
): Promise<BenchRow> {
  const contenders = contendersFor(parts);
  const speeds = await measureSpeeds(editor, contenders, parts, runs);
  const [ours = [], memory = []] = speeds;
  const share = median(ours.map((speed, run) => speed / (memory[run] ?? Number.NaN)));
  return {
    what: `an answer of ${parts} tokens by vscode.lm`,
    ours: figuresOf(contenders[0], ours),
    peers: [],
    limits: figuresOf(contenders[1], memory),
    goals: parts === most ? [atLeast("of the speed from memory", share, 0.9)] : [],
  };
}

function figuresOf({ name }: Contender, speeds: readonly number[]): readonly Figure[] {
  const speed = median(speeds);
  return [
    { name, value: speed, unit: "tokens/s" },
    { name: "each token", value: 1_000_000 / speed, unit: "µs" },
  ];
}

/** Tokens a second of each, one run of each after the other; the first warms up. */
async function measureSpeeds(
  { probe }: ProbedEditor,
  contenders: readonly Contender[],
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
