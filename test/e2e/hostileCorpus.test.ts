import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { sized, tellFigure } from "../support/figures.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { hostileAnswers } from "./hostileAnswers.ts";
import { hostileCorpus, lyingLinks, ownFile } from "./hostileCorpus.ts";
import { assertNoLeaks } from "./leaks.ts";
import { PageWatch } from "./pageWatch.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_CORPUS_KEY";
/** Every one in the suite of faults; else one of so many, which `test/e2e/hostileAnswers` joins. */
const stride = sized(1, 8);

interface PageFacts {
  readonly ran: boolean;
  readonly forbidden: readonly string[];
  /** What stands behind links as the place where they really lead. */
  readonly told: readonly string[];
  /** Files that a link opens. */
  readonly files: readonly string[];
}

const readFacts = inPage<PageFacts>(`(log) => {
  // The page's own; no answer may bring this attribute.
  const ownButton = ".code-block .code-buttons > button[data-code-action]";
  const forbidden = [...log.querySelectorAll(".markdown *")].flatMap((element) => {
    const attributes = [...element.attributes].filter(({ name, value }) =>
      /^(on|style$|src|srcset$|action|formaction|id$|name$|background|poster|ping|popover)/.test(name) ||
      /^\\s*(javascript|command|vscode|data|file|blob)[\\w-]*:/i.test(value) && name !== "title" && name !== "data-file");
    const allowed = /^(a|abbr|b|bdi|blockquote|br|caption|cite|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|input|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var)$/;
    const isOwn = element.closest(ownButton) !== null && /^(button|svg|path)$/.test(element.localName);
    return (isOwn || allowed.test(element.localName)) && attributes.length === 0 ? [] : [element.outerHTML.slice(0, 200)];
  });
  const lost = [...log.querySelectorAll(".markdown a[href]:not([data-file])")].filter(({ href, title }) => href !== title);
  return {
    ran: window.hostile === 1,
    forbidden: [...forbidden, ...lost.map(({ outerHTML }) => outerHTML.slice(0, 200))],
    told: [...log.querySelectorAll(".markdown .link-target")].map(({ textContent }) => textContent),
    files: [...log.querySelectorAll(".markdown a[data-file]")].map(({ dataset }) => dataset.file),
  };
}`);

const corpusSize = [...Object.values(hostileCorpus).flat(), ...Object.keys(hostileAnswers)].length;

describe("a corpus of hostile answers, in a real editor", function () {
  this.timeout(10 * 60_000);
  let service: ReferenceService;
  let editor: Editor;
  let watch: PageWatch;
  const key = fakeKey("corpus");
  let asked = 0;
  let shown = 0;

  before(async () => {
    const answers = new Map(
      Object.entries(hostileCorpus).flatMap(([kind, texts]) =>
        texts.map((text, at) => [`${kind} ${at}`, text]),
      ),
    );
    service = await startReferenceService({
      answers: (message) => answers.get(message),
      onAsk: () => (asked += 1),
    });
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: {
        "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }],
        "inference.maxTokens": 1_000_000,
      },
      environment: { [keyVariable]: key },
    });
    const { page, chat } = partsOf(editor);
    watch = new PageWatch(page);
    await chat.open();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
    tellFigure(
      `hostile Markdown: ${shown} of a corpus of ${corpusSize} shown, 0 ran, loaded, left, asked or hid anything`,
    );
  });

  it("is of at least 300 texts", () => {
    assert.ok(corpusSize >= 300, `${corpusSize} texts`);
  });

  for (const [kind, texts] of Object.entries(hostileCorpus)) {
    it(`does nothing with ${kind} but show them`, async () => {
      const { chat } = partsOf(editor);
      await editor.workbench.beginChat();
      const before = asked;
      const chosen = texts.map((_, at) => at).filter((at) => kind === "links that lie" || at % stride === 0);
      for (const [turn, at] of chosen.entries()) {
        await chat.send(`${kind} ${at}`);
        await chat.turns("Assistant").nth(turn).getByRole("button", { name: "Retry" }).waitFor();
      }
      await chat.composer.fill("still usable");
      assert.equal(await chat.composer.inputValue(), "still usable");
      await chat.composer.fill("");
      if (kind === "files outside")
        for (const turn of chosen.keys())
          await chat.turns("Assistant").nth(turn).locator(`a[data-file="${ownFile}"]`).waitFor();
      const facts = await chat.transcript.evaluate(readFacts);
      assert.equal(facts.ran, false);
      assert.deepEqual(facts.forbidden, []);
      assert.deepEqual([...new Set(facts.files)], kind === "files outside" ? [ownFile] : []);
      watch.assertNothingTried();
      assert.equal(asked - before, chosen.length, "an answer has asked the service");
      assert.equal(await chat.turns("Assistant").count(), chosen.length);
      if (kind === "links that lie") {
        assert.deepEqual(
          facts.told,
          lyingLinks.map(([, told]) => told),
        );
        await partsOf(editor).screenshot("links-that-lie");
      }
      shown += chosen.length;
    });
  }

  it("has brought no answer to the key", async () => {
    assert.ok(shown > 0);
    await assertNoLeaks(editor, [key], { after: `after ${shown} hostile answers` });
  });
});
