import { findExecutable } from "./executables.ts";
import { requireCommand } from "./runCommand.ts";
import { SetupProblem } from "./setupProblem.ts";

export interface DebianPackage {
  readonly name: string;
  /** Whether the machine has what the package brings, from whatever source. */
  readonly isPresent: () => boolean;
}

/**
 * Installs what is missing by apt-get where that is allowed.
 * Elsewhere throws a `SetupProblem` that names what to install.
 */
export async function ensureDebianPackages(
  packages: readonly DebianPackage[],
  purpose: string,
): Promise<void> {
  const missing = packages.filter((each) => !each.isPresent()).map((each) => each.name);
  if (missing.length === 0) return;
  const aptGet = findExecutable("apt-get");
  if (aptGet === undefined || process.getuid?.() !== 0) {
    throw new SetupProblem(`${purpose} needs: sudo apt-get install ${missing.join(" ")}`);
  }
  console.log(`Installing ${missing.join(" ")} by apt-get: ${purpose} needs it...`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await requireCommand(aptGet, ["update", "-q"], { environment });
  await requireCommand(aptGet, ["install", "-q", "-y", "--no-install-recommends", ...missing], {
    environment,
  });
}
