import { rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { findFiles } from "./findFiles.ts";
import { outputFolder, projectRoot } from "./paths.ts";

export interface HostBundle {
  /** The module that the editor runs. */
  readonly entry: string;
  readonly testFiles: readonly string[];
}

/**
 * Bundles the tests of a glob for the extension host. Each test file is a bundle, so that all share one Mocha with
 * the host.
 */
export async function bundleHostTests(pattern: string): Promise<HostBundle> {
  const folder = path.join(outputFolder, "host");
  await rm(folder, { recursive: true, force: true });
  const tests = await findFiles(pattern);
  await build({
    absWorkingDir: projectRoot,
    entryPoints: ["test/host/index.ts", ...tests],
    outbase: "test/host",
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    define: { "import.meta.dirname": "__dirname" },
    logLevel: "warning",
  });
  const inFolder = (source: string) =>
    path.join(folder, path.relative("test/host", source).replace(/\.ts$/, ".cjs"));
  return { entry: inFolder("test/host/index.ts"), testFiles: tests.map(inFolder) };
}
