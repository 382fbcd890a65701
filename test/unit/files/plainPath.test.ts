import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import fc from "fast-check";
import {
  findPathFault,
  mayHaveShortName,
  namesBelow,
  type PathFault,
  plainForms,
  relativeTo,
  usuallyIgnoresCase,
} from "../../../src/files/plainPath.ts";

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

describe("the forms of a path", () => {
  it("are those in which a file system of Windows or macOS may read it", () => {
    assert.deepEqual(plainForms("Src/.ENV"), ["src/.env"]);
    assert.deepEqual(plainForms(".git. /.g\u200cit/\uff0eenv"), [".git/.git/.env"]);
    assert.deepEqual(plainForms("cafe\u0301"), ["caf\u00e9"]);
    assert.deepEqual(plainForms("a.env:b/.ENV::$DATA"), ["a.env:b/.env::$data", "a.env/.env"]);
  });
});

describe("a short name of Windows", () => {
  const cases: Readonly<Record<string, boolean>> = {
    "SECRET~1": true,
    "PACKAG~1.JSO": true,
    "src/GIT~1/config": true,
    [String.raw`c:\Users\RUNNER~1\a.ts`]: true,
    "EN12AB~1.LOC": true,
    "~/a.ts": false,
    "notes.txt~1": false,
    "archive~1.json": false,
    "a~b": false,
    ".~1~": false,
    "backups~1": false,
    "report~12": false,
  };
  for (const [given, isShort] of Object.entries(cases)) {
    it(`is ${isShort ? "" : "not "}seen in ${given}`, () => assert.equal(mayHaveShortName(given), isShort));
  }
});

describe("the names below a folder", () => {
  it("follow the rules of Windows: drives in any case, shares, and no way to another drive", () => {
    assert.deepEqual(namesBelow(String.raw`C:\Work`, String.raw`c:\work\Src\a.ts`, win32), ["Src", "a.ts"]);
    assert.deepEqual(namesBelow("C:\\", String.raw`C:\a.ts`, win32), ["a.ts"]);
    assert.deepEqual(namesBelow(String.raw`\\host\share\work`, String.raw`\\HOST\share\work\a.ts`, win32), [
      "a.ts",
    ]);
    assert.deepEqual(namesBelow(String.raw`C:\Work`, String.raw`c:\work`, win32), []);
    assert.deepEqual(namesBelow(String.raw`C:\Work`, String.raw`C:\Work\..a\b`, win32), ["..a", "b"]);
    for (const place of [
      String.raw`D:\Work\a.ts`,
      String.raw`C:\Workshop\a.ts`,
      String.raw`\\host\share\a.ts`,
      String.raw`C:\Work\..\a.ts`,
    ])
      assert.equal(namesBelow(String.raw`C:\Work`, place, win32), undefined, place);
  });

  it("follow the rules of other systems, where case counts", () => {
    assert.deepEqual(namesBelow("/work", "/work/a/b", posix), ["a", "b"]);
    assert.deepEqual(namesBelow("/work", "/work/..a", posix), ["..a"]);
    assert.equal(namesBelow("/work", "/Work/a", posix), undefined);
  });
});

describe("a path of an answer, relative to a folder", () => {
  const cases: readonly (readonly [folder: string, named: string, relative: string | undefined])[] = [
    ["/c:/Work", "src/a.ts", "src/a.ts"],
    ["/c:/Work", "C:/work/src/a.ts", "src/a.ts"],
    ["/c:/", "C:/a.ts", "a.ts"],
    ["/c:/Work", "D:/Work/a.ts", undefined],
    ["/c:/Work", "C:a.ts", undefined],
    ["/c:/Work", "C:/Work/../a.ts", undefined],
    ["/c:/Work", "//host/share/a.ts", "host/share/a.ts"],
    ["/share/work", "/share/work/a.ts", "a.ts"],
    ["/home/work", "/home/work/a.ts", "a.ts"],
    ["/home/work", "/a.ts", "a.ts"],
    ["/home/work", "a/../../b", undefined],
    ["/", "/a.ts", "a.ts"],
  ];
  for (const [folder, named, relative] of cases) {
    it(`is ${relative ?? "none"} for ${named} in ${folder}`, () => {
      assert.equal(relativeTo(folder, named), relative);
    });
  }
});

describe("file systems that usually ignore case", () => {
  it("are those of Windows, of macOS, and of unknown machines", () => {
    assert.ok(usuallyIgnoresCase("win32", true) && usuallyIgnoresCase("darwin", true));
    assert.ok(!usuallyIgnoresCase("linux", true) && usuallyIgnoresCase("linux", false));
  });
});
