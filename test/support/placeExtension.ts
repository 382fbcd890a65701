import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";

const manifestSchema = v.object({ publisher: v.string(), name: v.string(), version: v.string() });
const listSchema = v.array(v.unknown());

/**
 * Adds an unpacked extension to the installed extensions of an editor: a real installation takes seconds. The
 * editor must not be running. `extensions.json` is VS Code's own list of installed extensions.
 */
export async function placeExtension(extensions: string, source: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(path.join(source, "package.json"), "utf8"));
  const { publisher, name, version } = v.parse(manifestSchema, manifest);
  const relativeLocation = `${publisher}.${name}-${version}`;
  const folder = path.join(extensions, relativeLocation);
  await cp(source, folder, { recursive: true });
  const listFile = path.join(extensions, "extensions.json");
  const list = v.parse(listSchema, JSON.parse(await readFile(listFile, "utf8")));
  const entry = {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, path: folder, scheme: "file" },
    relativeLocation,
  };
  await writeFile(listFile, JSON.stringify([...list, entry]));
}
