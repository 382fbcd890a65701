import * as vscode from "vscode";
import { compileFaultyGlob } from "../../files/globPattern.ts";
import { wholeStart } from "../../text/cutText.ts";
import { settingKeys, settingSection } from "../../contributions.ts";
import { showWarning } from "../shared/notices.ts";
import { readExcludePatterns, readHiddenPatterns } from "../workspace/settings.ts";

/** Maximum number of characters of a quoted pattern. */
const maxQuoteLength = 80;

/** Reports each unreadable exclude pattern once. */
export class FaultyExcludeNotices implements vscode.Disposable {
  readonly #show: typeof showFaultyPattern;
  readonly #shown = new Set<string>();
  readonly #watching = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(chatExclude) || change.affectsConfiguration(filesExclude))
      this.#showAll();
  });

  constructor(show = showFaultyPattern) {
    this.#show = show;
    this.#showAll();
  }

  dispose(): void {
    this.#watching.dispose();
  }

  #showAll(): void {
    for (const folder of [undefined, ...(vscode.workspace.workspaceFolders ?? [])]) {
      this.#showOf(chatExclude, readExcludePatterns(folder?.uri));
      this.#showOf(filesExclude, readHiddenPatterns(folder?.uri));
    }
  }

  #showOf(setting: string, patterns: readonly string[]): void {
    for (const pattern of patterns) {
      const key = `${setting} ${pattern}`;
      if (this.#shown.has(key) || compileFaultyGlob(pattern) === undefined) continue;
      this.#shown.add(key);
      void this.#show(setting, pattern);
    }
  }
}

const chatExclude = `${settingSection}.${settingKeys.chatExclude}`;
const filesExclude = "files.exclude";

/** Tells the user that a pattern excludes nothing, and offers to open its setting. */
export async function showFaultyPattern(setting: string, pattern: string): Promise<void> {
  const open = vscode.l10n.t("Open Settings");
  const chosen = await showWarning(
    vscode.l10n.t(
      "The pattern '{0}' in {1} can't be read, so it excludes no files. Inference Chat asks you before it attaches a file that might match the pattern.",
      quotePattern(pattern),
      setting,
    ),
    open,
  );
  if (chosen === open)
    await vscode.commands.executeCommand("workbench.action.openSettings", `@id:${setting}`);
}

export function quotePattern(pattern: string): string {
  return pattern.length > maxQuoteLength ? `${wholeStart(pattern, maxQuoteLength)}…` : pattern;
}
