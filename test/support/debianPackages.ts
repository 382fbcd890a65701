import { mkdir } from "node:fs/promises";
import path from "node:path";
import { findExecutable } from "./executables.ts";
import { withLockFile } from "./lockFile.ts";
import { cacheFolder } from "./paths.ts";
import { requireCommand } from "./runCommand.ts";
import { SetupProblem } from "./setupProblem.ts";

export interface DebianPackage {
  readonly name: string;
  /** Whether the machine has the contents of the package, from any source. */
  readonly isPresent: () => boolean;
}

/**
 * Installs missing packages with apt-get if this process runs as root. Otherwise throws a `SetupProblem` that names
 * the packages.
 */
export async function ensureDebianPackages(
  packages: readonly DebianPackage[],
  purpose: string,
): Promise<void> {
  const missing = (): string[] => packages.filter((each) => !each.isPresent()).map((each) => each.name);
  if (missing().length === 0) return;
  const aptGet = findExecutable("apt-get");
  if (aptGet === undefined || process.getuid?.() !== 0) {
    throw new SetupProblem(`${purpose} needs: sudo apt-get install ${missing().join(" ")}`);
  }
  await mkdir(cacheFolder(), { recursive: true });
  // Two stages may need packages at the same time, but apt-get can't run twice at once.
  await withLockFile(path.join(cacheFolder(), "apt-get.lock"), async () => {
    const names = missing();
    if (names.length === 0) return;
    console.log(`Installing ${names.join(" ")} by apt-get: ${purpose} needs it...`);
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await requireCommand(aptGet, ["update", "-q"], { environment });
    await requireCommand(aptGet, ["install", "-q", "-y", "--no-install-recommends", ...names], {
      environment,
    });
  });
}
