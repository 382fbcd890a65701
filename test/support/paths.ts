import { homedir } from "node:os";
import path from "node:path";

/** Absolute path of the project. */
export const projectRoot = path.resolve(import.meta.dirname, "../..");

/** Git-ignored folder for bundles, packages and screenshots of test runs. */
export const outputFolder = path.join(projectRoot, ".test-output");

export const screenshotFolder = path.join(outputFolder, "screenshots");

/** Folder outside the project for tools that are installed on demand and reused by later runs. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment["INFERENCE_CHAT_TEST_CACHE"];
  if (chosen !== undefined && chosen !== "") return path.resolve(chosen);
  const cacheHome = environment["XDG_CACHE_HOME"] || path.join(homedir(), ".cache");
  return path.join(cacheHome, "inference-chat");
}

/** Recorded files that tests read. */
export const fixtureFolder = path.join(projectRoot, "test", "fixtures");

/** A few small files to open in an editor. Tests copy the folder and write only to the copy. */
export const sampleWorkspace = path.join(import.meta.dirname, "sample-workspace");
