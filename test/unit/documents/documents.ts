import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ignore from "ignore";
import { projectRoot } from "../../support/paths.ts";

/** Paths of the files of the repository, from its root, with `/`; by its own rules, since a copy may have no git. */
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

/** The rows of a Markdown table whose head begins so; each a list of trimmed cells. */
export function tableRows(text: string, head: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => cellsOf(line)[0] === head);
  if (first === -1) throw new Error(`There is no table with the head ${head}.`);
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

/** What stands in backticks. */
export function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}
