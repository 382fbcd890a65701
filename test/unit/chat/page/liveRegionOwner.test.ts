import assert from "node:assert/strict";
import { LiveRegionOwner } from "../../../../src/chat/page/liveRegionOwner.ts";

/** Creates speakers by name and records which of them speak. */
function openStage() {
  const voice = new LiveRegionOwner();
  const speaking = new Set<string>();
  const speakerOf = (name: string) => (speaks: boolean) => {
    if (speaks) speaking.add(name);
    else speaking.delete(name);
  };
  return { voice, speakerOf, speaks: () => [...speaking] };
}

describe("LiveRegionOwner", () => {
  it("lets the first speaker speak until another one takes the focus", () => {
    const { voice, speakerOf, speaks } = openStage();
    const [view, tab] = [speakerOf("view"), speakerOf("tab")];
    voice.join(view);
    assert.deepEqual(speaks(), ["view"]);
    voice.join(tab);
    assert.deepEqual(speaks(), ["view"]);
    voice.claim(tab);
    assert.deepEqual(speaks(), ["tab"]);
    voice.claim(tab);
    voice.claim(view);
    assert.deepEqual(speaks(), ["view"]);
  });

  it("lets a remaining speaker speak when the current one leaves", () => {
    const { voice, speakerOf, speaks } = openStage();
    const [view, tab] = [speakerOf("view"), speakerOf("tab")];
    const leaveView = voice.join(view);
    const leaveTab = voice.join(tab);
    voice.claim(tab);
    leaveTab();
    assert.ok(speaks().includes("view"));
    voice.claim(tab);
    assert.ok(speaks().includes("view"), "who has left does not come back");
    leaveView();
    voice.join(tab);
    assert.ok(speaks().includes("tab"));
  });
});
