import assert from "node:assert/strict";
import { offerUndo, undoNow } from "../../src/editor/shared/offerUndo.ts";
import { ShownDialogues } from "./shownDialogues.ts";

describe("offerUndo", () => {
  it("offers Undo again after a failed Undo, which may hold the only copy of the data", async () => {
    const offers = [async (...offered: Parameters<typeof offerUndo>) => offerUndo(...offered), undoNow];
    for (const offer of offers) {
      let tries = 0;
      const undone = Promise.withResolvers<void>();
      const dialogues = new ShownDialogues(({ buttons }) => buttons.find((label) => label === "Undo"));
      try {
        await offer("The key was removed.", async () => {
          tries += 1;
          if (tries < 3) throw new Error("The settings have an error.");
          undone.resolve();
        });
        await undone.promise;
        const failed = dialogues.messages.filter((message) => message.includes("have an error"));
        assert.deepEqual([tries, failed.length], [3, 2]);
      } finally {
        dialogues.dispose();
      }
    }
  });
});
