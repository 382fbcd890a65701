import assert from "node:assert/strict";
import { format, inspect } from "node:util";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { processorTime } from "../../processorTime.ts";
import { sealFor } from "../../../support/sealFor.ts";

const seal = sealFor("https://h.example");
const secret = ["sk", "test", "canary", "0001"].join("-");

function kindOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof InferenceError);
    assert.ok(!error.message.includes(secret) && !String(error.stack).includes(secret));
    return error.failure.kind;
  }
  return "nothing thrown";
}

describe("ApiKey", () => {
  const key = new ApiKey(secret, seal);

  it("becomes a header for its own origin", () => {
    assert.equal(key.authorizationFor(new URL("https://h.example/v1/models")), `Bearer ${secret}`);
  });

  it("is never sent to another origin", () => {
    for (const url of [
      "http://h.example/",
      "https://h.example:8443/",
      "https://evil.example/",
      "https://sub.h.example/",
    ]) {
      assert.equal(
        kindOf(() => key.authorizationFor(new URL(url))),
        "key-seal",
        url,
      );
    }
  });

  it("never appears in printed or serialized text", () => {
    const shown = [
      String(key),
      JSON.stringify({ key }),
      inspect(key, { showHidden: true, depth: 9 }),
      format("%o %s %j", key, key, key),
    ];
    for (const text of shown) assert.ok(!text.includes(secret), text);
    assert.equal(
      key.redactServiceText(`a cut text with ${secret.slice(0, 12)}`),
      "a cut text with [API key]",
    );
    assert.equal(
      key.redactServiceText(`Incorrect API key provided: ${secret}.`),
      "Incorrect API key provided: [API key].",
    );
  });

  it("rejects values that a header can't contain", () => {
    for (const value of [
      "",
      `${secret} `,
      `${secret}\n`,
      `a b`,
      `\u201c${secret}\u201d`,
      `${secret}\u200b`,
    ]) {
      assert.equal(
        kindOf(() => new ApiKey(value, seal)),
        "key",
        JSON.stringify(value),
      );
    }
  });

  it("is redacted if the whole text is the key, most of the key, or a piece of its base64", () => {
    const short = "q7w2e9x4";
    const sealed = new ApiKey(short, seal);
    assert.equal(sealed.redactServiceText(short), "[API key]");
    assert.equal(sealed.redactServiceText(short.slice(0, 6)), "[API key]");
    assert.equal(sealed.redactServiceText(short.slice(0, 5)), short.slice(0, 5));
    for (const [offset, start] of [0, 2, 3].entries()) {
      const coded = Buffer.from(" ".repeat(offset) + short)
        .toString("base64")
        .replace(/=+$/, "");
      const end = (offset + short.length) % 3 === 0 ? coded.length : coded.length - 1;
      assert.equal(sealed.redactServiceText(coded.slice(start, end)), "[API key]");
    }
  });

  it("is found in linear time, even if a server escapes its letters", () => {
    const letters = "trnntrtnrntrnrttnrtnrrntrnttrnrtnrt";
    const spelledKey = new ApiKey(letters, seal);
    const spelled = Array.from(letters, (letter) => `\\${letter}`.repeat(40)).join("");
    const time = processorTime(() => {
      assert.ok(!/[trn]{3}/.test(spelledKey.redactServiceText(spelled).replaceAll("\\", "")));
    });
    assert.ok(time < 2000, `${time} ms`);
    const broken = new ApiKey("wd7fk2pq9xlmn", seal);
    assert.equal(broken.redactServiceText(Array.from("wd7fk2pq9xlmn").join("\\n")), "[API key]");
  });
});
