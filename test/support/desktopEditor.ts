import { download } from "@vscode/test-electron";
import path from "node:path";
import { findExecutable, isExecutable } from "./executables.ts";
import { cacheFolder } from "./paths.ts";
import { SetupProblem } from "./setupProblem.ts";

/**
 * A release such as 1.105.0, or `stable`. By default the release of the server that replaces the desktop editor.
 */
const desktopVersion = process.env["VSCODE_VERSION"] || "1.139.1";
const downloadHost = "https://update.code.visualstudio.com/api/releases/stable";
const probeLimit = 3_000;

/**
 * Returns the desktop editor's executable; undefined if it can't be downloaded or can't show a window here. Throws
 * a `SetupProblem` if VSCODE_EXECUTABLE_PATH is wrong.
 */
export async function findDesktopEditor(): Promise<string | undefined> {
  const chosen = process.env["VSCODE_EXECUTABLE_PATH"];
  if (chosen !== undefined && chosen !== "") {
    if (isExecutable(chosen)) return chosen;
    throw new SetupProblem(`VSCODE_EXECUTABLE_PATH is set to ${chosen}, which is not a program.`);
  }
  if (!canShowWindows() || !(await downloadAnswers())) return undefined;
  console.log(`Downloading VS Code ${desktopVersion} unless that was done before...`);
  return download({
    version: desktopVersion,
    cachePath: path.join(cacheFolder(), "editors", "vscode-desktop"),
  });
}

/** Returns the `code` or `codium` command on the PATH; undefined if there is none, or no window can be shown. */
export function findInstalledCode(): string | undefined {
  return canShowWindows() ? findExecutable("code", "codium") : undefined;
}

function canShowWindows(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
}

async function downloadAnswers(): Promise<boolean> {
  try {
    const answer = await fetch(downloadHost, { method: "HEAD", signal: AbortSignal.timeout(probeLimit) });
    return answer.ok;
  } catch {
    return false;
  }
}
