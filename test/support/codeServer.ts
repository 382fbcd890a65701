import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { ensureDebianPackages, type DebianPackage } from "./debianPackages.ts";
import { findExecutable } from "./executables.ts";
import { withLockFile } from "./lockFile.ts";
import { cacheFolder } from "./paths.ts";
import { provideRefusingEditor } from "./refusingEditor.ts";
import { runCommand } from "./runCommand.ts";
import { SetupProblem } from "./setupProblem.ts";

/** A release of the npm package code-server, which contains VS Code as a server. */
export interface CodeServerRelease {
  readonly version: string;
  /** Version of the VS Code inside. */
  readonly editor: string;
  /** Version of the Node that the native parts are built for; absent for the version of this process. */
  readonly node?: string;
  /**
   * Parts of VS Code that the package would not load from the npm registry, with the versions that replace them.
   * The npm registry is then the only host that an installation needs.
   */
  readonly replaced?: Readonly<Record<string, string>>;
}

export const newestCodeServer: CodeServerRelease = { version: "4.139.1", editor: "1.139.1" };

/** The release of the oldest supported VS Code, `engines.vscode` in package.json. */
export const floorCodeServer: CodeServerRelease = {
  version: "4.105.1",
  editor: "1.105.1",
  node: "22.23.3",
  replaced: { "@parcel/watcher": "2.5.1", "@vscode/ripgrep": "1.18.0" },
};

/** VS Code as a server, and the Node that its native parts were built for. */
export interface CodeServer {
  readonly node: string;
  /** VS Code's own server. */
  readonly serverMain: string;
  /** code-server's entry in front of the server. It also preserves the secrets of the page over reloads. */
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

/**
 * Installs code-server into the cache unless it is there. The returned editor refuses proposed API. Throws a
 * `SetupProblem` if it can't install.
 */
export async function provideCodeServer(release = newestCodeServer): Promise<CodeServer> {
  const editors = path.join(cacheFolder(), "editors");
  const folder = path.join(editors, `code-server-${release.version}`);
  if (!existsSync(folder)) {
    if (process.platform === "win32") {
      throw new SetupProblem("Set VSCODE_EXECUTABLE_PATH to Code.exe: code-server does not run on Windows.");
    }
    await mkdir(editors, { recursive: true });
    await withLockFile(`${folder}.lock`, async () => {
      if (!existsSync(folder)) await installCodeServer(release, editors, folder);
    });
  }
  const packageFolder = path.join(folder, "node_modules", "code-server");
  const root = await provideRefusingEditor(path.join(packageFolder, "lib", "vscode"));
  return {
    node: path.join(folder, "node_modules", nodePackage(), "bin", "node"),
    serverMain: path.join(root, "out", "server-main.js"),
    entry: path.join(packageFolder, "out", "node", "entry.js"),
  };
}

/** Installs into a temporary folder, and renames the folder when complete: a broken install is never used. */
async function installCodeServer(release: CodeServerRelease, editors: string, folder: string): Promise<void> {
  await ensureDebianPackages(buildTools, "Building the editor's native parts");
  console.log(`Installing the editor (code-server ${release.version}) into ${folder}: about two minutes...`);
  const temporary = await mkdtemp(path.join(editors, "installing-"));
  try {
    await installPackages(release, temporary);
    await rename(temporary, folder).catch((error: unknown) => {
      // Another run may have installed the release first; its install is as good.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function installPackages(release: CodeServerRelease, folder: string): Promise<void> {
  // The platform's Node package has the headers that the native parts need. It comes first, because it must run the
  // scripts of the editor's package.
  const node = { [nodePackage()]: release.node ?? process.versions.node };
  await writeManifest(folder, node);
  await runNpm(folder, "install");
  await writeManifest(folder, { ...node, "code-server": release.version });
  if (release.replaced === undefined) return runNpm(folder, "install");
  await runNpm(folder, "install", "--ignore-scripts");
  await replaceParts(path.join(folder, "node_modules", "code-server", "lib", "vscode"), release.replaced);
  return runNpm(folder, "rebuild", "code-server", "argon2");
}

async function writeManifest(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  const manifest = { private: true, dependencies, allowScripts: { "code-server": true, argon2: true } };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
}

async function runNpm(folder: string, ...command: readonly string[]): Promise<void> {
  const code = await runCommand("npm", [...command, "--no-audit", "--no-fund", "--loglevel=error"], {
    folder,
    environment: npmEnvironment(folder),
  });
  if (code !== 0) throw new SetupProblem(`npm could not install code-server (exit code ${code}).`);
}

const manifestSchema = v.looseObject({ dependencies: v.record(v.string(), v.unknown()) });
const lockSchema = v.looseObject({ packages: v.looseObject({ "": manifestSchema }) });

/** Changes VS Code's package.json and its lock file before npm reads them. */
async function replaceParts(folder: string, replaced: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(replaced).map((name) => `node_modules/${name}`);
  const manifestFile = path.join(folder, "package.json");
  const lockFile = path.join(folder, "npm-shrinkwrap.json");
  const manifest = v.parse(manifestSchema, JSON.parse(await readFile(manifestFile, "utf8")));
  Object.assign(manifest.dependencies, replaced);
  await writeFile(manifestFile, JSON.stringify(manifest));
  const lock = v.parse(lockSchema, JSON.parse(await readFile(lockFile, "utf8")));
  Object.assign(lock.packages[""].dependencies, replaced);
  const kept = Object.entries(lock.packages).filter(
    ([key]) => !names.some((name) => key === name || key.startsWith(`${name}/`)),
  );
  await writeFile(lockFile, JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }));
}

/**
 * Variables that npm sets for its child processes: they describe the outer Node, which is not the Node used here.
 */
const ofOuterNpm = new Set(["npm_config_user_agent", "npm_node_execpath", "NODE"]);

function npmEnvironment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !ofOuterNpm.has(name));
  const nodeFolder = path.join(folder, "node_modules", nodePackage());
  return {
    ...Object.fromEntries(own),
    PATH: [path.join(nodeFolder, "bin"), path.dirname(process.execPath), process.env["PATH"]].join(
      path.delimiter,
    ),
    npm_config_nodedir: nodeFolder,
    // Compiles the native parts on all processors; node-gyp uses one by default.
    npm_config_jobs: "max",
    // Older releases need this to install as root; npm does it by itself since version 7.
    npm_config_unsafe_perm: "true",
  };
}

function nodePackage(): string {
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${process.platform}-${process.arch}`;
}
