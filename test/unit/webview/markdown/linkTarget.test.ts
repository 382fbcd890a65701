import assert from "node:assert/strict";
import fc from "fast-check";
import { actualTarget } from "../../../../src/webview/markdown/linkTarget.ts";
import { tellFigure } from "../../../support/figures.ts";

const lies: readonly (readonly [shown: string, address: string, target: string])[] = [
  ["https://bank.example", "https://hostile.example/x", "hostile.example"],
  [
    "https://bank.example/login",
    "https://bank.example.hostile.example/login",
    "bank.example.hostile.example",
  ],
  ["https://bank.example@hostile.example", "https://bank.example@hostile.example/", "hostile.example"],
  ["https://bank.example:443/", "https://bank.example:8443/", "bank.example:8443"],
  ["http://bank.example", "https://hostile.example", "hostile.example"],
  ["vscode://settings", "https://hostile.example", "hostile.example"],
  ["www.bank.example", "https://hostile.example", "hostile.example"],
  ["bank.com", "https://hostile.example", "hostile.example"],
  ["bank.com/login?a=b", "https://hostile.example", "hostile.example"],
  [" bank.com\n", "https://hostile.example", "hostile.example"],
  ["https://b\u0430nk.example", new URL("https://b\u0430nk.example").href, "xn--bnk-6cd.example"],
  ["https://bank.example\u202e", "https://bank.example/", "bank.example"],
  ["help@bank.example", "mailto:help@hostile.example", "help@hostile.example"],
  ["help@bank.example", "https://hostile.example", "hostile.example"],
  ["https://bank.example", "mailto:help@hostile.example", "help@hostile.example"],
  ["Open https://bank.example/login", "https://hostile.example", "hostile.example"],
  ['"https://bank.example"', "https://hostile.example", "hostile.example"],
  ["\u200bhttps://bank.example", "https://hostile.example", "hostile.example"],
  ["https\u2060://ba\u00adnk.example", "https://hostile.example", "hostile.example"],
  ["login.bank.de", "https://hostile.example", "hostile.example"],
  ["Sign in (bank.co.uk).", "https://hostile.example", "hostile.example"],
  ["//bank.shop/login", "https://hostile.example", "hostile.example"],
  ["docs.rs/serde", "https://hostile.example", "hostile.example"],
  ["bank.\u0441om", "https://hostile.example", "hostile.example"],
  ["Write to help@bank.example, or call", "mailto:help@hostile.example", "help@hostile.example"],
  ["hostile.example, once bank.com", "https://hostile.example", "hostile.example"],
  ["https://hostile.example https://bank.example", "https://hostile.example", "hostile.example"],
  ["bank.com(login)", "https://hostile.example", "hostile.example"],
  ["bank.com/login(1)", "https://hostile.example", "hostile.example"],
];

const truths: readonly (readonly [shown: string, address: string])[] = [
  ["https://bank.example", "https://bank.example/"],
  ["https://Bank.Example/a?b#c", "https://bank.example/a?b#c"],
  ["https://bank.example:8443/a", "https://bank.example:8443/a"],
  ["www.bank.example", "http://www.bank.example/"],
  ["bank.com", "https://www.bank.com/"],
  ["help@bank.example", "mailto:help@bank.example"],
  ["mailto:help@bank.example", "mailto:help@bank.example"],
  ["the documentation", "https://docs.example/"],
  ["Node.js", "https://nodejs.example/"],
  ["README.md", "https://code.example/README.md"],
  ["index.ts", "https://code.example/index.ts"],
  ["src/webview/page.de.html", "https://code.example/page"],
  ["test/setup.py", "https://code.example/setup"],
  ["src/config.in", "https://code.example/config"],
  ["version 2.0.1-rc.1", "https://code.example/releases"],
  ["lodash@4.17.21", "https://code.example/lodash"],
  ["Array.prototype.map", "https://docs.example/map"],
  ["Object.is()", "https://docs.example/is"],
  ["Array.prototype.at()", "https://docs.example/at"],
  ["os.path.join, e.g. for files.", "https://docs.example/join"],
  ["See https://docs.example.", "https://docs.example/"],
  ['"https://docs.example"', "https://docs.example/"],
  ["the page (docs.example/a?b=bank.com)", "https://docs.example/a?b=bank.com"],
  ["\u25b6\ufe0f https://docs.example", "https://docs.example/"],
  ["Write to help@bank.example.", "mailto:help@bank.example?subject=a"],
  ["", "https://docs.example/"],
];

describe("actualTarget", () => {
  let told = 0;

  after(() => tellFigure(`links that lie about their target: where ${told} of ${lies.length} lead is told`));

  for (const [shown, address, target] of lies) {
    it(`names the real target of ${JSON.stringify(shown)}: ${address}`, () => {
      assert.equal(actualTarget(shown, address), target);
      told += 1;
    });
  }

  it("returns undefined for honest links and for links without an address in their text", () => {
    for (const [shown, address] of truths) assert.equal(actualTarget(shown, address), undefined, shown);
  });

  it("takes linear time in the length of the text", () => {
    const parts = ["a", "a.", "a@", "-", "www.", "https:", "//", "\u0441.", "(", "a.com", "a.com,"];
    for (const part of parts) {
      const long = part.repeat(100_000);
      for (const shown of [long, `https://a${long}a`, `a@a${long}1`]) {
        const began = performance.now();
        actualTarget(shown, "https://hostile.example");
        assert.ok(performance.now() - began < 8000, part);
      }
    }
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.webUrl(), (shown, address) => {
        actualTarget(shown, address);
        actualTarget(`https://${shown}`, `mailto:${encodeURIComponent(shown)}%zz`);
      }),
    );
  });
});
