import type * as vscode from "vscode";
import { afterStart, register } from "../shared/registration.ts";

/** What is wrong with the patterns that exclude files. */
export function registerFiles(context: vscode.ExtensionContext): void {
  afterStart(context, async () => {
    const { FaultyExcludeNotices } = await import("./faultyExcludes.ts");
    register(context, new FaultyExcludeNotices());
  });
}
