import assert from "node:assert/strict";
import { hiddenWord, longChat, shownWord, staysOnTop } from "../support/longChat.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { reduce } from "../unit/chat/transcript/sampleEvents.ts";

describe("a turn in which something was found", () => {
  const { open } = chatPages();

  it("stands at the top with the focus when it is far above the end", async () => {
    const { chat, page, host } = await open({ transcript: reduce(longChat) });
    await chat.turns("You").last().getByText("question qlate60").waitFor();
    host.post({ type: "show-turn", turnId: "aword" });
    const found = chat.transcript.locator("article:focus");
    await found.getByText(shownWord).waitFor();
    await staysOnTop(found);
    // From there one goes on as anywhere in the transcript.
    await page.keyboard.press("ArrowDown");
    await found.getByText("question qlate1").waitFor();
    await chat.button("Scroll to Bottom").click();
    await chat.turns("Assistant").last().getByText("A part").waitFor();
  });

  it("stands at the top when its branch comes onto the screen for it", async () => {
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
