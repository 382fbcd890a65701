import type { Metafile } from "esbuild";

/** An output and all that it imports at once, by their paths in the metafile. */
export function filesReadWith({ outputs }: Metafile, first: string): ReadonlySet<string> {
  const found = new Set([first]);
  for (const file of found) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && outputs[path] !== undefined) found.add(path);
    }
  }
  return found;
}

/** A file's bytes and those of all that it imports at once. */
export function bytesBehind(metafile: Metafile, entry: string): number {
  const files = [...filesReadWith(metafile, entry)];
  return files.reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? 0), 0);
}

/** Bytes of all that the chat's page reads before there is code to colour: its scripts and style sheet. */
export function bytesOfFirstLoad(page: Metafile): number {
  return bytesBehind(page, "dist/webview/chat.js") + bytesBehind(page, "dist/webview/chat.css");
}
