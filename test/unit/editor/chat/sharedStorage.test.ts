import assert from "node:assert/strict";
import { sharedStorage } from "../../../../src/editor/chat/sharedStorage.ts";

describe("sharedStorage", () => {
  it("is the first window's folder, whichever window asks", () => {
    for (const id of ["0123456789abcdef0123456789abcdef", "5b2c8a1d", "-5b2c8a1d", "-12345678"]) {
      const first = `/storage/${id}/inference-chat.inference-chat`;
      assert.equal(sharedStorage(first), first);
      for (const number of [1, 2, 9]) {
        assert.equal(sharedStorage(`/storage/${id}-${number}/inference-chat.inference-chat`), first);
      }
    }
  });

  it("leaves any other folder as it is", () => {
    for (const folder of ["/storage/ext-dev/x.y", "/a-1", "/storage/my-project-2/x.y"]) {
      assert.equal(sharedStorage(folder), folder);
    }
  });
});
