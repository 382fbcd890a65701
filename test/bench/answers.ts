import { atMost, type BenchRow, type BenchSize, type Figure } from "./benchRow.ts";
import { EditorChatDesk } from "./editorChatDesk.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { measureSizes, type SizedCost } from "./streamSizes.ts";
import { measureWholeText } from "./wholeTextPage.ts";

/** Milliseconds. */
const longestTask = 50;
/** The editor's own chat takes half a minute for the largest one. */
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
  await using desk = await editor.openChat();
  const ours = await measureSizes(desk, editor.thread, { sizes: sizes.ours, runs: size.runs, warmUps });
  const wholeText = await measureWholeText(sizes.wholeText);
  await using other = await EditorChatDesk.open(editor);
  const editorChat = await measureSizes(other, editor.thread, {
    sizes: sizes.editorChat,
    runs: Math.min(size.runs, mostRunsOfOthers),
    warmUps: Math.min(warmUps, 1),
  });
  return [...new Set([...sizes.ours, ...sizes.wholeText])]
    .toSorted((one, next) => one - next)
    .map((each) => {
      const of = (costs: readonly SizedCost[]): SizedCost | undefined =>
        costs.find((cost) => cost.size === each);
      const whole = wholeText.get(each);
      const others = [
        ...figuresOf("the editor's own chat", of(editorChat)),
        ...(whole === undefined ? [] : [cpuFigure("a page that draws the whole text again", whole)]),
      ];
      const [cost, beside] = [of(ours), of(editorChat)];
      const goals =
        cost === undefined
          ? []
          : [
              atMost("ms of CPU in the longest task", cost.longest.page.cpu, longestTask),
              ...(each === 100 && beside !== undefined
                ? [atMost("of the editor's own chat", cost.perKilobyte / beside.perKilobyte, 1 / 20)]
                : []),
              ...(each === 1000 ? [growthGoal(ours)] : []),
            ];
      return {
        what: `an answer of ${each} KB, as fast as it comes`,
        ours: figuresOf("ours", cost),
        others,
        goals,
      };
    });
}

function growthGoal(costs: readonly SizedCost[]): ReturnType<typeof atMost> {
  const of = (size: number): number => costs.find((cost) => cost.size === size)?.perKilobyte ?? Number.NaN;
  return atMost("times the CPU per KB of 10 KB", of(1000) / of(10), 1.3);
}

function figuresOf(name: string, cost: SizedCost | undefined): readonly Figure[] {
  if (cost === undefined) return [];
  return [
    cpuFigure(name, cost.perKilobyte),
    { name: "longest task", value: cost.longest.page.cpu, unit: "ms of CPU" },
    { name: "until all is painted", value: cost.wall / 1000, unit: "s" },
    { name: "heap of window and pages after", value: cost.heap, unit: "MB" },
  ];
}

function cpuFigure(name: string, value: number): Figure {
  return { name, value, unit: "ms of CPU per KB" };
}
