import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import { provideBrowser } from "../support/browser.ts";
import { newestCodeServer } from "../support/codeServer.ts";
import { projectRoot } from "../support/paths.ts";

const run = promisify(execFile);
const peers = ["openai", "@anthropic-ai/sdk", "undici"];
const packageSchema = v.object({ version: v.string() });

/** Describes the hardware and versions that the figures depend on, in sentences. */
export async function machineFacts(): Promise<readonly string[]> {
  const processors = cpus();
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}, at ${await print("git", "describe", "--always", "--dirty")}.`,
    `${processors.length} processors (${processors[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 1e9)} GB of memory.`,
    `${type()} ${release()}, Node ${process.version}; ${(await Promise.all(peers.map(tellVersion))).join(", ")}.`,
    `The editor is VS Code ${newestCodeServer.editor} as code-server ${newestCodeServer.version} brings it, without a desktop or a graphics card, in ${await print(await provideBrowser(), "--version")}; its pages have processes of their own, as on a desktop.`,
  ];
}

async function tellVersion(name: string): Promise<string> {
  const text = await readFile(path.join(projectRoot, "node_modules", name, "package.json"), "utf8");
  return `${name} ${v.parse(packageSchema, JSON.parse(text)).version}`;
}

async function print(command: string, ...commandArguments: readonly string[]): Promise<string> {
  const { stdout } = await run(command, commandArguments, { cwd: projectRoot });
  return stdout.trim();
}
