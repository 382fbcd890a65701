// Runs on Node 20 with nothing installed: installs the dependencies, then runs the TypeScript entry under the
// project's own Node 24.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const nodeFolder = path.join(projectRoot, "node_modules", "node", "bin");
const nodeExecutable = path.join(nodeFolder, process.platform === "win32" ? "node.exe" : "node");
const parentCheckInterval = 1000;
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Installs the dependencies if they are missing or older than the lock file. */
function installDependencies() {
  if (dependenciesAreCurrent()) return;
  console.log("Installing the project's dependencies (npm ci)...");
  const installed = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (installed.status === 0 && existsSync(nodeExecutable)) return;
  console.error("npm ci did not succeed: see its message above, then run the same command again.");
  process.exit(1);
}

/**
 * Runs a TypeScript entry of this folder under Node 24, with that Node first on the PATH. Exits with the exit code of
 * the entry. Forwards stop signals to the entry; the entry then ends everything that it started.
 */
export function runEntry(/** @type {string} */ entry) {
  installDependencies();
  const child = spawn(
    nodeExecutable,
    [fileURLToPath(new URL(entry, import.meta.url)), ...process.argv.slice(2)],
    {
      stdio: "inherit",
      env: { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env.PATH ?? ""}` },
    },
  );
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  stopWhenAbandoned(() => child.kill("SIGTERM"));
  child.on("error", (error) => {
    console.error(`${nodeExecutable} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}

/** Calls `stop` when npm has ended, because npm does not forward signals. The parent of this process then changes. */
function stopWhenAbandoned(/** @type {() => void} */ stop) {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const check = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  };
  const timer = setInterval(check, parentCheckInterval);
  timer.unref();
}

function dependenciesAreCurrent() {
  const stamp = path.join(projectRoot, "node_modules", ".package-lock.json");
  const lockFile = path.join(projectRoot, "package-lock.json");
  if (!existsSync(stamp) || !existsSync(nodeExecutable)) return false;
  return statSync(stamp).mtimeMs >= statSync(lockFile).mtimeMs;
}
