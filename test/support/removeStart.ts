import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { extensionId } from "./workbench/webviewFrame.ts";

const manifestSchema = v.looseObject({ activationEvents: v.array(v.string()) });
const startEvent = "onStartupFinished";

/**
 * Makes our installed extension start only on demand. Otherwise, VS Code activates the extension ten seconds after the
 * start of the host, however busy the host is.
 */
export async function removeStart(extensions: string): Promise<void> {
  const folder = (await readdir(extensions)).find((name) => name.startsWith(`${extensionId}-`));
  if (folder === undefined) throw new Error("Our extension is not installed.");
  const file = path.join(extensions, folder, "package.json");
  const manifest = v.parse(manifestSchema, JSON.parse(await readFile(file, "utf8")));
  const activationEvents = manifest.activationEvents.filter((event) => event !== startEvent);
  if (activationEvents.length === manifest.activationEvents.length)
    throw new Error(`Our extension has no activation event ${startEvent}.`);
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents }));
}
