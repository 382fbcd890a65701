import assert from "node:assert/strict";
import { decodeText } from "../../../src/chat/binaryContent.ts";
import { FileMatches } from "../../../src/chat/fileMatches.ts";
import { isSensitiveName } from "../../../src/chat/sensitiveName.ts";
import { processorTime } from "../processorTime.ts";

describe("FileMatches", () => {
  const paths = ["src/summary/index.ts", "lib/mySummary.ts", "src/summary.ts", "docs/s-u-m.md", "other.txt"];

  it("puts the best first", () => {
    assert.deepEqual(
      [...new FileMatches(paths).find("sum")],
      ["src/summary.ts", "lib/mySummary.ts", "src/summary/index.ts", "docs/s-u-m.md"],
    );
    assert.deepEqual([...new FileMatches(paths).find("SRC/SUM")], ["src/summary.ts", "src/summary/index.ts"]);
    assert.equal([...new FileMatches(paths).find("")].length, paths.length);
    assert.deepEqual([...new FileMatches(paths).find("zzz")], []);
  });

  it("finds the same whatever was typed before", () => {
    const matches = new FileMatches(paths);
    for (const typed of ["", "s", "su", "sum", "summary.ts", "sum", "zzz", "zzzz", "o", "SRC", "src/S", ""])
      assert.deepEqual([...matches.find(typed)], [...new FileMatches(paths).find(typed)], typed);
  });

  it("is quick over 100,000 files", () => {
    const many = Array.from(
      { length: 100_000 },
      (_, index) => `packages/part${index % 97}/src/file${index}.ts`,
    );
    const time = processorTime(() => {
      const [first] = new FileMatches(many).find("file9999");
      assert.equal(first, "packages/part8/src/file9999.ts");
    });
    assert.ok(time < 1000, `${time} ms`);
  });
});

describe("isSensitiveName", () => {
  const asked = [
    ".env",
    ".env.local",
    "a/.ENV",
    "prod.env",
    "x/server.pem",
    "tls.key",
    "id_rsa",
    "id_ed25519",
  ];
  const askedToo = [
    "credentials",
    ".aws/credentials.json",
    "secrets.yaml",
    ".npmrc",
    "service-account-1.json",
  ];
  const free = [
    ".env.example",
    "id_rsa.pub",
    "environment.ts",
    "keyboard.ts",
    "monkey.md",
    "credentials.ts.snap",
  ];
  for (const name of [...asked, ...askedToo]) {
    it(`asks about ${name}`, () => assert.ok(isSensitiveName(name)));
  }
  for (const name of free) {
    it(`does not ask about ${name}`, () => assert.ok(!isSensitiveName(name)));
  }
});

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe("decodeText", () => {
  it("reads UTF-8 and marked UTF-16, without the mark", () => {
    assert.equal(decodeText(bytes("grüße 𝒳")), "grüße 𝒳");
    assert.equal(decodeText(bytes("\ufeffa")), "a");
    assert.equal(decodeText(Uint8Array.of(0xff, 0xfe, 0x61, 0)), "a");
    assert.equal(decodeText(Uint8Array.of(0xfe, 0xff, 0, 0x61)), "a");
  });

  it("reads an old encoding, and refuses what is no text", () => {
    assert.equal(decodeText(Uint8Array.of(0x67, 0x72, 0xfc, 0xdf, 0x65)), "grüße");
    assert.equal(decodeText(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1)), undefined);
    assert.equal(
      decodeText(Uint8Array.from({ length: 400 }, (_, index) => 1 + ((index * 37) % 255))),
      undefined,
    );
  });
});
