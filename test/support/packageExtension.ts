import { mkdir } from "node:fs/promises";
import path from "node:path";
import { requireGoodPackage } from "./packageSize.ts";
import { outputFolder, projectRoot } from "./paths.ts";
import { requireCommand } from "./runCommand.ts";

/** A test extension that runs beside ours in the host, as any other extension would. */
export const companionExtension = path.join(projectRoot, "test", "host", "companion");

/** A test extension that opens the chat and a file of the sample workspace. */
export const sampleOpener = path.join(projectRoot, "test", "support", "sampleOpener");

export const packagedExtension = path.join(outputFolder, "inference-chat.vsix");

/**
 * Builds and packages the extension, and checks the size and files of the package. Returns the path of the
 * package.
 */
export async function packageExtension(): Promise<string> {
  await mkdir(outputFolder, { recursive: true });
  await requireCommand("npm", ["run", "--silent", "package", "--", "--out", packagedExtension], {
    folder: projectRoot,
  });
  await requireGoodPackage(packagedExtension);
  return packagedExtension;
}

/** Packages a test extension without a build. Returns the path of the package. */
export async function packageFolder(folder: string): Promise<string> {
  await mkdir(outputFolder, { recursive: true });
  const packageFile = path.join(outputFolder, `${path.basename(folder)}.vsix`);
  const flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license"];
  const vsce = path.join(projectRoot, "node_modules", "@vscode", "vsce", "vsce");
  await requireCommand(process.execPath, [vsce, "package", ...flags, "--out", packageFile], { folder });
  return packageFile;
}
