import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "./runCommand.ts";

export const canMountDisk = process.platform === "linux" && process.geteuid?.() === 0;
export const whyNoDisk = "only Linux's administrator can make a small disk";

/** A disk of its own at a folder: what stood there is hidden until it is disposed. */
export interface TinyDisk extends AsyncDisposable {
  /** Leaves no room on it. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** `ro`: nothing can be written any more; fails while files are open for writing. */
  remount(mode: "ro" | "rw"): Promise<void>;
}

/** @param size in bytes */
export async function mountTinyDisk(folder: string, size: number): Promise<TinyDisk> {
  await runCommand("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  const filler = path.join(folder, "filler");
  return {
    async fill() {
      for (let bytes = size; bytes >= 1; bytes = Math.floor(bytes / 2)) {
        await writeFile(filler, Buffer.alloc(bytes), { flag: "a" }).catch((error: unknown) => {
          if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
        });
      }
    },
    makeRoom: () => rm(filler),
    async remount(mode) {
      await runCommand("mount", ["-o", `remount,${mode}`, folder]);
    },
    async [Symbol.asyncDispose]() {
      // Files of it may still be open.
      await runCommand("umount", ["--lazy", folder]);
    },
  };
}
