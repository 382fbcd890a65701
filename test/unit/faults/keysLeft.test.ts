import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { findKeys } from "../../support/keysLeft.ts";
import { removeTestStores, temporaryFolder } from "../chat/history/sampleConversation.ts";
import { fakeKey } from "../service/fixture.ts";

const key = fakeKey("left-9d20");
/** Forms in which VS Code could store the key. */
const forms: Readonly<Record<string, string | Buffer>> = {
  "as it is": `{"token":"${key}"}`,
  "in UTF-16": Buffer.from(`a${key}b`, "utf16le"),
  hexadecimal: Buffer.from(key).toString("hex"),
  "in an address": `https://h.example/?key=${encodeURIComponent(key)}`,
  "in base64": Buffer.from(key).toString("base64"),
  "in base64, behind a character": Buffer.from(`:${key}:`).toString("base64"),
  "in base64, behind two": Buffer.from(`::${key}`).toString("base64"),
};

describe("findKeys", () => {
  afterEach(removeTestStores);

  it("finds each form of a test key and nothing else", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "user", "state.db");
    await mkdir(path.dirname(file));
    for (const [form, content] of Object.entries(forms)) {
      await writeFile(file, content);
      assert.deepEqual(await findKeys(folder), { found: [path.join("user", "state.db")], searched: 1 }, form);
    }
    await writeFile(file, "a key that is none: sk-live, c2std, 736b2d");
    assert.deepEqual(await findKeys(folder), { found: [], searched: 1 });
  });
});
