import type * as vscode from "vscode";
import { afterStart, register } from "../shared/registration.ts";

/** Registers notices about unreadable exclude patterns. */
export function registerFiles(context: vscode.ExtensionContext): void {
  afterStart(context, async () => {
    const { FaultyExcludeNotices } = await import("./faultyExcludes.ts");
    register(context, new FaultyExcludeNotices());
  });
}
