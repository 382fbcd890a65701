import type { BuildOptions } from "esbuild";
import { silentDiagnostics } from "./silentDiagnostics.ts";

const shared = {
  bundle: true,
  legalComments: "none",
  // ES modules, so that what is imported lazily lands in chunks of its own that nothing reads before.
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

/** The pages and their style sheets; what colours code is read when there is code to colour. */
export const pageBundle: BuildOptions = {
  ...shared,
  // What the pages share is one file, whose name the page's head can say (`editor/page/pageDocument`).
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
