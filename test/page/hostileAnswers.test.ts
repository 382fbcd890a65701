import assert from "node:assert/strict";
import { drawnText } from "../support/workbench/parts.ts";
import { sized, tellFigure } from "../support/figures.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { hostileAnswers, shortAnswer } from "../support/page/hostileAnswers.ts";
import { readHostileFacts } from "../support/page/hostileFacts.ts";

/** Maximum length in UTF-16 units. Only the suite of faults shows longer answers, which take seconds. */
const longest = sized(Number.POSITIVE_INFINITY, 60_000);
/** Maximum time of drawing a short answer, in milliseconds. On an idle machine the slowest one takes about a second. */
const longestDrawing = 20_000;

describe("hostile answers", () => {
  const { open } = chatPages();
  let shown = 0;

  after(() =>
    tellFigure(
      `hostile Markdown that is long or deep: ${shown} answers shown, 0 ran, loaded or hid anything`,
    ),
  );

  for (const [name, text] of Object.entries(hostileAnswers)) {
    if (text.length < shortAnswer || text.length > longest) continue;
    it(`only shows text if an answer contains ${name}`, async () => {
      const { chat, watch } = await open({ answers: () => text });
      await chat.send(name);
      const answer = chat.turns("Assistant").first();
      await answer.getByRole("button", { name: "Retry" }).waitFor();
      await chat.composer.fill("still usable");
      assert.equal(await chat.composer.inputValue(), "still usable");
      // A longer answer need not be drawn completely: its rest repeats its start.
      if (text.length < 50_000) {
        const began = performance.now();
        await drawnText(answer);
        const took = performance.now() - began;
        assert.ok(took < longestDrawing, `Drawn after ${took} ms`);
      }
      const { ran, forbidden } = await chat.transcript.evaluate(readHostileFacts);
      assert.equal(ran, false);
      assert.deepEqual(forbidden, []);
      watch.assertNothingTried();
      shown += 1;
    });
  }
});
