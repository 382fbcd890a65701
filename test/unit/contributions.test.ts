import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import {
  commandIds,
  productName,
  extensionId,
  settingKeys,
  settingSection,
  viewContainerId,
  viewId,
} from "../../src/contributions.ts";

const command = v.object({ command: v.string(), title: v.string(), category: v.string() });
const manifestSchema = v.looseObject({
  name: v.string(),
  publisher: v.string(),
  activationEvents: v.array(v.string()),
  enabledApiProposals: v.optional(v.unknown()),
  contributes: v.object({
    commands: v.array(command),
    viewsContainers: v.object({ activitybar: v.array(v.object({ id: v.string() })) }),
    views: v.record(v.string(), v.array(v.object({ id: v.string() }))),
    configuration: v.object({ properties: v.record(v.string(), v.looseObject({ scope: v.string() })) }),
  }),
});

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));
}

describe("package.json", () => {
  const raw = readJson("package.json");
  const manifest = v.parse(manifestSchema, raw);
  const { contributes } = manifest;
  const texts = v.parse(v.record(v.string(), v.string()), readJson("package.nls.json"));

  const titleOf = (id: string): string =>
    texts[contributes.commands.find(({ command: each }) => each === id)?.title.slice(1, -1) ?? ""] ?? "";

  it("contributes exactly the commands of contributions.ts", () => {
    assert.deepEqual(
      contributes.commands.map((entry) => entry.command).sort(),
      Object.values(commandIds).sort(),
    );
    for (const entry of contributes.commands) assert.equal(entry.category, productName);
  });

  it("contributes exactly the settings of contributions.ts", () => {
    const ids = Object.values(settingKeys).map((key) => `${settingSection}.${key}`);
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), ids.sort());
  });

  it("allows connection and network settings only in user settings", () => {
    for (const id of [
      "inference.connections",
      "inference.network.transport",
      "inference.network.stallTimeout",
    ]) {
      assert.equal(contributes.configuration.properties[id]?.scope, "application");
    }
  });

  it("has the extension ID of contributions.ts", () => {
    assert.equal(extensionId, `${manifest.publisher}.${manifest.name}`);
  });

  it("contributes the view and its container", () => {
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      [viewContainerId],
    );
    assert.deepEqual(
      contributes.views[viewContainerId]?.map(({ id }) => id),
      [viewId],
    );
  });

  it("requests no proposed API", () => {
    assert.equal(manifest.enabledApiProposals, undefined);
  });

  it("uses exactly the texts of package.nls.json", () => {
    const used = [...JSON.stringify(raw).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? "");
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
  });

  it("gives the commands the titles of the public interface", () => {
    const titles = new Set(contributes.commands.map((entry) => texts[entry.title.replaceAll("%", "")]));
    for (const title of [
      "Add Connection...",
      "Set API Key...",
      "Check Connection",
      "Select Model for This Workspace...",
    ]) {
      assert.ok(titles.has(title), title);
    }
  });

  it("marks each menu command that leads to a billable request", () => {
    const menus = v.parse(
      v.record(v.string(), v.array(v.looseObject({ command: v.optional(v.string()) }))),
      v.parse(v.object({ contributes: v.looseObject({ menus: v.unknown() }) }), raw).contributes["menus"],
    );
    const submenus = v.parse(
      v.object({
        contributes: v.object({ submenus: v.array(v.object({ id: v.string(), label: v.string() })) }),
      }),
      raw,
    ).contributes.submenus;
    const asking = [
      commandIds.editSelection,
      commandIds.completeHere,
      commandIds.explain,
      commandIds.explainTerminalSelection,
      commandIds.fix,
      commandIds.generateTests,
      commandIds.generateDocs,
      commandIds.review,
      commandIds.refineProposal,
      commandIds.generateCommitMessage,
      commandIds.writeCommitMessage,
    ];
    for (const [menu, entries] of Object.entries(menus)) {
      if (menu === "commandPalette") continue;
      const menuName = texts[submenus.find(({ id }) => id === menu)?.label.slice(1, -1) ?? ""] ?? "";
      for (const { command: id = "" } of entries) {
        if (!asking.some((each) => each === id)) continue;
        assert.match(`${menuName} ${titleOf(id)}`, /Billable Request/, `${id} in ${menu}`);
      }
    }
  });
});
