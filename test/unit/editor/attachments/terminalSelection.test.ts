import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TerminalSelection } from "../../../../src/editor/attachments/terminalSelection.ts";

/** Takes its time, as the editor's does. */
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

describe("what is selected in a terminal", () => {
  let clipboard: SlowClipboard;

  beforeEach(() => {
    clipboard = new SlowClipboard();
  });

  it("is read by the clipboard, which is as before afterwards, however many read at once", async () => {
    const reads: Promise<string | undefined>[] = [];
    const selection: TerminalSelection = new TerminalSelection(clipboard, () => {
      // Just when the clipboard holds what is not the user's.
      if (reads.length < 3) reads.push(selection.read());
      return clipboard.writeText("selected");
    });
    reads.push(selection.read());
    while (reads.length < 3) await Promise.all(reads);
    assert.deepEqual(await Promise.all(reads), ["selected", "selected", "selected"]);
    assert.equal(clipboard.text, "the user's own");
  });

  it("is nothing where nothing was copied", async () => {
    const selection = new TerminalSelection(clipboard, () => Promise.resolve());
    assert.equal(await selection.read(), undefined);
    assert.equal(clipboard.text, "the user's own");
  });

  it("is read also behind a copy that failed", async () => {
    let tries = 0;
    const selection = new TerminalSelection(clipboard, () => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error("no terminal")) : clipboard.writeText("selected");
    });
    const [failed, read] = await Promise.allSettled([selection.read(), selection.read()]);
    assert.equal(failed.status, "rejected");
    assert.deepEqual(read, { status: "fulfilled", value: "selected" });
    assert.equal(clipboard.text, "the user's own");
  });
});
