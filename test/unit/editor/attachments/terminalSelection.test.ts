import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TerminalSelection } from "../../../../src/editor/attachments/terminalSelection.ts";

/** A clipboard that answers asynchronously, like VS Code's. */
class SlowClipboard {
  text = "the user's own";

  async readText(): Promise<string> {
    await nextTurn();
    return this.text;
  }

  async writeText(text: string): Promise<void> {
    await nextTurn();
    this.text = text;
  }
}

describe("TerminalSelection", () => {
  let clipboard: SlowClipboard;

  beforeEach(() => {
    clipboard = new SlowClipboard();
  });

  it("reads through the clipboard and restores its text, even with concurrent reads", async () => {
    const reads: Promise<string | undefined>[] = [];
    const selection: TerminalSelection = new TerminalSelection(clipboard, () => {
      // Starts another read while this read uses the clipboard.
      if (reads.length < 3) reads.push(selection.read());
      return clipboard.writeText("selected");
    });
    reads.push(selection.read());
    while (reads.length < 3) await Promise.all(reads);
    assert.deepEqual(await Promise.all(reads), ["selected", "selected", "selected"]);
    assert.equal(clipboard.text, "the user's own");
  });

  it("returns undefined if no text was copied", async () => {
    const selection = new TerminalSelection(clipboard, () => Promise.resolve());
    assert.equal(await selection.read(), undefined);
    assert.equal(clipboard.text, "the user's own");
  });

  it("reads the selection after a failed copy", async () => {
    let tries = 0;
    const selection = new TerminalSelection(clipboard, () => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error("No terminal")) : clipboard.writeText("selected");
    });
    const [failed, read] = await Promise.allSettled([selection.read(), selection.read()]);
    assert.equal(failed.status, "rejected");
    assert.deepEqual(read, { status: "fulfilled", value: "selected" });
    assert.equal(clipboard.text, "the user's own");
  });
});
