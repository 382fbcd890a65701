import { build, type BuildOptions, type BuildResult, type Metafile, type OutputFile } from "esbuild";
import { hostBundle, pageBundle } from "./bundles.ts";
import { withCommonJs } from "./commonJs.ts";
import { joinChunks } from "./joinedChunks.ts";

/** What ships of the code, in memory. */
export interface Built {
  readonly files: readonly OutputFile[];
  /** Which source files went into the host's code and into the pages. */
  readonly sources: readonly [host: Metafile, page: Metafile];
  /** Of the files as they ship, which need which. */
  readonly host: Metafile;
  readonly page: Metafile;
}

/** Builds the host's code and the pages as they ship. */
export async function buildAll(folder: string): Promise<Built> {
  const split = (options: BuildOptions): Promise<BuildResult<{ metafile: true; write: false }>> =>
    build({
      ...options,
      absWorkingDir: folder,
      minify: true,
      metafile: true,
      write: false,
      logLevel: "warning",
    });
  const [host, page] = await Promise.all([split(hostBundle), split(pageBundle)]);
  const joined = await joinChunks(host, {
    modules: [
      "src/extension.ts",
      "src/services.ts",
      "src/editor/chat/openStore.ts",
      "src/editor/chat/historyActions.ts",
    ],
    common: "src/services.ts",
  });
  const scripts = withCommonJs(joined);
  return {
    files: [...scripts.outputFiles, ...page.outputFiles],
    sources: [host.metafile, page.metafile],
    host: scripts.metafile,
    page: page.metafile,
  };
}
