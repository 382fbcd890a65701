import assert from "node:assert/strict";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { hostileAnswers } from "../support/page/hostileAnswers.ts";
import { hostileCorpus, lyingLinks } from "../support/page/hostileCorpus.ts";
import { readHostileFacts } from "../support/page/hostileFacts.ts";
import { PageWatch } from "../support/page/pageWatch.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "./leaks.ts";
import { drawnText, partsOf, showFailedTest } from "./parts.ts";

const keyVariable = "INFERENCE_CORPUS_KEY";
const key = fakeKey("hostile");
/** What runs, loads or leaves where the editor's own frame of the page would let it; the page tests have all others. */
const shown: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ["script", "event handlers", "command links", "styles", "remote images", "frames and forms"].map(
      (name) => [name, hostileAnswers[name]],
    ),
  ),
  "links that lie": lyingLinks.map(([text]) => text).join("\n\n"),
};
const orders = hostileCorpus["orders that ask for the key"] ?? [];

describe("hostile answers, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService({
      answers: (message) => shown[message] ?? orders[Number(message)],
    });
    service.keys.add({}, key);
    editor = await openEditor({
      recordMessages: true,
      settings: { "inference.connections": [{ name: "Acme", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("run, load and leave nothing when they are shown, and get no key when they ask for it", async () => {
    const { chat, page } = partsOf(editor);
    const watch = new PageWatch(page);
    await chat.open();
    const questions = [...Object.keys(shown), ...orders.keys()].map(String);
    for (const [turn, question] of questions.entries()) {
      await chat.send(question);
      await chat.turns("Assistant").nth(turn).getByRole("button", { name: "Retry" }).waitFor();
    }
    await drawnText(chat.turns("Assistant").last());
    const facts = await chat.transcript.evaluate(readHostileFacts);
    assert.equal(facts.ran, false);
    assert.deepEqual(facts.forbidden, []);
    assert.ok(facts.told.length > 0);
    watch.assertNothingTried();
    assert.equal(await chat.turns("Assistant").count(), questions.length);
    await assertNoLeaks(editor, [key], { after: `after ${questions.length} hostile answers` });
  });
});
