import assert from "node:assert/strict";
import { hostileAnswers } from "../support/page/hostileAnswers.ts";
import { hostileCorpus, lyingLinks } from "../support/page/hostileCorpus.ts";
import { readHostileFacts } from "../support/page/hostileFacts.ts";
import { PageWatch } from "../support/page/pageWatch.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { assertNoLeaks } from "../support/leaks.ts";
import { drawnText, partsOf } from "../support/workbench/parts.ts";

const key = fakeKey("hostile");
/** Answers whose effect depends on VS Code's own frame around the page. The page tests show all hostile answers. */
const shown: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ["script", "event handlers", "command links", "styles", "remote images", "frames and forms"].map(
      (name) => [name, hostileAnswers[name]],
    ),
  ),
  "links that lie": lyingLinks.map(([text]) => text).join("\n\n"),
  "orders that ask for the key": hostileCorpus["orders that ask for the key"]?.join("\n\n"),
};
/** A URL that means something else if its escapes are decoded. */
const address = "https://site.example/wiki/C%23?q=a%26b&next=https%3A%2F%2Fa.example%2Fc%3Fd";

describe("hostile answers, in a real editor", () => {
  const { editor } = withConnectedEditor({
    key,
    service: { answers: (message) => shown[message] ?? `Read [the page](${address}).\n` },
    recordMessages: true,
  });

  it("run, load and open nothing, get no key, and open a website only after VS Code asks", async () => {
    const { chat, dialog, page, screenshot } = partsOf(editor);
    const watch = new PageWatch(page);
    await chat.open();
    const questions = Object.keys(shown);
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

    const asked: string[] = [];
    page.context().on("request", (request) => asked.push(request.url()));
    await chat.send("link");
    const link = chat.turns("Assistant").last().getByRole("link", { name: "the page" });
    await link.click();
    const { message, detail } = await dialog.read();
    assert.match(message, /open the external website/);
    assert.ok(`${message}\n${detail}`.includes(address), detail);
    await screenshot("link-confirmation");
    await dialog.press("Cancel");
    await link.click();
    await dialog.read();
    assert.ok(!asked.includes(address), "nothing is opened before the answer");
    // The browser under test sends nothing outside this machine.
    const left = page.context().waitForEvent("request", (request) => request.url() === address);
    await dialog.press("Open");
    await left;
  });
});
