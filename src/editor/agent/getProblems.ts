import * as vscode from "vscode";
import { problemLine, problemsIn } from "../attachments/problemsContext.ts";
import { Exclusions, isWithheld } from "../files/exclusions.ts";
import { defineTool, done } from "./agentTool.ts";
import { findPlace, placeName, requireExisting, requireReadable } from "./toolPlaces.ts";

const maxInFile = 50;
const maxInAll = 500;

export const getProblemsTool = defineTool({
  name: "get_problems",
  description:
    "Returns the errors and warnings that VS Code shows for files of the workspace, errors first, at most 50 a file.",
  parameters: {
    paths: {
      type: "strings",
      description: "Paths of files, relative to the workspace. Default: all files.",
      isOptional: true,
      aliases: ["path", "filePaths", "files"],
    },
  },
  run: async ({ paths = [] }, run) => {
    const asked = await Promise.all(paths.map(findPlace));
    for (const uri of asked) {
      await requireReadable(uri, run);
      await requireExisting(uri);
    }
    const all = asked.length > 0 ? asked.flatMap(problemsIn) : await readableProblems();
    const lines = all.flatMap(([uri, problems]) => problemLines(uri, problems));
    if (lines.length === 0) return done("VS Code shows no problems.", { count: 0 });
    const isCut = lines.length > maxInAll;
    const note = isCut ? ["(More problems are not shown. Name files.)"] : [];
    return done([...lines.slice(0, maxInAll), ...note].join("\n"), {
      count: Math.min(lines.length, maxInAll),
      isCut,
    });
  },
});

async function readableProblems(): Promise<readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[]> {
  const exclusions = new Exclusions();
  const all = vscode.languages.getDiagnostics().filter(([, problems]) => problems.length > 0);
  const areWithheld = await Promise.all(all.map(([uri]) => isWithheld(uri, exclusions)));
  return all.filter((_, index) => areWithheld[index] === false);
}

function problemLines(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): readonly string[] {
  const sorted = problems.toSorted(
    (one, other) => one.severity - other.severity || one.range.start.compareTo(other.range.start),
  );
  const lines = sorted.slice(0, maxInFile).map((each) => problemLine(uri, each));
  const left = sorted.length - lines.length;
  return left === 0 ? lines : [...lines, `(${left} more problems in ${placeName(uri)} are not shown.)`];
}
