import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ignore from "ignore";
import { projectRoot } from "../../support/paths.ts";

/**
 * Lists the repository's files, relative to its root, with `/`. Applies .gitignore itself, because a copy may lack Git.
 */
export function repositoryFiles(): readonly string[] {
  const rules = ignore().add(".git").add(readDocument(".gitignore"));
  const list = (folder: string): readonly string[] =>
    readdirSync(path.join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (rules.ignores(entry.isDirectory() ? `${name}/` : name)) return [];
      return entry.isDirectory() ? list(name) : [name];
    });
  return list("").toSorted();
}

export function readDocument(name: string): string {
  return readFileSync(path.join(projectRoot, name), "utf8");
}

/**
 * Returns the rows of the Markdown table whose first header cell is `head`, as trimmed cells.
 * @throws Error if no table has this header
 */
export function tableRows(text: string, head: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => cellsOf(line)[0] === head);
  if (first === -1) throw new Error(`No table has the header ${head}.`);
  const rows = lines.slice(first + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Texts in backticks. */
export function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}
