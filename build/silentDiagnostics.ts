import { createRequire } from "node:module";
import type { Plugin } from "esbuild";

const require = createRequire(import.meta.url);

/**
 * Replaces undici's diagnostics channels with silent ones. Otherwise, any extension in the same host could read the
 * headers of each request, including the key.
 */
export const silentDiagnostics: Plugin = {
  name: "silent-diagnostics",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]core[\\/]diagnostics\.js$/ }, ({ path }) => {
      const { channels }: Readonly<Record<string, object>> = require(path);
      const names = JSON.stringify(Object.keys(channels ?? {}));
      return {
        contents: `
          const silent = { hasSubscribers: false, publish() {} };
          exports.channels = Object.fromEntries(${names}.map((name) => [name, silent]));
        `,
      };
    });
  },
};
