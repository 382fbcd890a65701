import assert from "node:assert/strict";
import { sized, tellFigure } from "../support/figures.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { hostileAnswers, shortAnswer } from "../support/page/hostileAnswers.ts";
import { hostileCorpus, lyingLinks, ownFile } from "../support/page/hostileCorpus.ts";
import { readHostileFacts } from "../support/page/hostileFacts.ts";
import { exchange, reduce } from "../unit/chat/transcript/sampleEvents.ts";

/** Every nth text also streams in as an answer: every 8th, or each one in the fault suite. All short attacks do. */
const stride = sized(1, 8);
/** Messages that the page posts by itself. Any other message follows from a user's action. */
const harmless = new Set(["ready", "focused", "typing", "draft", "find-files", "follow-code-colors"]);
const short = "short attacks of several kinds";
const corpus = {
  ...hostileCorpus,
  [short]: Object.values(hostileAnswers).filter((text) => text.length < shortAnswer),
};
const corpusSize = [...Object.values(hostileCorpus).flat(), ...Object.keys(hostileAnswers)].length;

describe("a corpus of hostile answers", () => {
  const { open } = chatPages();
  let shown = 0;

  after(() =>
    tellFigure(
      `hostile Markdown: ${shown} of a corpus of ${corpusSize} shown, 0 ran, loaded, left, asked or hid anything`,
    ),
  );

  it("has at least 300 texts, including long and deep ones", () => {
    assert.ok(corpusSize >= 300, `${corpusSize} texts`);
  });

  for (const [kind, texts] of Object.entries(corpus)) {
    it(`only shows text if a chat contains ${kind}`, async () => {
      const { chat, watch, host, screenshot } = await open({
        transcript: reduce(
          texts.flatMap((text, at) => exchange(`${at}`, at === 0 ? null : `a${at - 1}`, text)),
        ),
        answers: (message) => texts[Number(message)],
        files: [ownFile],
      });
      const arriving = texts.map((_, at) => at).filter((at) => kind === short || at % stride === 0);
      for (const [turn, at] of arriving.entries()) {
        await chat.send(String(at));
        const answer = chat.turns("Assistant").nth(texts.length + turn);
        await answer.getByRole("button", { name: "Retry" }).waitFor();
      }
      await chat.composer.fill("still usable");
      assert.equal(await chat.composer.inputValue(), "still usable");
      await chat.transcript.locator(".markdown[aria-busy]").first().waitFor({ state: "detached" });
      const answers = chat.turns("Assistant");
      const shownTexts = [...texts.keys(), ...arriving];
      if (kind === "files outside")
        for (const turn of shownTexts.keys())
          await answers.nth(turn).locator(`a[data-file="${ownFile}"]`).waitFor();
      const facts = await chat.transcript.evaluate(readHostileFacts);
      assert.equal(facts.ran, false);
      assert.deepEqual(facts.forbidden, []);
      assert.deepEqual([...new Set(facts.files)], kind === "files outside" ? [ownFile] : []);
      watch.assertNothingTried();
      const asked = host.received.filter(({ type }) => !harmless.has(type));
      assert.equal(asked.length, arriving.length, "an answer has asked for something");
      assert.equal(await answers.count(), shownTexts.length);
      if (kind === "links that lie") {
        assert.deepEqual(
          facts.told,
          shownTexts.flatMap((at) => lyingLinks[at]?.[1] ?? []),
        );
        await screenshot("links-that-lie");
      }
      shown += texts.length;
    });
  }
});
