import assert from "node:assert/strict";
import { findFormulas, readFormulaBlock } from "../../../../src/text/markdown/formulas.ts";
import { processorTime } from "../../processorTime.ts";

const sourcesIn = (text: string): string[] => findFormulas(text).map(({ source }) => source);

describe("findFormulas", () => {
  const formulas: Readonly<Record<string, readonly string[]>> = {
    "Let $x$ and $y_1$, so $x+y_1$.": ["$x$", "$y_1$", "$x+y_1$"],
    '($a$) "$b$" $c$是 $d$-th': ["$a$", "$b$", "$c$", "$d$"],
    "It is $5$, or $1{,}000$.": ["$5$", "$1{,}000$"],
    "$\\text{if it is so}$ and $\\operatorname{max pool} x$": [
      "$\\text{if it is so}$",
      "$\\operatorname{max pool} x$",
    ],
    "In \\(a\\) or \\[b=1\\] or $$c$$.": ["\\(a\\)", "\\[b=1\\]", "$$c$$"],
    "\\[x\\]": ["\\[x\\]"],
    "So:\n$$ x $$\n$$ y $$.": ["$$ x $$", "$$ y $$"],
    "It is $$ \\frac{1}{2} $$ or $$ e^x $$ here.": ["$$ \\frac{1}{2} $$", "$$ e^x $$"],
    "如\\(x\\)是\\[y_1\\]": ["\\(x\\)", "\\[y_1\\]"],
    "$|x|$, $|A| = 3$, $|\\psi\\rangle$ and $x^2,$ or \\(a \\| b\\)": [
      "$|x|$",
      "$|A| = 3$",
      "$|\\psi\\rangle$",
      "$x^2,$",
      "\\(a \\| b\\)",
    ],
    "$1, 2, 3$ and $5$ and $(1, 2)$": ["$1, 2, 3$", "$5$", "$(1, 2)$"],
    "$a \\$ b$": ["$a \\$ b$"],
    "\\(a\nb\\) and $c\nd$": ["\\(a\nb\\)", "$c\nd$"],
    "$\\{x \\mid x > 0\\}$": ["$\\{x \\mid x > 0\\}$"],
  };
  for (const [text, expected] of Object.entries(formulas)) {
    it(`finds formulas in ${JSON.stringify(text)}`, () => assert.deepEqual(sourcesIn(text), expected));
  }

  const others = [
    "It costs $5 and $10.",
    "From $5-$10, $5/$6, US$5 to A$7, $5 or 6$.",
    "Between $5 million and 7$ million.",
    "Use $HOME and $PATH, $HOME/$USER, ${a}/${b} or $(x),$(y).",
    "Names such as $NAME$, $user_name$ and $Revision$.",
    "The process is $$ and its parent $$PPID.",
    "$$ is the process and $$ again",
    "$ x$ and $x $ and $$ $$",
    "`$x$` in $a `code$` b$",
    "\\$x\\$ and \\\\(y\\\\)",
    "\\[see this\\](address) and \\[optional\\] and \\[here it is\\]",
    "A price of 5$ or of 6$",
    "Price: $$ - $$$. Restaurants: $$ to $$$",
    "A: $$, B: $$",
    "PID $$, again $$.",
    "Loop: $$i, $$j and $$(CC) $$(CFLAGS), $${a} $${b}",
    "Bash: $$ and $!\n$$\necho",
    "array\\[0\\], a\\[i\\], foo\\(x\\), file\\(1\\).txt and C:\\dir\\(x86\\)\\app",
    "\\[not a link\\] or \\(see below\\) or \\(is a link\\)",
    "\\[1\\] See the note, \\[x\\] done",
    "The regex \\(foo\\|bar\\)",
    "$5, b 3$",
    "(costs $5) (or 6$)",
    "$1,$2,$",
    "From $5–$",
    "^[a-z]+$|^$ and (a)$|(b)$",
    ":%s/$/;/ and :%s/^/$/",
  ];
  for (const text of others) {
    it(`finds no formula in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        sourcesIn(text).filter((source) => source !== "$x$" || !text.includes("`")),
        [],
      );
    });
  }

  it("takes linear time", () => {
    for (const part of ["$", "$a ", "\\(", "\\[ a", "$$ a", "\\(\\[", "$a$", "\\", "$a\\"]) {
      const time = processorTime(() => findFormulas(part.repeat(30_000)));
      assert.ok(time < 2000, `${part}: ${time} ms`);
    }
  });
});

describe("readFormulaBlock", () => {
  it("reads lines between the marks", () => {
    for (const block of ["$$\na\n- b\n$$", "\\[ a\n# b \\]", "$$\na \\\\[2pt]\nb\n$$", "   $$\na$$"])
      assert.equal(readFormulaBlock(`${block}\ntext`), block);
  });

  it("reads nothing if the lines contain an empty line, code, other marks, or text after the end", () => {
    const blocks = [
      "$$\na\n\n$$",
      "$$\n`a`\n$$",
      "$$\n~~~\n$$",
      "$$\n\\[\n$$",
      "$$\na\n$$ b",
      "$$\n$$",
      "$$ a",
      "$$ a $$",
    ];
    for (const block of [...blocks, `$$\n${"a\n".repeat(3000)}$$`, "$$ is the process\nand its parent $$"])
      assert.equal(readFormulaBlock(block), undefined);
  });
});
