import assert from "node:assert/strict";
import fc from "fast-check";
import { findPathFault, type PathFault } from "../../../src/files/plainPath.ts";

describe("the fault of a path", () => {
  const plain = [
    "src/a.ts",
    String.raw`src\a.ts`,
    ".",
    "..",
    "./a",
    "../../a",
    "a/../b",
    "a//b/",
    "/etc/hosts",
    "/",
    "C:/Users/a.txt",
    String.raw`c:\Users\a.txt`,
    "C:",
    ".env",
    ".git/config",
    "...a",
    "a.b.c",
    " a",
    "a b/c d",
    "Ünïcödé/日本語/😀.ts",
    "console.ts",
    "con-fig/nullable.ts",
    "auxiliary",
    "com10/lpt.txt",
    "communication/com.ts",
    "prn2.txt",
    "x.con",
    "a".repeat(4096),
    "~/a",
    "$HOME/%2e%2e",
    "a*b?.txt",
  ];
  for (const path of plain) {
    it(`is none in ${JSON.stringify(path.slice(0, 40))}`, () => {
      assert.equal(findPathFault(path), undefined);
    });
  }

  const faulty: Readonly<Record<PathFault, readonly string[]>> = {
    empty: ["", " ", "\t"],
    "too-long": ["a".repeat(4097)],
    "control-character": ["a\0b", "a\nb", "a\tb", "\u007f", "src/\u001b[31m", "a\r", "a\u0085b", "a\u009b"],
    "device-name": [
      "con",
      "CON",
      "src/nul",
      "NUL.txt",
      "nul.tar.gz",
      "Aux.ts/a",
      String.raw`src\prn.log`,
      "com1",
      "LPT9.md",
      "com0",
      "com¹",
      "lpt³.txt",
      "CONIN$",
      "conout$.txt",
      "nul .txt",
      "/dev/con",
      "C:/nul",
      String.raw`\\.\aux`,
    ],
    "trailing-dot-or-space": [
      "a.",
      "a ",
      "a./b",
      "a /b",
      ".env.",
      ".env ",
      "...",
      "a/.. /b",
      String.raw`a.\b`,
      "nul ",
    ],
    stream: [
      "a.txt:hidden",
      "a.txt::$DATA",
      "src/a:b/c",
      "C:a.txt",
      "ab:/c",
      "file:///etc/hosts",
      String.raw`\\?\C:\a`,
      "nul:",
      "C:/a:b",
    ],
  };
  for (const [fault, paths] of Object.entries(faulty)) {
    for (const path of paths) {
      it(`is ${fault} in ${JSON.stringify(path.slice(0, 40))}`, () => {
        assert.equal(findPathFault(path), fault);
      });
    }
  }

  it("is found in any folder of a path", () => {
    const folders = fc.array(fc.constantFrom("src", "..", "x.y", "Ä"), { maxLength: 4 });
    const names = fc.constantFrom("nul", "a.", "a:b", "\u0001");
    fc.assert(
      fc.property(folders, names, folders, fc.constantFrom("/", "\\"), (before, name, after, slash) => {
        assert.notEqual(findPathFault([...before, name, ...after].join(slash)), undefined);
        assert.equal(findPathFault(["x", ...before, ...after].join(slash)), undefined);
      }),
    );
  });
});
