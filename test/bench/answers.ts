import { atMost, type BenchRow, type BenchSize, type Figure, type Goal, withGrowth } from "./benchRow.ts";
import type { LongestTasks } from "./longTasks.ts";
import { EditorChatDesk } from "./editorChatDesk.ts";
import { freeProcessor } from "./processors.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { measureSizes, type SizedCost, type StreamSizes } from "./streamSizes.ts";
import { measureWholeText } from "./wholeTextPage.ts";

/** Milliseconds. */
const longestTask = 50;
/** What costs more with every token takes long. */
const mostRunsOfOthers = 7;

/** KB of the answers of each. What costs more with every token takes minutes at sizes that are nothing to ours. */
interface Sizes {
  readonly ours: readonly number[];
  readonly editorChat: readonly number[];
  readonly wholeText: readonly number[];
}
const full: Sizes = { ours: [10, 100, 1000], editorChat: [10, 100], wholeText: [10, 30] };
const smallest: Sizes = { ours: [2, 4], editorChat: [2], wholeText: [2] };

const wholeTextPage = "a page that draws the whole text again (more than 30 KB take it minutes)";
const largestOfOther = "the editor's own chat (asked for no more, since 1 MB would take it hours)";

/** What each of the three came to. */
interface Measured {
  readonly ours: readonly SizedCost[];
  /** Whether the page's main thread had a processor to itself. */
  readonly alone: boolean;
  readonly editorChat: readonly SizedCost[];
  /** Milliseconds of CPU per KB, by KB. */
  readonly wholeText: ReadonlyMap<number, number>;
}

/** Row 4: answers of real Markdown, as fast as they come. */
export async function benchAnswers(size: BenchSize): Promise<readonly BenchRow[]> {
  const isFull = size.scale === 1;
  const sizes = isFull ? full : smallest;
  const warmUps = isFull ? 2 : 0;
  const runs = Math.min(size.runs, mostRunsOfOthers);
  const editor = await sharedEditor(size);
  const { costs: ours, alone } = await measureOurs(editor, {
    sizes: sizes.ours,
    runs: size.runs,
    warmUps,
  });
  const wholeText = await measureWholeText(sizes.wholeText, runs);
  // It is not to pay for what has been shown in the window before.
  await editor.becomeFresh();
  await using other = await EditorChatDesk.open(editor);
  const editorChat = await measureSizes(other, editor.thread, { sizes: sizes.editorChat, runs, warmUps });
  const measured = { ours, alone, editorChat, wholeText };
  return withGrowth(ours.map((cost, index) => rowOf(cost, ours[index - 1]?.size ?? 0, measured)));
}

/** @param sizeBefore of the row before, in KB */
function rowOf(
  cost: SizedCost,
  sizeBefore: number,
  { ours, alone, editorChat, wholeText }: Measured,
): BenchRow {
  const { size, longest } = cost;
  const beside = editorChat.find((each) => each.size === size);
  const whole = [...wholeText].filter(([each]) => sizeBefore < each && each <= size);
  return {
    what: `an answer of ${size} KB, as fast as it comes`,
    ours: [
      ...figuresOf("ours", cost, "page"),
      { name: "longest task of the page in all of the answers", value: cost.longestOfAll, unit: "ms" },
      { name: "longest task of the window, its CPU", value: longest.window.cpu, unit: "ms" },
    ],
    peers: [
      ...(beside === undefined ? [] : figuresOf("the editor's own chat", beside, "window")),
      ...whole.map(([each, value]) => cpuFigure(`${wholeTextPage}, at ${each} KB`, value)),
    ],
    limits: [],
    goals: [
      alone
        ? atMost("ms in the page's longest task", longest.page.wall, longestTask)
        : atMost("ms of CPU in the page's longest task", longest.page.cpu, longestTask),
      atMost("ms of CPU in the window's longest task", longest.window.cpu, longestTask),
      ...(beside !== undefined && beside === editorChat.at(-1)
        ? [atMost(`of ${largestOfOther}`, cost.perKilobyte / beside.perKilobyte, 1 / 20)]
        : []),
      ...(cost === ours.at(-1) ? [growthGoal(ours)] : []),
    ],
  };
}

/** Where a processor can be kept free, the page's main thread has it while its tasks are timed. */
async function measureOurs(
  editor: ProbedEditor,
  sizes: StreamSizes,
): Promise<{ readonly costs: readonly SizedCost[]; readonly alone: boolean }> {
  const desk = await editor.openChat();
  await using free = await freeProcessor();
  await free?.giveTo(await desk.processOfPage());
  const costs = await measureSizes(desk, await desk.threads(), sizes);
  return { costs, alone: free !== undefined };
}

function growthGoal(costs: readonly SizedCost[]): Goal {
  const [first, last] = [costs[0], costs.at(-1)];
  const growth = (last?.perKilobyte ?? Number.NaN) / (first?.perKilobyte ?? Number.NaN);
  return atMost(`times the CPU per KB of ${first?.size} KB`, growth, 1.3);
}

/** @param drawnBy which one's tasks are told: our chat has a page, the editor's own is part of the window */
function figuresOf(name: string, cost: SizedCost, drawnBy: keyof LongestTasks): readonly Figure[] {
  const longest = cost.longest[drawnBy];
  return [
    cpuFigure(name, cost.perKilobyte),
    { name: "longest task", value: longest.wall, unit: "ms" },
    { name: "its CPU", value: longest.cpu, unit: "ms" },
    { name: "until all is painted", value: cost.wall / 1000, unit: "s" },
    { name: "heap of window and pages after", value: cost.heap, unit: "MB" },
  ];
}

function cpuFigure(name: string, value: number): Figure {
  return { name, value, unit: "ms of CPU per KB" };
}
