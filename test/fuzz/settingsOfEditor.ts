import { registerHooks } from "node:module";
import type * as networkSettings from "../../src/editor/service/networkSettings.ts";
import type * as settings from "../../src/editor/workspace/settings.ts";

type Settings = typeof settings & typeof networkSettings;

/* Replaces the part of `vscode` that the settings readers use. */
let value: unknown;

/** Sets the value of every setting in every scope. */
export function setEverySetting(next: unknown): void {
  value = next;
}

interface Inspected {
  readonly globalValue: unknown;
  readonly workspaceValue: unknown;
  readonly workspaceFolderValue: unknown;
}

/** @public read as a part of `vscode` */
export const workspace = {
  getConfiguration: () => ({
    get: (): unknown => value,
    inspect: (): Inspected => ({
      globalValue: value,
      workspaceValue: value,
      workspaceFolderValue: value,
    }),
  }),
};

/** @public read as a part of `vscode` */
export const l10n = { t: (text: string): string => text };

let loaded: Promise<Settings> | undefined;

/** Imports the settings readers, with this module in place of `vscode`. */
export function loadSettings(): Promise<Settings> {
  return (loaded ??= loadOverThis());
}

async function loadOverThis(): Promise<Settings> {
  const { url } = import.meta;
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === "vscode" ? { url, shortCircuit: true } : next(name, context)),
  });
  try {
    return {
      ...(await import("../../src/editor/workspace/settings.ts")),
      ...(await import("../../src/editor/service/networkSettings.ts")),
    };
  } finally {
    hooks.deregister();
  }
}
