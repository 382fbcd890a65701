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

/** A release of the npm package whose VS Code is used where the desktop one cannot be had. */
export interface CodeServerRelease {
  readonly version: string;
  /** Of the VS Code inside. */
  readonly editor: string;
  /** The Node that its native parts are built for, where it is not the one that runs this. */
  readonly node?: string;
  /**
   * Parts of VS Code, with the versions that take their place, which the package would have from elsewhere than
   * the npm registry: where that can be reached nothing else has to be.
   */
  readonly replaced?: Readonly<Record<string, string>>;
}

export const newestCodeServer: CodeServerRelease = { version: "4.139.1", editor: "1.139.1" };

/** That of the floor, `engines.vscode` in package.json. */
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

/** Installs code-server into the cache unless that was done before; its editor refuses proposed API. */
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

/** Into a folder of its own that gets its name only when whole, so that a broken install is never taken. */
async function installCodeServer(release: CodeServerRelease, editors: string, folder: string): Promise<void> {
  await ensureDebianPackages(buildTools, "Building the editor's native parts");
  console.log(`Installing the editor (code-server ${release.version}) into ${folder}: about two minutes...`);
  const temporary = await mkdtemp(path.join(editors, "installing-"));
  try {
    await installPackages(release, temporary);
    await rename(temporary, folder).catch((error: unknown) => {
      // Another run may have been first after all; what it has installed is as good.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function installPackages(release: CodeServerRelease, folder: string): Promise<void> {
  // The platform's Node comes along with its headers, for which the native parts are then built. It comes first:
  // the scripts of the editor's package are to be run by it.
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

/** In what VS Code's own package.json and its lock file ask for, before npm reads them. */
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

/** What an npm says of itself to those it runs; its Node is not the one that installs here. */
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
    // Older releases want to be told, where root installs, what npm has done by itself since its version 7.
    npm_config_unsafe_perm: "true",
  };
}

function nodePackage(): string {
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${process.platform}-${process.arch}`;
}
