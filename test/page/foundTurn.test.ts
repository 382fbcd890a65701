import assert from "node:assert/strict";
import { hiddenWord, longChat, shownWord, staysOnTop } from "../support/longChat.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { reduce } from "../unit/chat/transcript/sampleEvents.ts";

describe("a turn found by a search", () => {
  const { open } = chatPages();

  it("is at the top and has the focus, even far above the end", async () => {
    const { chat, page, host } = await open({ transcript: reduce(longChat) });
    await chat.turns("You").last().getByText("question qlate60").waitFor();
    host.post({ type: "show-turn", turnId: "aword" });
    const found = chat.transcript.locator("article:focus");
    await found.getByText(shownWord).waitFor();
    await staysOnTop(found);
    // From there the arrow keys work as everywhere in the transcript.
    await page.keyboard.press("ArrowDown");
    await found.getByText("question qlate1").waitFor();
    await chat.button("Scroll to Bottom").click();
    await chat.turns("Assistant").last().getByText("A part").waitFor();
  });

  it("is at the top if the search switched to its branch", async () => {
    const { chat, host } = await open({ transcript: reduce(longChat) });
    await chat.turns("You").last().getByText("question qlate60").waitFor();
    assert.ok(host.chat.session.reveal("ahidden"));
    host.post({ type: "show-turn", turnId: "ahidden" });
    const found = chat.transcript.locator("article:focus");
    await found.getByText(hiddenWord).waitFor();
    await found.getByText("1 / 2").waitFor();
    await chat.turns("You").last().getByText("question qleft40").waitFor();
    await staysOnTop(found);
  });
});
