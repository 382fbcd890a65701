import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CodeServer } from "./codeServer.ts";
import { copyEditor, type EditorCopy, replaceOnce } from "./editorCopy.ts";

/**
 * The file in which the editor's server passes options to the window, and limits the sources of the window's frames.
 */
const file = path.join("out", "server-main.js");
const told =
  /(?<start>Request URL: \$\{(?<request>[\w$]+)\.url\}[^]*?serverBasePath:[\w$]+,)webviewEndpoint:(?<root>[\w$]+)\+"(?<pages>[^"]+)",(?<between>[^]*?)productConfiguration:(?<product>[\w$]+),/g;
const frames = /frame-src 'self'/g;

/** Each page gets its own host name below `localhost`, which leads to the loopback interface. */
const place = `new URL("http://"+$<request>.headers.host).port+"/"+$<root>+"$<pages>/"`;

/**
 * Copies the editor, and changes the copy: pages of extensions are on another site than the window. A browser then
 * gives these pages their own process, like the desktop editor does.
 */
export function copyWithPagesApart(codeServer: CodeServer): Promise<EditorCopy> {
  return copyEditor(codeServer, "pages-apart", [{ file, change: setPagesApart }]);
}

function setPagesApart(text: string): string {
  const toldApart = `$<start>$<between>productConfiguration:{...$<product>,webviewContentExternalBaseUrlTemplate:"http://{{uuid}}.localhost:"+${place}},`;
  return replaceOnce(replaceOnce(text, told, toldApart), frames, "frame-src 'self' http://*.localhost:*");
}

/** Lets pages of another site store data: pages of extensions must do that before they show anything. */
export async function letPagesStore(profile: string): Promise<void> {
  const folder = path.join(profile, "Default");
  await mkdir(folder, { recursive: true });
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  await writeFile(path.join(folder, "Preferences"), JSON.stringify(preferences));
}
