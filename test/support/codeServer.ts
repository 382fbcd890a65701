import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureDebianPackages, type DebianPackage } from "./debianPackages.ts";
import { findExecutable } from "./executables.ts";
import { withLockFile } from "./lockFile.ts";
import { cacheFolder } from "./paths.ts";
import { runCommand } from "./runCommand.ts";
import { SetupProblem } from "./setupProblem.ts";

/** The npm package whose VS Code is used where the desktop one cannot be had; 4.139.1 carries 1.139.1. */
const codeServerVersion = "4.139.1";

/** VS Code as a server, and the Node that its native parts were built for. */
export interface CodeServer {
  readonly node: string;
  /** VS Code's own server. */
  readonly serverMain: string;
  /** code-server's entry in front of it, which also keeps the secrets of the page between reloads. */
  readonly entry: string;
}

const buildTools: readonly DebianPackage[] = [
  {
    name: "libkrb5-dev",
    isPresent: () => ["/usr/include", "/usr/local/include"].some((folder) => existsSync(`${folder}/gssapi`)),
  },
  { name: "make", isPresent: () => findExecutable("make") !== undefined },
  { name: "g++", isPresent: () => findExecutable("g++", "clang++") !== undefined },
  { name: "python3", isPresent: () => findExecutable("python3") !== undefined },
];

/** Installs code-server into the cache unless that was done before. */
export async function provideCodeServer(): Promise<CodeServer> {
  const editors = path.join(cacheFolder(), "editors");
  const folder = path.join(editors, `code-server-${codeServerVersion}`);
  if (!existsSync(folder)) {
    if (process.platform === "win32") {
      throw new SetupProblem("Set VSCODE_EXECUTABLE_PATH to Code.exe: code-server does not run on Windows.");
    }
    await mkdir(editors, { recursive: true });
    await withLockFile(`${folder}.lock`, async () => {
      if (!existsSync(folder)) await installCodeServer(editors, folder);
    });
  }
  const packageFolder = path.join(folder, "node_modules", "code-server");
  return {
    node: path.join(folder, "node_modules", nodePackage(), "bin", "node"),
    serverMain: path.join(packageFolder, "lib", "vscode", "out", "server-main.js"),
    entry: path.join(packageFolder, "out", "node", "entry.js"),
  };
}

/** Into a folder of its own that gets its name only when whole, so that a broken install is never taken. */
async function installCodeServer(editors: string, folder: string): Promise<void> {
  await ensureDebianPackages(buildTools, "Building the editor's native parts");
  console.log(
    `Installing the editor (code-server ${codeServerVersion}) into ${folder}: about two minutes...`,
  );
  const temporary = await mkdtemp(path.join(editors, "installing-"));
  try {
    await writeFile(path.join(temporary, "package.json"), JSON.stringify(manifest()));
    const code = await runCommand("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
      folder: temporary,
      environment: npmEnvironment(temporary),
    });
    if (code !== 0) throw new SetupProblem(`npm could not install code-server (exit code ${code}).`);
    await rename(temporary, folder).catch((error: unknown) => {
      // Another run may have been first after all; what it has installed is as good.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The platform's Node comes along with its headers, for which the native parts are then built. */
function manifest() {
  return {
    private: true,
    dependencies: { "code-server": codeServerVersion, [nodePackage()]: process.versions.node },
    allowScripts: { "code-server": true, argon2: true },
  };
}

/** What an npm says of itself to those it runs; its Node is not the one that installs here. */
const ofOuterNpm = new Set(["npm_config_user_agent", "npm_node_execpath", "NODE"]);

function npmEnvironment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !ofOuterNpm.has(name));
  return {
    ...Object.fromEntries(own),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
    npm_config_nodedir: path.join(folder, "node_modules", nodePackage()),
  };
}

function nodePackage(): string {
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${process.platform}-${process.arch}`;
}
