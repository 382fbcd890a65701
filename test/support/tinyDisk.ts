import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runCommand } from "./runCommand.ts";

export const canMountDisk = process.platform === "linux" && process.geteuid?.() === 0;
export const whyNoDisk = "only Linux's administrator can make a small disk";

/** A separate disk, mounted at a folder. The disk hides the previous contents of the folder until it is disposed. */
export interface TinyDisk extends AsyncDisposable {
  /** Uses up all space on the disk. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** `ro` makes the disk read-only; fails while files are open for writing. */
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
      // Files on the disk may still be open.
      await runCommand("umount", ["--lazy", folder]);
    },
  };
}
