import assert from "node:assert/strict";
import type { ProbeId, SeenState } from "../../src/connection/compatibility/compatibility.ts";
import { CompatibilityStore } from "../../src/editor/service/compatibilityStore.ts";
import { capabilitiesOf, takenBy } from "../../src/editor/service/modelCapabilities.ts";
import { modelInformation } from "../../src/editor/languageModels/modelInformation.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { writeCapabilities } from "./testConnections.ts";

const asked = { origin: "http://127.0.0.1:1", model: "m", clientStyle: "messages" } as const;

describe("model information for VS Code", () => {
  let compatibility: CompatibilityStore;

  const see = (probe: ProbeId, state: SeenState): void =>
    compatibility.add(asked, {
      clientStyle: asked.clientStyle,
      probe,
      state,
      evidence: "",
      at: "2026-01-01T00:00:00.000Z",
    });
  const describeModel = (contextWindow?: number, warning?: string) =>
    modelInformation({
      connectionName: "Acme",
      model: { id: "m", ...(contextWindow === undefined ? {} : { contextWindow }) },
      capabilities: capabilitiesOf(compatibility, asked),
      maxTokens: 4096,
      ...(warning === undefined ? {} : { warning }),
    });

  beforeEach(() => {
    compatibility = new CompatibilityStore(createMemento());
  });
  afterEach(() => writeCapabilities(undefined));

  const takesPdf = () => takenBy(compatibility, asked).takesPdf;
  const rule = () => [describeModel().capabilities.imageInput, takenBy(compatibility, asked).takesImages];

  it("shows a warning everywhere if the model cannot answer now", () => {
    const { detail, tooltip = "", warningText } = describeModel(undefined, "No API key");
    assert.equal(detail, "Acme · No API key");
    assert.equal(warningText, "No API key");
    assert.ok(tooltip.startsWith("No API key."), tooltip);
    const able = describeModel();
    assert.equal(able.detail, "Acme");
    assert.ok(!("warningText" in able));
  });

  it("says whether the context window is assumed", () => {
    assert.match(describeModel().tooltip ?? "", /Context window: 128.000 tokens \(assumed because/u);
    assert.match(
      describeModel(32_000).tooltip ?? "",
      /Context window: 32.000 tokens \(reported by the service\)/u,
    );
  });

  it("lists only verified capabilities", () => {
    assert.deepEqual(describeModel().capabilities, { toolCalling: false, imageInput: false });
    see("tools", "yes");
    see("image", "yes");
    assert.deepEqual(describeModel().capabilities, { toolCalling: true, imageInput: true });
    assert.match(describeModel().tooltip ?? "", /Tools: yes \(verified\)\.\nImages: yes \(verified\)\./u);
    see("tools", "unclear");
    see("image", "no");
    assert.deepEqual(describeModel().capabilities, { toolCalling: false, imageInput: false });
    assert.match(describeModel().tooltip ?? "", /Tools: unclear \(.*\nImages: no \(verified\)/u);
  });

  it("declares image input by the setting first, then by the verified result", async () => {
    assert.deepEqual(rule(), [false, undefined]);
    see("image", "unclear");
    assert.deepEqual(rule(), [false, undefined]);
    see("image", "no");
    assert.deepEqual(rule(), [false, false]);
    await writeCapabilities({ m: { imageInput: true } });
    assert.deepEqual(rule(), [true, true]);
    see("image", "yes");
    await writeCapabilities({ m: { imageInput: false } });
    assert.deepEqual(rule(), [false, false]);
    await writeCapabilities(undefined);
    assert.deepEqual(rule(), [true, true]);
  });

  it("takes PDF files by the setting first, then by the verified result", async () => {
    assert.equal(takesPdf(), undefined);
    see("pdf", "unclear");
    assert.equal(takesPdf(), undefined);
    see("pdf", "yes");
    assert.equal(takesPdf(), true);
    await writeCapabilities({ m: { pdfInput: false } });
    assert.equal(takesPdf(), false);
  });
});
