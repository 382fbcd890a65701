/** What the package holds. Where a part of a bundle has a hash in its name stands a `*`; of chunks there are as many as the bundler makes. */
export const shippedFiles: readonly string[] = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/changelog.md",
  "extension/dist/THIRD-PARTY-NOTICES.txt",
  "extension/dist/documents.br",
  "extension/dist/host/chunk-*.cjs",
  "extension/dist/host/clientModules-*.cjs",
  "extension/dist/host/codeBlockActions-*.cjs",
  "extension/dist/host/connectionServices-*.cjs",
  "extension/dist/host/createTransport-*.cjs",
  "extension/dist/host/documentFiles-*.cjs",
  "extension/dist/host/editorChat-*.cjs",
  "extension/dist/host/examinations-*.cjs",
  "extension/dist/host/extension.cjs",
  "extension/dist/host/gathering-*.cjs",
  "extension/dist/host/historyActions-*.cjs",
  "extension/dist/host/llhttp-*.br",
  "extension/dist/host/loadChats-*.cjs",
  "extension/dist/host/openStore-*.cjs",
  "extension/dist/host/services-*.cjs",
  "extension/dist/host/watchers-*.cjs",
  "extension/dist/host/withoutPage-*.cjs",
  "extension/dist/webview/chat.css",
  "extension/dist/webview/chat.js",
  "extension/dist/webview/chunk.js",
  "extension/dist/webview/codeHighlighting.js",
  "extension/dist/webview/report.css",
  "extension/dist/webview/report.js",
  "extension/docs/images/chat.png",
  "extension/docs/images/check.png",
  "extension/docs/images/failure.png",
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

/** @throws where a name is not among those that are meant to ship, or one of these is missing */
export function requireShippedFiles(names: readonly string[]): void {
  const found = new Set(names.map(withoutHash));
  const meant = new Set(shippedFiles.map(withoutHash));
  const stray = [...found].filter((name) => !meant.has(name));
  if (stray.length > 0) throw new Error(`The package holds what is not meant to ship: ${stray.join(", ")}`);
  const missing = [...meant].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(", ")}`);
}

function withoutHash(name: string): string {
  return name.replace(/-[A-Z0-9]{8}(?=\.(?:c?js|br)$)/, "-*");
}
