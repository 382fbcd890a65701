import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";

const names = [
  ..."a b ab a.b b.a foo foobar bar A Foo a1 1 x-y x_y #x !x a* [a] a?b keep.log é 日本 a] a^ a-b a{b} a+b a$ (a)".split(
    " ",
  ),
  ..."12 z9 a.LOG src build .env a,b ~".split(" "),
  "a b",
];

const pieces = [
  ..."a b foo bar A 1 . * * ** ? [ab] [a-c] [!a] [^b] []a] [!]a] [a-] [z-a] [*] [?] [.x] [!a-z] [A-Z] [/] [!.]".split(
    " ",
  ),
  ..."[[:digit:]] [[:alpha:]] [^[:space:]] [[:upper:]_] [a[:digit:]] [[:foo:]] [[:punct:]]".split(" "),
  ...String.raw`\* \? \[ \a \\ \# \! [\]a] [\-a] { } + $ ^ ( ) | é # ! - _ [ ] a/ ***`.split(" "),
  " ",
  String.raw`\ `,
];

const segments = fc.oneof(
  fc.constantFrom(...names.slice(0, 12)),
  fc.constantFrom("**", "*"),
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((all) => all.join("")),
);
const lines = fc
  .tuple(
    fc.constantFrom("", "", "", "!", "/", "**/", "foo**/", "a**/"),
    fc.array(segments, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "", "/", " ", "/**"),
  )
  .map(([start, all, end]) => `${start}${all.join("/")}${end}`);

/** Texts of a `.gitignore` with all kinds of patterns. */
export const gitignoreTexts: fc.Arbitrary<string> = fc
  .array(lines, { minLength: 1, maxLength: 4 })
  .map((all) => `${all.join("\n")}\n`);

/** Paths of files. */
export const namesInTrees: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
  .map((all) => all.join("/"));

/** A temporary repository in which Git applies a `.gitignore`. */
export class GitignoreOfGit {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "gitignore-"));

  constructor() {
    run(this.#folder, ["init", "-q"]);
  }

  /** Returns the paths that Git ignores with this `.gitignore` text. */
  ignoredBy(text: string, paths: readonly string[]): ReadonlySet<string> {
    writeFileSync(path.join(this.#folder, ".gitignore"), text);
    const words = ["check-ignore", "--stdin", "-z", "-v", "-n", "--no-index"];
    const fields = run(this.#folder, words, `${paths.join("\0")}\0`).split("\0");
    // Fields for each path: file, line, pattern (all empty without a match), and path.
    return new Set(
      paths.filter((_, index) => {
        const pattern = fields[index * 4 + 2] ?? "";
        return pattern !== "" && !pattern.startsWith("!");
      }),
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function run(folder: string, words: readonly string[], input = ""): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const { stdout, status, stderr } = spawnSync("git", words, { cwd: folder, input, encoding: "utf8", env });
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return stdout;
}
