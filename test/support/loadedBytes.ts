import type { Metafile } from "esbuild";

/** Returns an output file and all files that it statically imports, directly or not, by their paths in the metafile. */
export function filesReadWith({ outputs }: Metafile, first: string): ReadonlySet<string> {
  const found = new Set([first]);
  for (const file of found) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && outputs[path] !== undefined) found.add(path);
    }
  }
  return found;
}

/** Returns the bytes of a file and of all files that it imports statically. */
export function bytesBehind(metafile: Metafile, entry: string): number {
  const files = [...filesReadWith(metafile, entry)];
  return files.reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? 0), 0);
}

/** Returns the bytes that the chat page loads before there is code to highlight: its scripts and style sheet. */
export function bytesOfFirstLoad(page: Metafile): number {
  return bytesBehind(page, "dist/webview/chat.js") + bytesBehind(page, "dist/webview/chat.css");
}
