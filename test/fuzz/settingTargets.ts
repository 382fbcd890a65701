import assert from "node:assert/strict";
import { transportChoices } from "../../src/client/http/transport.ts";
import { parseJson } from "../../src/protocol/conversation/json.ts";
import { type FuzzTarget, fuzz } from "./fuzzTarget.ts";
import { jsonTextsWith } from "./hostileTexts.ts";
import { loadSettings, setEverySetting } from "./settingsOfEditor.ts";

const model = "service-core";
const names = [model, "*", "input", "output", "currency", "toolCalling", "imageInput", "**/*.env"];
const words = ["0", "1", "-1", "0.5", "4096", "3601", '"EUR"', '"off"', '"everywhere"', '"undici"', "false"];

/** Readers of all settings except connections. A user or a repository may have written the values. */
export const settingTargets: readonly FuzzTarget[] = [
  fuzz("settings of numbers, choices and lists", jsonTextsWith(names, words), async (json) => {
    const settings = await loadSettings();
    setEverySetting(parseJson(json));
    const most = settings.readMaxTokensSetting();
    assert.ok(Number.isInteger(most) && most >= 1);
    for (const whole of ["chat", "day"] as const) assert.ok((settings.readTokenCap(whole) ?? 1) > 0);
    const stall = settings.readStallSetting();
    assert.ok(stall >= 0 && stall <= 3600);
    assert.ok(["workspace", "everywhere"].includes(settings.readHistorySetting()));
    assert.ok(transportChoices.includes(settings.readTransportSetting()));
    assert.equal(typeof settings.readInstructionsSetting(undefined), "string");
    assert.ok(settings.readExcludePatterns(undefined).every((pattern) => typeof pattern === "string"));
    const price = settings.readPriceSetting(model);
    if (price !== undefined) assert.ok(price.input >= 0 && price.output >= 0 && price.currency.length === 3);
    const abilities = Object.values(settings.readCapabilitySetting(model));
    assert.ok(abilities.every((ability) => typeof ability === "boolean"));
    const { proxy, noProxy, strictCertificates } = settings.readNetworkSettings();
    assert.ok(proxy === undefined || proxy !== "");
    assert.ok(noProxy === undefined || noProxy.every((host) => typeof host === "string"));
    assert.equal(typeof strictCertificates, "boolean");
  }),
];
