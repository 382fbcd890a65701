import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import * as v from "valibot";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";

const toldSchema = v.variant("what", [
  v.object({ what: v.literal("asked"), text: v.string() }),
  /** `at` is in milliseconds, by the clock of the process. */
  v.object({ what: v.literal("text"), text: v.string(), at: v.number() }),
  v.object({ what: v.literal("ended"), text: v.string(), state: v.string() }),
]);

/** What a chat's page was told, as the process that is killed prints it. */
export type Told = v.InferOutput<typeof toldSchema>;

export interface KilledChatOptions {
  /** As `bundleChat` made it. */
  readonly program: string;
  readonly folder: string;
  readonly id: string;
  readonly origin: string;
  readonly key: string;
  readonly style: ClientStyle;
  /** Unlike that of any other process. */
  readonly name: string;
  /** Whether what was told is enough. */
  readonly isDue: (told: readonly Told[]) => boolean;
  /** Milliseconds from then until the kill. */
  readonly delay: number;
}

/** The program that is killed, as one file: to read its parts one by one takes longer than to kill it. */
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

/** Lets a chat ask and be answered in a process of its own, and kills that; what its page was told. */
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
    // The last line may be torn like anything else.
    if (line.endsWith("}")) told.push(v.parse(toldSchema, JSON.parse(line)));
    if (isEnding || !isDue(told)) continue;
    isEnding = true;
    setTimeout(() => child.kill("SIGKILL"), delay);
  }
  await closed;
  if (child.signalCode !== "SIGKILL") throw new Error(`The chat ended by itself: ${child.exitCode}`);
  return told;
}
