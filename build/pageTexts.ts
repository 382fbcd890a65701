import path from "node:path";
import { build, type Plugin } from "esbuild";

/** What of a page stands in its HTML itself (`editor/chat/pageFrame`), below `src/webview`. */
export const frameFiles = ["frame.ts", "styles/frame.css"] as const;

interface PageText {
  /** Bundled and made small. */
  readonly text: string;
  /** Absolute paths of what it was made of. */
  readonly sources: readonly string[];
}

/** @param file below `src/webview` of the project's folder */
export async function readPageText(folder: string, file: string): Promise<PageText> {
  const pages = path.join(folder, "src", "webview");
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [path.join(pages, file)],
    bundle: true,
    format: "iife",
    target: "es2023",
    tsconfig: path.join(pages, "tsconfig.json"),
    minify: true,
    write: false,
    metafile: true,
  });
  return {
    text: outputFiles.map(({ text }) => text.trim()).join(""),
    sources: Object.keys(metafile.inputs).map((input) => path.join(folder, input)),
  };
}

/** Lets the host import such a text: `page:frame.ts` is what `src/webview/frame.ts` becomes. */
export const pageTexts: Plugin = {
  name: "page-texts",
  setup(bundle) {
    const folder = bundle.initialOptions.absWorkingDir ?? process.cwd();
    bundle.onResolve({ filter: /^page:/ }, (asked) => ({
      path: asked.path.replace("page:", ""),
      namespace: "page-text",
    }));
    bundle.onLoad({ filter: /./, namespace: "page-text" }, async (asked) => {
      const { text, sources } = await readPageText(folder, asked.path);
      return { contents: text, loader: "text", watchFiles: [...sources] };
    });
  },
};
