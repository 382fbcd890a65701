import { causes } from "../../src/client/failure/cause.ts";

/** Names of the files in the package. `*-*` stands for all chunks of the host's code that the bundler makes. */
export const shippedFiles: readonly string[] = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/changelog.md",
  "extension/dist/THIRD-PARTY-NOTICES.txt",
  "extension/dist/host/*-*.cjs",
  "extension/dist/host/extension.cjs",
  "extension/dist/webview/chat.css",
  "extension/dist/webview/chat.js",
  "extension/dist/webview/chunk.js",
  "extension/dist/webview/codeHighlighting.js",
  "extension/dist/webview/formulaRendering.js",
  "extension/dist/webview/report.css",
  "extension/dist/webview/report.js",
  ...causes.map((cause) => `extension/docs/causes/${cause}.md`),
  "extension/docs/connections.md",
  "extension/docs/images/chat.png",
  "extension/docs/images/check.png",
  "extension/docs/images/failure.png",
  "extension/docs/network.md",
  "extension/docs/remote.md",
  "extension/docs/requests.md",
  "extension/l10n/bundle.l10n.de.json",
  "extension/l10n/bundle.l10n.es.json",
  "extension/l10n/bundle.l10n.fr.json",
  "extension/l10n/bundle.l10n.ja.json",
  "extension/l10n/bundle.l10n.ko.json",
  "extension/l10n/bundle.l10n.pt-br.json",
  "extension/l10n/bundle.l10n.zh-cn.json",
  "extension/media/icon.png",
  "extension/media/icon.svg",
  "extension/media/start-chat.svg",
  "extension/media/start-check.svg",
  "extension/media/start-connection.svg",
  "extension/media/start-key.svg",
  "extension/package.json",
  "extension/package.nls.de.json",
  "extension/package.nls.es.json",
  "extension/package.nls.fr.json",
  "extension/package.nls.ja.json",
  "extension/package.nls.ko.json",
  "extension/package.nls.pt-br.json",
  "extension/package.nls.zh-cn.json",
  "extension/package.nls.json",
  "extension/readme.md",
];

/** @throws Error if a name is not in `shippedFiles`, or if a name of `shippedFiles` is missing */
export function requireShippedFiles(names: readonly string[]): void {
  const found = new Set(names.filter((name) => !name.endsWith("/")).map(withoutChunkName));
  const meant = new Set(shippedFiles);
  const stray = [...found].filter((name) => !meant.has(name));
  if (stray.length > 0) throw new Error(`The package has unexpected files: ${stray.join(", ")}`);
  const missing = [...meant].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(", ")}`);
}

function withoutChunkName(name: string): string {
  return name.replace(/(?<=\/host\/)\w+-[A-Z0-9]{8}(?=\.cjs$)/, "*-*");
}
