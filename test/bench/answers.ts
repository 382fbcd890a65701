import { atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import type { LongestTasks } from "./longTasks.ts";
import { EditorChatDesk } from "./editorChatDesk.ts";
import { freeProcessor } from "./processors.ts";
import type { ProbedEditor } from "./probedEditor.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { measureSizes, type SizedCost, type StreamSizes } from "./streamSizes.ts";
import { measureWholeText } from "./wholeTextPage.ts";

/** Milliseconds. */
const longestTask = 50;
/** The editor's own chat takes minutes for the largest one, which so is measured once. */
const mostRunsOfOthers = 3;

/** KB of the answers of each. What costs more with every token takes minutes at sizes that are nothing to ours. */
interface Sizes {
  readonly ours: readonly number[];
  readonly editorChat: readonly number[];
  readonly wholeText: readonly number[];
}
const full: Sizes = { ours: [10, 100, 1000], editorChat: [10, 100], wholeText: [10, 30] };
const smallest: Sizes = { ours: [2], editorChat: [2], wholeText: [2] };

/** Row 4: answers of real Markdown, as fast as they come. */
export async function benchAnswers(size: BenchSize): Promise<readonly BenchRow[]> {
  const isFull = size.scale === 1;
  const sizes = isFull ? full : smallest;
  const warmUps = isFull ? 2 : 0;
  const editor = await sharedEditor(size);
  const { costs: ours, alone } = await measureOurs(editor, {
    sizes: sizes.ours,
    runs: size.runs,
    warmUps,
  });
  const wholeText = await measureWholeText(sizes.wholeText);
  await using other = await EditorChatDesk.open(editor);
  const editorChat: SizedCost[] = [];
  for (const each of sizes.editorChat) {
    const runs = each === sizes.editorChat.at(-1) ? 1 : Math.min(size.runs, mostRunsOfOthers);
    const first = each === sizes.editorChat[0];
    const options = { sizes: [each], runs, warmUps: first ? Math.min(warmUps, 1) : 0 };
    editorChat.push(...(await measureSizes(other, editor.thread, options)));
  }
  return [...new Set([...sizes.ours, ...sizes.wholeText])]
    .toSorted((one, next) => one - next)
    .map((each) => {
      const of = (costs: readonly SizedCost[]): SizedCost | undefined =>
        costs.find((cost) => cost.size === each);
      const whole = wholeText.get(each);
      const others = [
        ...figuresOf("the editor's own chat", of(editorChat), "window"),
        ...(whole === undefined ? [] : [cpuFigure("a page that draws the whole text again", whole)]),
      ];
      const [cost, beside] = [of(ours), of(editorChat)];
      const goals =
        cost === undefined
          ? []
          : [
              alone
                ? atMost("ms in the longest task", cost.longest.page.wall, longestTask)
                : atMost("ms of CPU in the longest task", cost.longest.page.cpu, longestTask),
              ...(each === 100 && beside !== undefined
                ? [atMost("of the editor's own chat", cost.perKilobyte / beside.perKilobyte, 1 / 20)]
                : []),
              ...(each === 1000 ? [growthGoal(ours)] : []),
            ];
      return {
        what: `an answer of ${each} KB, as fast as it comes`,
        ours: figuresOf("ours", cost, "page"),
        others,
        goals,
      };
    });
}

/** Where a processor can be kept free, the page's main thread has it while its tasks are timed. */
async function measureOurs(
  editor: ProbedEditor,
  sizes: StreamSizes,
): Promise<{ readonly costs: readonly SizedCost[]; readonly alone: boolean }> {
  await using desk = await editor.openChat();
  await using free = await freeProcessor();
  await free?.giveTo(await desk.processOfPage());
  const costs = await measureSizes(desk, await desk.threads(), sizes);
  return { costs, alone: free !== undefined };
}

function growthGoal(costs: readonly SizedCost[]): ReturnType<typeof atMost> {
  const of = (size: number): number => costs.find((cost) => cost.size === size)?.perKilobyte ?? Number.NaN;
  return atMost("times the CPU per KB of 10 KB", of(1000) / of(10), 1.3);
}

/** @param drawnBy which one's tasks are told: our chat has a page, the editor's own is part of the window */
function figuresOf(
  name: string,
  cost: SizedCost | undefined,
  drawnBy: keyof LongestTasks,
): readonly Figure[] {
  if (cost === undefined) return [];
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
