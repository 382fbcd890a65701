import { extensionsVariable } from "../support/endToEnd.ts";
import { installPackagedExtension } from "../support/installedExtension.ts";

/** Has the packaged extension installed for the editors of this process, as the end-to-end tests do before they begin. */
export async function provideInstalledExtension(owned: AsyncDisposableStack): Promise<void> {
  if (process.env[extensionsVariable] !== undefined) return;
  const { extensions } = owned.use(await installPackagedExtension());
  process.env[extensionsVariable] = extensions;
  owned.defer(() => void delete process.env[extensionsVariable]);
}
