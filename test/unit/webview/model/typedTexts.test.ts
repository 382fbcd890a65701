import assert from "node:assert/strict";
import { mock } from "node:test";
import type { FromWebview } from "../../../../src/chat/page/protocol.ts";
import { TypedTexts } from "../../../../src/webview/model/typedTexts.ts";

const long = "a".repeat(5000);

function start(): { readonly typed: TypedTexts; readonly handed: string[] } {
  const handed: string[] = [];
  const post = (message: FromWebview): void => {
    if (message.type === "draft") handed.push(`${message.turnId ?? ""}${message.text.replace(long, "long")}`);
  };
  return { typed: new TypedTexts(post), handed };
}

describe("TypedTexts", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("posts a short draft at each keystroke", () => {
    const { typed, handed } = start();
    for (const draft of ["a", "ab", ""]) typed.save("chat", draft);
    assert.deepEqual(handed, ["a", "ab", ""]);
  });

  it("posts a long draft at once, and then repeatedly during typing", () => {
    const { typed, handed } = start();
    for (let key = 0; key < 10; key += 1) {
      typed.save("chat", `${long}${key}`);
      mock.timers.tick(100);
    }
    assert.deepEqual(handed, ["long0", "long2", "long5", "long8"]);
    mock.timers.tick(300);
    assert.deepEqual(handed.slice(4), ["long9"]);
    mock.timers.tick(3000);
    assert.equal(handed.length, 5, "nothing is handed over twice");
    typed.save("chat", `${long}!`);
    assert.equal(handed.at(-1), "long!");
  });

  it("posts a pending draft once on handOver", () => {
    const { typed, handed } = start();
    typed.save("chat", long);
    typed.save("chat", `${long}, and more`);
    typed.handOver();
    typed.handOver();
    mock.timers.tick(3000);
    assert.deepEqual(handed, ["long", "long, and more"]);
  });

  it("posts a pending draft before the draft of another box or a short draft", () => {
    const { typed, handed } = start();
    typed.save("chat", long);
    typed.save("chat", `${long} on`);
    typed.save("chat", `${long} of it`, "turn ");
    typed.save("chat", "short");
    mock.timers.tick(3000);
    assert.deepEqual(handed, ["long", "long on", "turn long of it", "short"]);
    assert.equal(typed.editOf("turn "), `${long} of it`);
  });
});
