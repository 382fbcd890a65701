import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { projectRoot } from "../paths.ts";

/** Environment variable with the folder for coverage files. They have the same format as Node's. */
export const coverageVariable = "INFERENCE_COVERAGE";

export function coverageFolder(): string | undefined {
  return process.env[coverageVariable];
}

/**
 * Records which code of the pages runs. Dispose the result before closing the page.
 * @param origin the origin of the page's files, which come from `dist/webview`
 */
export async function startPageCoverage(page: Page, origin: string): Promise<AsyncDisposable> {
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  return {
    [Symbol.asyncDispose]: async () => {
      const scripts = await page.coverage.stopJSCoverage();
      const result = scripts
        .filter(({ url }) => url.startsWith(`${origin}/`))
        .map(({ url, functions }) => {
          const file = path.join(projectRoot, "dist", "webview", new URL(url).pathname);
          return { scriptId: "0", url: pathToFileURL(file).href, functions };
        });
      await writeFile(
        path.join(coverageFolder() ?? "", `page-${randomUUID()}.json`),
        JSON.stringify({ result }),
      );
    },
  };
}
