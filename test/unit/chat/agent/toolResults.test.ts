import assert from "node:assert/strict";
import { readToolResult } from "../../../../src/chat/agent/otherTools.ts";

const text = (value: string) => ({ value });
const data = (mimeType: string, bytes: Uint8Array) => ({ mimeType, data: bytes });
const encode = (value: string) => new TextEncoder().encode(value);

describe("the result of a tool of others", () => {
  it("joins its texts, also those that come as data", () => {
    const parts = [text("a"), data("text/plain", encode("b")), data("application/json", encode("{}"))];
    assert.deepEqual(readToolResult(parts), { text: "a\nb\n{}", images: [], isCut: false });
  });

  it("names links, and notes what cannot be sent", () => {
    const link = "application/vnd.code.resource-link";
    const parts = [
      data(link, encode('{"uri":"mcp-resource://a/b"}')),
      data(link, encode('{"uri":{"$mid":1,"scheme":"mcp-resource","authority":"a","path":"/c"}}')),
      data(link, encode("broken")),
      data("audio/wav", new Uint8Array(3)),
      { value: { node: 1 } },
      undefined,
    ];
    assert.deepEqual(readToolResult(parts).text.split("\n"), [
      "(A link to the resource mcp-resource://a/b)",
      "(A link to the resource mcp-resource://a/c)",
      `(Data of the type ${link}, 6 bytes, was left out.)`,
      "(Data of the type audio/wav, 3 bytes, was left out.)",
      "(A part that only VS Code can show was left out.)",
      "(A part that only VS Code can show was left out.)",
    ]);
  });

  it("has at most 4 images and 10 MB of them", () => {
    const small = data("image/PNG", encode("hi"));
    const { images, text: notes } = readToolResult(Array.from({ length: 6 }, () => small));
    assert.deepEqual(images[3], { mediaType: "image/png", data: "aGk=" });
    assert.equal(images.length, 4);
    assert.equal(notes.split("\n").length, 2);
    const large = data("image/png", new Uint8Array(6 * 1024 * 1024));
    assert.equal(readToolResult([large, large, small]).images.length, 2);
    assert.match(
      readToolResult([data("image/svg+xml", encode("<svg/>"))]).text,
      /^\(Data of the type image\/svg/,
    );
  });

  it("is cut early if it has 50 MB, as text or as data", () => {
    const large = "much".repeat(12_500_000);
    for (const part of [text(large), data("text/plain", encode(large))]) {
      const begun = performance.now();
      const read = readToolResult([text("first"), part, text("last")]);
      assert.ok(performance.now() - begun < 500);
      assert.ok(read.isCut && read.text.startsWith("first\nmuch") && read.text.length <= 1_000_002);
    }
  });
});
