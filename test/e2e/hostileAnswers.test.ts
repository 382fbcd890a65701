import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { tellFigure } from "../support/figures.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { hostileAnswers } from "./hostileAnswers.ts";
import { PageWatch } from "./pageWatch.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_E2E_KEY";

interface PageFacts {
  readonly ran: boolean;
  /** Elements that can run, load or hide something. */
  readonly forbidden: readonly string[];
  /** Milliseconds of the longest task since the last time it was asked for. */
  readonly longestTask: number;
}

const readFacts = inPage<PageFacts>(`(log) => {
  window.longestTask ??= 0;
  window.taskObserver ??= (() => {
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration);
    });
    observer.observe({ entryTypes: ["longtask"] });
    return observer;
  })();
  const { longestTask } = window;
  window.longestTask = 0;
  const all = [...log.querySelectorAll(".markdown *")];
  const forbidden = all.flatMap((element) => {
    const attributes = [...element.attributes].filter(({ name, value }) =>
      /^(on|style$|src|srcset$|action|formaction|id$|name$)/.test(name) || /^\\s*(javascript|command|vscode|data|file|blob):/i.test(value));
    const named = /^(script|style|link|iframe|object|embed|form|base|meta|video|audio|picture|img|math|dialog|template)$/i.test(element.localName);
    return named || attributes.length > 0 ? [element.outerHTML.slice(0, 200)] : [];
  });
  const ran = window.hostile === 1;
  return { ran, forbidden, longestTask };
}`);

describe("hostile answers, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;
  let watch: PageWatch;
  let shown = 0;

  before(async () => {
    service = await startReferenceService({ answers: (message) => hostileAnswers[message] });
    const key = fakeKey("hostile");
    service.keys.add({}, key);
    editor = await openEditor({
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 10_000_000,
      },
      environment: { [keyVariable]: key },
    });
    const { page, chat } = partsOf(editor);
    watch = new PageWatch(page);
    await chat.open();
    await chat.transcript.evaluate(readFacts);
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
    tellFigure(
      `hostile Markdown that is long or deep: ${shown} answers shown, 0 ran, loaded or hid anything`,
    );
  });

  for (const name of Object.keys(hostileAnswers)) {
    it(`does nothing with ${name} but show it`, async () => {
      const { chat } = partsOf(editor);
      await editor.workbench.beginChat();
      await chat.transcript.evaluate(readFacts);
      const start = performance.now();
      await chat.send(name);
      const answer = chat.turns("Assistant").first();
      await answer.getByRole("button", { name: "Retry" }).waitFor();
      const end = performance.now();
      await chat.composer.fill("still usable");
      assert.equal(await chat.composer.inputValue(), "still usable");
      await chat.composer.fill("");
      const { ran, forbidden, longestTask } = await chat.transcript.evaluate(readFacts);
      console.log(
        `      ${name}: ${Math.round(end - start)} ms, typed in ${Math.round(performance.now() - end)} ms, longest task ${Math.round(longestTask)} ms`,
      );
      assert.equal(ran, false);
      assert.deepEqual(forbidden, []);
      watch.assertNothingTried();
      shown += 1;
    });
  }
});
