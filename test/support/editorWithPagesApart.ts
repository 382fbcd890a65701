import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CodeServer } from "./codeServer.ts";
import { copyEditor, type EditorCopy, replaceOnce } from "./editorCopy.ts";

/** What the editor's server tells the window, and from where it lets the window take frames. */
const file = path.join("out", "server-main.js");
const told =
  /(?<start>Request URL: \$\{(?<request>[\w$]+)\.url\}[^]*?serverBasePath:[\w$]+,)webviewEndpoint:(?<root>[\w$]+)\+"(?<pages>[^"]+)",(?<between>[^]*?)productConfiguration:(?<product>[\w$]+),/g;
const frames = /frame-src 'self'/g;

/** Each page has a name of its own below this one, which the loopback interface answers to. */
const place = `new URL("http://"+$<request>.headers.host).port+"/"+$<root>+"$<pages>/"`;

/**
 * The same editor, whose pages of extensions stand at another site than its window: a browser gives them a process
 * of their own then, as the desktop editor does.
 */
export function copyWithPagesApart(codeServer: CodeServer): Promise<EditorCopy> {
  return copyEditor(codeServer, "pages-apart", [{ file, change: setPagesApart }]);
}

function setPagesApart(text: string): string {
  const toldApart = `$<start>$<between>productConfiguration:{...$<product>,webviewContentExternalBaseUrlTemplate:"http://{{uuid}}.localhost:"+${place}},`;
  return replaceOnce(replaceOnce(text, told, toldApart), frames, "frame-src 'self' http://*.localhost:*");
}

/** Lets pages of another site keep what they store, as pages of extensions do before they show anything. */
export async function letPagesStore(profile: string): Promise<void> {
  const folder = path.join(profile, "Default");
  await mkdir(folder, { recursive: true });
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  await writeFile(path.join(folder, "Preferences"), JSON.stringify(preferences));
}
