import assert from "node:assert/strict";
import type { SettledState } from "../../src/chat/transcript/transcript.ts";
import { chatPages } from "../support/page/chatPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { complete, WrittenChat } from "../support/page/writtenChat.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";

const prompt = { name: "compact", text: "Summarize the conversation so far." };
const note = "Later questions send this summary instead of the messages above.";

function writtenChat(end: SettledState = complete): WrittenChat {
  return new WrittenChat()
    .add("Why does the import fail?", complete)
    .add("And on Windows?", complete)
    .add("/compact", end, {
      prompt,
      text: "The user wants to know why an import fails.\n\n- On Linux it works.\n- On Windows the path is wrong.",
    });
}

describe("a compacted chat", () => {
  const { open } = chatPages();

  it("says what later questions send, and fits into 320 px in every theme", async () => {
    const { transcript } = writtenChat().add("Fix it", complete);
    const opened = await open({ transcript, viewport: { width: 320, height: 800 } });
    const { chat } = opened;
    assert.equal(await chat.turns("You").nth(2).getByText(note).count(), 1);
    assert.equal(await chat.frame.getByText(note).count(), 1);
    for (const theme of themeNames) {
      await opened.wear(theme);
      await opened.screenshot(`compacted-320-${theme}`);
      assert.deepEqual(await accessibilityProblems(chat.frame, "--vscode-sideBar-background"), []);
    }
    assert.deepEqual(await layoutProblems(chat.frame), []);
  });

  it("does not say so if the summary was stopped", async () => {
    const { transcript } = writtenChat({ kind: "stopped" });
    const { chat } = await open({ transcript });
    await chat.turns("You").nth(2).waitFor();
    assert.equal(await chat.frame.getByText(note).count(), 0);
  });
});
