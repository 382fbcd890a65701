import { extensionsVariable } from "../support/endToEnd.ts";
import { installPackagedExtension } from "../support/installedExtension.ts";

/** Installs the packaged extension for the editors of this process, unless the run of the tests has installed it. */
export async function provideInstalledExtension(owned: AsyncDisposableStack): Promise<void> {
  if (process.env[extensionsVariable] !== undefined) return;
  const { extensions } = owned.use(await installPackagedExtension());
  process.env[extensionsVariable] = extensions;
  owned.defer(() => void delete process.env[extensionsVariable]);
}
