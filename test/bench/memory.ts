import { atMost, type BenchResult, type BenchSize, type NamedFigure } from "./benchRow.ts";
import { createSampleAnswer } from "./sampleAnswer.ts";
import { sharedEditor } from "./sharedEditor.ts";

/** Row 7: growth of the extension host's heap from 10 short chats to 100, one after the other. */
export async function benchMemory({ scale }: BenchSize): Promise<BenchResult> {
  const [few, many] = scale === 1 ? [10, 100] : [2, 3];
  const editor = await sharedEditor();
  const desk = await editor.openChat();
  const heapAfter = async (chats: number): Promise<NamedFigure> => ({
    name: `heap after ${chats} chats`,
    value: await editor.probe.call("heap", null),
    unit: "MB",
  });
  const heaps = [await heapAfter(0)];
  for (let chat = 1; chat <= many; chat += 1) {
    await desk.prepare(createSampleAnswer(2_000));
    await desk.ask();
    await desk.answerEnded();
    if (chat === few || chat === many) heaps.push(await heapAfter(chat));
  }
  const [, fewChats, manyChats] = heaps;
  const growth = (manyChats?.value ?? Number.NaN) - (fewChats?.value ?? Number.NaN);
  // About 10 KB per chat.
  const goal = atMost(growth, 1, "MB");
  const what = `heap, ${few} to ${many} chats`;
  return { lines: [{ what, ours: { value: growth, unit: "MB" }, goal }], figures: heaps };
}
