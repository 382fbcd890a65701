import { randomBytes } from "node:crypto";
import { escapeHtml } from "../../text/escapes.ts";

export interface PageDocument {
  /** Language tag, such as `de`. */
  readonly language: string;
  readonly title: string;
  /** The source for VS Code's own resources in a content security policy. */
  readonly source: string;
  /** File names in `dist/webview`: the page's module, its style sheets, and scripts that the module will load. */
  readonly script: string;
  readonly styles: readonly string[];
  readonly preloaded?: readonly string[];
  /** Whether the page shows fonts and images of the extension. */
  readonly media?: boolean;
  /** CSS class of the body. */
  readonly bodyClass?: string;
}

/**
 * Returns the HTML of a page, whose module renders the content. Scripts run only with the nonce.
 * @param addressOf returns the URL of a file in `dist/webview`
 */
export function pageDocument(page: PageDocument, addressOf: (name: string) => string): string {
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${page.source}`,
    ...(page.media === true ? [`font-src ${page.source}`, `img-src ${page.source} data:`] : []),
  ].join("; ");
  const preloads = (page.preloaded ?? []).map(
    (name) => `<link rel="modulepreload" nonce="${nonce}" href="${addressOf(name)}">`,
  );
  const styles = page.styles.map((name) => `<link rel="stylesheet" href="${addressOf(name)}">`);
  return `<!DOCTYPE html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${preloads.join("\n")}
<script nonce="${nonce}" type="module" src="${addressOf(page.script)}"></script>
${styles.join("\n")}
<title>${escapeHtml(page.title)}</title>
</head>
<body class="${page.bodyClass ?? ""}">
<div id="root"></div>
</body>
</html>`;
}

/** The parts of the chat page. */
export const chatPageParts = {
  script: "chat.js",
  styles: ["chat.css"],
  preloaded: ["chunk.js"],
  media: true,
} as const;
