import { AgentDesk, type SampleRead } from "./agentDesk.ts";
import { atMost, type BenchLine, type BenchResult, type BenchSize, milliseconds } from "./benchRow.ts";
import { sharedEditor } from "./sharedEditor.ts";
import { median } from "./statistics.ts";

/** Files that an answer reads as a whole, one after the other. */
const wholeFiles = 5;
const linesInFile = 2_000;
/** Lines that each step of a long answer reads: about 5 KB. */
const linesInStep = 200;
/** Milliseconds per piece of a long answer. Without pauses, a longer request alone makes a step take more frames. */
const pieceMs = 10;

/**
 * Row 14: the extension's own work in the steps of an answer. First, a step that reads 2,000 lines: from the end of the
 * call to the next request. The limit is VS Code's own read of the file. Then the growth over a long answer: its last
 * steps compared with the second tenth, since the page is not full before. Sending counts, although each request is
 * longer than the one before.
 */
export async function benchAgentSteps({ runs, scale }: BenchSize): Promise<BenchResult> {
  const count = Math.max(20, 100 * scale);
  const editor = await sharedEditor();
  const desk = await AgentDesk.open(editor);
  await desk.writeFiles(Math.max(wholeFiles, (count * linesInStep) / linesInFile));
  const reads = await measureReads(desk, runs);
  const answers = await measureAnswers(desk, count, runs);
  const over = milliseconds(median(reads.map(({ ours, bare }) => ours - bare)));
  return {
    lines: [
      {
        what: "read_file, over bare read",
        ours: over,
        limit: { name: "bare read", ...milliseconds(median(reads.map(({ bare }) => bare))) },
        goal: atMost(over.value, 20, "ms"),
      },
      growthOf(
        "host CPU",
        count,
        answers.map(({ host }) => host),
      ),
      growthOf(
        "page CPU",
        count,
        answers.map(({ page }) => page),
      ),
    ],
    figures: [
      { name: "bytes of the last request", value: median(answers.map(({ bytes }) => bytes)), unit: "bytes" },
      { name: "only writing its JSON", ...milliseconds(median(answers.map(({ writing }) => writing))) },
      {
        name: "end of a first answer to next request",
        ...milliseconds(median(answers.map(({ first }) => first))),
      },
      {
        name: "end of a last answer to next request",
        ...milliseconds(median(answers.map(({ last }) => last))),
      },
    ],
  };
}

/** Milliseconds of processor time in one of the early and in one of the last steps. */
interface Growth {
  readonly first: number;
  readonly last: number;
}

function growthOf(of: string, count: number, costs: readonly Growth[]): BenchLine {
  const ratio = median(costs.map(({ first, last }) => last / first));
  const tenth = count / 10;
  return {
    what: `steps ${count - tenth + 1}-${count}, ${of}`,
    ours: { value: median(costs.map(({ last }) => last)), unit: "ms/step" },
    limit: {
      name: `${tenth + 1}-${2 * tenth}`,
      value: median(costs.map(({ first }) => first)),
      unit: "ms/step",
    },
    ratio,
    goal: atMost(ratio, 1.3),
  };
}

/** Milliseconds, each the median of an answer's steps. */
interface ReadTimes {
  readonly ours: number;
  readonly bare: number;
}

async function measureReads(desk: AgentDesk, runs: number): Promise<readonly ReadTimes[]> {
  const reads = Array.from({ length: wholeFiles }, (_, file): SampleRead => {
    return { file, firstLine: 1, lastLine: linesInFile };
  });
  const times: ReadTimes[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const { requests } = await desk.ask("Read whole files", reads);
    const bare = await desk.readBare(wholeFiles);
    // The first answer loads and warms up the code.
    if (run > 0) times.push({ ours: median(requests.slice(1).map(({ work }) => work)), bare: median(bare) });
  }
  return times;
}

interface LongAnswer extends Growth {
  readonly host: Growth;
  readonly page: Growth;
  /** Of the last request. */
  readonly bytes: number;
  readonly writing: number;
}

async function measureAnswers(desk: AgentDesk, count: number, runs: number): Promise<readonly LongAnswer[]> {
  const tenth = count / 10;
  const perFile = linesInFile / linesInStep;
  const reads = Array.from({ length: count }, (_, step): SampleRead => {
    const firstLine = (step % perFile) * linesInStep + 1;
    return { file: Math.floor(step / perFile), firstLine, lastLine: firstLine + linesInStep - 1 };
  });
  const marks = [tenth, 2 * tenth, count - tenth, count];
  /** `times` are those at the marks. */
  const growth = (times: readonly number[]): Growth => {
    const [start = Number.NaN, early = Number.NaN, late = Number.NaN, end = Number.NaN] = times;
    return { first: (early - start) / tenth, last: (end - late) / tenth };
  };
  const answers: LongAnswer[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { requests, page } = await desk.ask("Read many parts", reads, marks, pieceMs);
    const times = requests.map(({ work }) => work);
    answers.push({
      host: growth(marks.map((mark) => requests[mark]?.processor ?? Number.NaN)),
      page: growth(page),
      first: median(times.slice(1, tenth + 1)),
      last: median(times.slice(-tenth)),
      bytes: requests.at(-1)?.bytes ?? Number.NaN,
      writing: requests.at(-1)?.writing ?? Number.NaN,
    });
  }
  return answers;
}
