import * as vscode from "vscode";
import { compileFaultyGlob } from "../../chat/globPattern.ts";
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
  // One that cannot be read would make all of them unreadable.
  const whole = patterns.filter((pattern) => compileFaultyGlob(pattern) === undefined);
  return whole.length === 0 ? undefined : `{${whole.join(",")}}`;
}
