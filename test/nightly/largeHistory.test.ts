import assert from "node:assert/strict";
import { openStore, rareWord, writeSampleHistory } from "../bench/sampleHistory.ts";
import { hiddenWord, shownWord, staysOnTop, writeLongChat } from "../support/longChat.ts";
import { everywhereFolder, partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";

const count = 2000;
const shownAtFirst = 50;

describe("the list of thousands of chats, in a real editor", () => {
  const { editor } = withConnectedEditor({ settings: { "inference.chat.history": "everywhere" } });
  /** Titles of all chats, newest first. */
  let titles: readonly string[];
  /** Title of the chat that contains the rare word, far down in the list. */
  let rare: string;

  before(async () => {
    const folder = everywhereFolder(editor);
    await writeSampleHistory(folder, count);
    const summaries = await openStore(folder).list();
    titles = summaries.map(({ title }) => title);
    // The sample has the rare word a third of the way from the oldest chat.
    rare = titles.toReversed()[Math.floor(count / 3)] ?? assert.fail();
  });

  async function showHistory(): Promise<void> {
    const { palette, quickInput } = partsOf(editor);
    await palette.run("inference.showHistory");
    await quickInput.waitFor("Search titles and messages");
    await quickInput.row(titles[0] ?? "").waitFor();
    // The first chats are listed before the row that loads more.
    await quickInput.root.getByText(`${shownAtFirst + 1} Results`).waitFor({ state: "attached" });
  }

  it("shows the newest chats by day, and more on request", async () => {
    const { quickInput, page, screenshot } = partsOf(editor);
    await showHistory();
    await quickInput.root.locator(".quick-input-list-separator").first().waitFor();
    await screenshot("history-thousands");
    const more = (left: number) => quickInput.row(`Show ${left} More`);
    await page.keyboard.press("ArrowUp");
    await more(count - shownAtFirst).waitFor();
    await quickInput.row(titles[shownAtFirst - 1] ?? "").waitFor();
    await screenshot("history-thousands-more");
    await page.keyboard.press("Enter");
    // The focus moves to the first new row.
    const next = quickInput.row(titles[shownAtFirst] ?? "");
    await next.and(page.locator(".focused")).waitFor();
    await more(count - shownAtFirst).waitFor({ state: "detached" });
    assert.equal(await quickInput.row(titles[shownAtFirst - 1] ?? "").count(), 1, "nobody is moved away");
    await quickInput.cancel();
  });

  it("finds the oldest chat by words of its title in any order", async () => {
    const { chat, quickInput } = partsOf(editor);
    const oldest = titles.at(-1) ?? "";
    await showHistory();
    await quickInput.fill(oldest.split(" ").slice(0, 8).toReversed().join(" "));
    await quickInput.row(oldest).click();
    await chat.find();
    await chat.turns("You").first().getByText(oldest.slice(0, 30)).waitFor();
  });

  it("finds a chat by a word of its text, opens it, renames it, and deletes it with Undo", async () => {
    const { chat, quickInput, notifications, screenshot } = partsOf(editor);
    await showHistory();
    await quickInput.fill(rareWord);
    await quickInput.row(rare).getByText(rareWord).waitFor();
    await screenshot("history-thousands-found");
    await quickInput.row(rare).click();
    await chat.find();
    await chat.turns("You").first().getByText(rare.slice(0, 30)).waitFor();

    await showHistory();
    await quickInput.fill(rare.slice(0, 60));
    await quickInput.pressButtonOf(rare, "Rename");
    await quickInput.answer("Leave empty to use the first question", "The serpent with feathers");
    await quickInput.waitFor("Search titles and messages");
    await quickInput.fill("feathers serpent");
    await quickInput.pressButtonOf("The serpent with feathers", "Delete");
    // Until the texts have been searched, a second row that was found by the chat's text may be listed.
    await quickInput.row("The serpent with feathers").first().waitFor({ state: "detached" });
    await quickInput.cancel();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await notifications.press("Deleted chat 'The serpent with feathers'", "Undo");
    await showHistory();
    await quickInput.fill(rareWord);
    await quickInput.row("The serpent with feathers").getByText(rareWord).waitFor();
    await quickInput.cancel();
  });

  it("opens a chat at the turn that contains a word, far above its end", async () => {
    const { chat, quickInput, page, screenshot } = partsOf(editor);
    await writeLongChat(everywhereFolder(editor));
    await showHistory();
    await quickInput.fill(shownWord);
    await quickInput.row("question qearly1").getByText(shownWord).waitFor();
    await quickInput.accept();
    await chat.find();
    const found = chat.transcript.locator("article:focus");
    await found.getByText(shownWord).waitFor();
    await chat.turns("You").first().getByText("question qearly1").waitFor();
    await staysOnTop(found);
    await screenshot("history-found-turn");
    // Arrow keys move on from there, as anywhere in the transcript.
    await page.keyboard.press("ArrowDown");
    await found.getByText("question qlate1").waitFor();
    await chat.button("Scroll to Bottom").click();
    await chat.turns("Assistant").last().getByText("A part").waitFor();
  });

  it("shows the branch of a found turn, also in a tab", async () => {
    const { workbench, quickInput, screenshot } = partsOf(editor);
    const { chatEditor } = workbench;
    await workbench.openChatInTab();
    await chatEditor.turns("You").last().getByText("question qlate60").waitFor();
    await showHistory();
    await quickInput.fill(hiddenWord);
    await quickInput.row("question qearly1").getByText(hiddenWord).waitFor();
    await quickInput.accept();
    const found = chatEditor.transcript.locator("article:focus");
    await found.getByText(hiddenWord).waitFor();
    await found.getByText("1 / 2").waitFor();
    await chatEditor.turns("You").last().getByText("question qleft40").waitFor();
    await staysOnTop(found);
    await screenshot("history-found-branch");
  });
});
