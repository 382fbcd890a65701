import assert from "node:assert/strict";
import fc from "fast-check";
import { toldTarget } from "../../../src/webview/linkTarget.ts";
import { tellFigure } from "../../support/figures.ts";

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
  ["", "https://docs.example/"],
];

describe("toldTarget", () => {
  let told = 0;

  after(() => tellFigure(`links that lie about their target: where ${told} of ${lies.length} lead is told`));

  for (const [shown, address, target] of lies) {
    it(`tells where ${JSON.stringify(shown)} leads: ${address}`, () => {
      assert.equal(toldTarget(shown, address), target);
      told += 1;
    });
  }

  it("is silent of links that say where they lead, and of those that say no address", () => {
    for (const [shown, address] of truths) assert.equal(toldTarget(shown, address), undefined, shown);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.webUrl(), (shown, address) => {
        toldTarget(shown, address);
        toldTarget(`https://${shown}`, `mailto:${encodeURIComponent(shown)}%zz`);
      }),
    );
  });
});
