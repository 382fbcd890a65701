import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { packDocuments, shippedDocuments } from "../../../build/documents.ts";
import { causes } from "../../../src/client/cause.ts";
import { projectRoot } from "../../support/paths.ts";
import { readDocument } from "../documents/documents.ts";

describe("the documents that ship", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "documents-"));
    await mkdir(path.join(folder, "docs", "causes"), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are the page of every cause, and all that it leads to, as they stand in the repository", async () => {
    const documents = await shippedDocuments(projectRoot);
    for (const cause of causes) assert.ok(Object.hasOwn(documents, `causes/${cause}.md`), cause);
    assert.ok(Object.hasOwn(documents, "network.md"));
    for (const [name, text] of Object.entries(documents)) assert.equal(text, readDocument(`docs/${name}`));
    const unpacked: unknown = JSON.parse(brotliDecompressSync(packDocuments(documents)).toString());
    assert.deepEqual(unpacked, documents);
  });

  it("are found through pages that are linked by others only", async () => {
    await writePage("causes/tls.md", "[way](../network.md#proxies)");
    await writePage("network.md", "[further](further.md) [elsewhere](https://example.com/page.md)");
    await writePage("further.md", "");
    assert.deepEqual(Object.keys(await shippedDocuments(folder)), [
      "causes/tls.md",
      "network.md",
      "further.md",
    ]);
  });

  it("lead nowhere that does not ship", async () => {
    await writePage("causes/tls.md", "[out](../../README.md)");
    await assert.rejects(shippedDocuments(folder), /docs\/causes\/tls\.md ships, and leads out of docs\//);
    await writePage("causes/tls.md", "[gone](gone.md)");
    await assert.rejects(shippedDocuments(folder), { code: "ENOENT" });
  });

  async function writePage(name: string, text: string): Promise<void> {
    await writeFile(path.join(folder, "docs", name), text);
  }
});
