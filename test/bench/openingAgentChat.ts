import { AgentDesk, type SampleRead } from "./agentDesk.ts";
import { atMost, type BenchResult, type BenchSize, formatNumber, milliseconds } from "./benchRow.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";

const linesInStep = 100;
const stepsPerFile = 20;

/** Row 15: from picking a chat in the list to the paint of its end, compared with a chat of one step. */
export async function benchOpeningAgentChat({ runs, scale }: BenchSize): Promise<BenchResult> {
  const count = 200 * scale;
  const editor = await sharedEditor();
  const desk = await AgentDesk.open(editor);
  await desk.writeFiles(Math.ceil(count / stepsPerFile));
  const [short, long] = ["A chat of one step", "A chat of many steps"];
  await desk.ask(short, readsOf(1));
  await desk.ask(long, readsOf(count));
  const times: { readonly short: number; readonly long: number }[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const one = await desk.open(run % 2 === 0 ? short : long);
    const other = await desk.open(run % 2 === 0 ? long : short);
    // The first time, VS Code loads its list.
    if (run > 0) times.push(run % 2 === 0 ? { short: one, long: other } : { short: other, long: one });
  }
  const ours = milliseconds(median(times.map((each) => each.long)));
  return {
    lines: [
      {
        what: `chat of ${formatNumber(count)} steps opens`,
        ours,
        limit: { name: "1 step", ...milliseconds(median(times.map((each) => each.short))) },
        goal: atMost(ours.value, 200, "ms"),
      },
    ],
    figures: [],
  };
}

function readsOf(count: number): readonly SampleRead[] {
  return Array.from({ length: count }, (_, step) => {
    const firstLine = (step % stepsPerFile) * linesInStep + 1;
    return { file: Math.floor(step / stepsPerFile), firstLine, lastLine: firstLine + linesInStep - 1 };
  });
}
