import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { ListenerWatch } from "../../support/listenerWatch.ts";

class Source extends EventEmitter {}
class Target extends EventTarget {}

const ours = ["listener of Source", "listener of Target"] as const;
const listen = (): void => undefined;

function methods(): readonly unknown[] {
  return [
    ...["on", "addListener", "prependListener"].map((name) => Reflect.get(EventEmitter.prototype, name)),
    Reflect.get(EventTarget.prototype, "addEventListener"),
  ];
}

describe("ListenerWatch", () => {
  it("counts the remaining listeners of emitters and event targets", async () => {
    using watch = new ListenerWatch();
    const count = (): readonly number[] => ours.map((kind) => watch.count()[kind] ?? 0);
    const [source, target] = [new Source(), new Target()];
    source.on("left", listen).addListener("left", listen).prependListener("taken", listen);
    target.addEventListener("left", listen);
    target.addEventListener("taken", listen);
    const came = once(source, "came");
    assert.deepEqual(count(), [5, 2]);
    source.off("taken", listen);
    target.removeEventListener("taken", listen);
    source.emit("came");
    await came;
    assert.deepEqual(count(), [2, 1]);
  });

  it("restores the methods of emitters and event targets", () => {
    const before = methods();
    new ListenerWatch()[Symbol.dispose]();
    assert.deepEqual(methods(), before);
  });
});
