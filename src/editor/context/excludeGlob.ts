import * as vscode from "vscode";
import { readExcludePatterns } from "../settings.ts";

/**
 * What the editor's own search leaves out and what is kept out of the chat, for `findFiles`; that heeds
 * `files.exclude` by itself. Undefined where it is nothing.
 */
export function excludeGlob(): string | undefined {
  const search = vscode.workspace.getConfiguration("search").get<unknown>("exclude");
  const patterns = [
    ...(typeof search === "object" && search !== null ? Object.entries(search) : []).flatMap(
      ([pattern, on]) => (on === true ? [pattern] : []),
    ),
    ...readExcludePatterns(undefined),
  ];
  return patterns.length === 0 ? undefined : `{${patterns.join(",")}}`;
}
