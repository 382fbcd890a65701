import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import * as v from "valibot";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";

const toldSchema = v.variant("what", [
  v.object({ what: v.literal("asked"), text: v.string() }),
  /** `at` is in milliseconds, from the `performance.now()` of the process. */
  v.object({ what: v.literal("text"), text: v.string(), at: v.number() }),
  v.object({ what: v.literal("ended"), text: v.string(), state: v.string() }),
]);

/** The line that the process prints for an event after the chat's page has received the event. */
export type Told = v.InferOutput<typeof toldSchema>;

export interface KilledChatOptions {
  /** Path of the bundle that `bundleChat` wrote. */
  readonly program: string;
  readonly folder: string;
  readonly id: string;
  readonly origin: string;
  readonly key: string;
  readonly style: ClientStyle;
  /** Unique among all processes. */
  readonly name: string;
  /** Whether the process has printed enough for the kill. */
  readonly isDue: (told: readonly Told[]) => boolean;
  /** Milliseconds from `isDue` to the kill. */
  readonly delay: number;
}

/**
 * Bundles `streamingChat.ts` into one file and resolves with the path of that file. Each kill needs a new process, and
 * a bundle starts faster than separate modules.
 */
export async function bundleChat(folder: string): Promise<string> {
  const program = path.join(folder, "streamingChat.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "streamingChat.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return program;
}

/**
 * Runs a chat in its own process, kills the process, and resolves with the printed events. Rejects if the process exits
 * by itself.
 */
export async function killChat(options: KilledChatOptions): Promise<readonly Told[]> {
  const { program, folder, id, origin, key, style, name, isDue, delay } = options;
  const child = spawn(process.execPath, [program, folder, id, origin, style, name], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, INFERENCE_FAULTS_KEY: key },
  });
  const closed = once(child, "close");
  const told: Told[] = [];
  const lines = createInterface({ input: child.stdout });
  let isEnding = false;
  for await (const line of lines) {
    // The kill may have cut the last line.
    if (line.endsWith("}")) told.push(v.parse(toldSchema, JSON.parse(line)));
    if (isEnding || !isDue(told)) continue;
    isEnding = true;
    setTimeout(() => child.kill("SIGKILL"), delay);
  }
  await closed;
  if (child.signalCode !== "SIGKILL")
    throw new Error(`The chat process exited by itself with code ${child.exitCode}`);
  return told;
}
