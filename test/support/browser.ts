import { chromium } from "playwright-core";
import { ensureDebianPackages } from "./debianPackages.ts";
import { findExecutable, isExecutable } from "./executables.ts";
import { SetupProblem } from "./setupProblem.ts";

/** Flags that let Chromium run in containers, without network requests of its own. */
export const chromiumFlags: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The first is Chromium without a window, which needs half of the processor time. */
const programNames = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const applicationPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns the absolute path of a Chromium. If none is found, installs Debian's if allowed. Throws a `SetupProblem`
 * otherwise.
 */
export async function provideBrowser(): Promise<string> {
  const found = findBrowser();
  if (found !== undefined) return found;
  await ensureDebianPackages(
    [{ name: "chromium-headless-shell", isPresent: () => findBrowser() !== undefined }],
    "A browser for the tests in the editor (or CHROMIUM=<path of one>)",
  );
  const installed = findBrowser();
  if (installed === undefined) throw new SetupProblem("Install Chromium, or set CHROMIUM to its path.");
  return installed;
}

function findBrowser(): string | undefined {
  const chosen = process.env["CHROMIUM"];
  if (chosen !== undefined && chosen !== "") {
    if (isExecutable(chosen)) return chosen;
    throw new SetupProblem(`CHROMIUM is set to ${chosen}, which is not a program.`);
  }
  return (
    findExecutable(...programNames) ?? [...applicationPaths, chromium.executablePath()].find(isExecutable)
  );
}
