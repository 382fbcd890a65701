import type { BuildOptions } from "esbuild";
import { silentDiagnostics } from "./silentDiagnostics.ts";

const shared = {
  bundle: true,
  legalComments: "none",
  // ES modules, so that lazy imports become separate chunks, which are read only when needed.
  format: "esm",
  splitting: true,
  chunkNames: "[name]-[hash]",
} as const satisfies BuildOptions;

/** The extension host's code. */
export const hostBundle: BuildOptions = {
  ...shared,
  plugins: [silentDiagnostics],
  entryPoints: { extension: "src/extension.ts" },
  outdir: "dist/host",
  outExtension: { ".js": ".cjs" },
  platform: "node",
  target: "node22",
  external: ["vscode"],
};

/** The pages and their style sheets. The code that colors code blocks is loaded only if there are code blocks. */
export const pageBundle: BuildOptions = {
  ...shared,
  // The pages share one chunk. `editor/page/pageDocument` loads it by its name, so the name contains no hash.
  chunkNames: "[name]",
  entryPoints: [
    { in: "src/webview/page/main.tsx", out: "chat" },
    { in: "src/webview/styles/chat.css", out: "chat" },
    { in: "src/webview/report/main.tsx", out: "report" },
    { in: "src/webview/styles/report.css", out: "report" },
  ],
  outdir: "dist/webview",
  platform: "browser",
  target: "es2023",
  tsconfig: "src/webview/tsconfig.json",
};
