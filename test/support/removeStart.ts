import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { extensionId } from "./workbench/webviewFrame.ts";

const manifestSchema = v.looseObject({ activationEvents: v.array(v.string()) });
const startEvent = "onStartupFinished";

/**
 * Has our installed extension begin only when something asks for it. Nothing else holds the editor back: ten seconds
 * after the host began it activates what begins behind the start, whatever else is still busy.
 */
export async function removeStart(extensions: string): Promise<void> {
  const folder = (await readdir(extensions)).find((name) => name.startsWith(`${extensionId}-`));
  if (folder === undefined) throw new Error("Our extension is not installed.");
  const file = path.join(extensions, folder, "package.json");
  const manifest = v.parse(manifestSchema, JSON.parse(await readFile(file, "utf8")));
  const activationEvents = manifest.activationEvents.filter((event) => event !== startEvent);
  if (activationEvents.length === manifest.activationEvents.length)
    throw new Error(`Our extension does not begin by ${startEvent}.`);
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents }));
}
