/** A page that draws an answer the simplest way: the whole text again with each token, by the same libraries. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../support/paths.ts";
import { openBrowserSession } from "../support/workbench/browserSession.ts";
import { splitIntoTokens } from "../service/tokens.ts";
import { MainThread } from "./mainThread.ts";
import { measureWork } from "./pageWork.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { median } from "./statistics.ts";

const source = `
  import DOMPurify from "dompurify";
  import { marked } from "marked";
  const root = document.getElementById("root");
  let text = "";
  addEventListener("message", ({ data }) => {
    text += data;
    root.innerHTML = DOMPurify.sanitize(marked.parse(text));
  });
  window.startText = () => { text = ""; };
  window.addTokens = (tokens) => { for (const token of tokens) window.postMessage(token, "*"); };
`;

/** Milliseconds of the main thread's processor time per KB, for answers of some sizes in KB: medians. */
export async function measureWholeText(
  sizes: readonly number[],
  runs: number,
): Promise<ReadonlyMap<number, number>> {
  await using started = new AsyncDisposableStack();
  const profile = await mkdtemp(path.join(tmpdir(), "bench-whole-"));
  started.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  const context = await openBrowserSession({ profile });
  started.defer(() => context.close());
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setContent(`<!DOCTYPE html><div id="root"></div>`);
  await page.addScriptTag({ content: await bundle() });
  const thread = await MainThread.of(page);
  const measure = async (size: number): Promise<number> => {
    const tokens = JSON.stringify([...splitIntoTokens(createSampleAnswer(size * 1000))]);
    await page.evaluate("startText()");
    const { cpu } = await measureWork(page, thread, async () => {
      await page.evaluate(`addTokens(${tokens})`);
    });
    return cpu / size;
  };
  // One run warms up, of the smallest, since larger ones take long.
  await measure(Math.min(...sizes));
  const costs = new Map<number, number>();
  for (const size of sizes) {
    const measured: number[] = [];
    for (let run = 0; run < runs; run += 1) measured.push(await measure(size));
    costs.set(size, median(measured));
  }
  return costs;
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: projectRoot },
    bundle: true,
    format: "iife",
    minify: true,
    write: false,
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}
