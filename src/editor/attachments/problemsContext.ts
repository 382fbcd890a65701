import * as vscode from "vscode";
import { Exclusions, isWithheld } from "../files/exclusions.ts";
import { attached, type Gathered, nothing, refused } from "./gathered.ts";
import { mayShow } from "./selectionContext.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { nameOf, placeOf, shownName, shownPath } from "../files/workspacePaths.ts";
import { fileOf, openNotebookOf } from "../shared/notebooks.ts";

const maxProblems = 500;

/** Gathers the Problems panel's entries for a file. For a cell, gathers those of its notebook. */
export async function gatherFileProblems(shown: vscode.Uri | undefined): Promise<Gathered> {
  if (shown === undefined)
    return refused(vscode.l10n.t("No file is open. Open the file whose problems you want to attach."));
  const uri = fileOf(shown);
  if (!(await mayShow(uri))) return nothing;
  return gatherProblems(problemsIn(uri), nameOf(uri), uri);
}

/**
 * Returns the problems in the selection, or in the whole file if nothing is selected. Empty if the file is excluded.
 */
export async function gatherProblemsAt({ document, selection }: vscode.TextEditor): Promise<Gathered> {
  const { uri } = document;
  const all = vscode.languages.getDiagnostics(uri);
  const meant = selection.isEmpty
    ? all
    : all.filter(({ range }) => range.intersection(selection) !== undefined);
  const exclusions = new Exclusions();
  const isExcluded =
    (await exclusions.isExcluded(uri, "chat.exclude")) ||
    (await exclusions.faultyPatternOf(uri, ["chat.exclude"])) !== undefined;
  return meant.length === 0 || isExcluded ? nothing : gatherProblems([[uri, meant]], shownName(uri), uri);
}

/** The Problems panel's entries for a file, or for each cell of an open notebook. */
export function problemsIn(
  uri: vscode.Uri,
): readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] {
  const cells = openNotebookOf(uri)?.getCells() ?? [];
  return [uri, ...cells.map(({ document }) => document.uri)].map((each) => [
    each,
    vscode.languages.getDiagnostics(each),
  ]);
}

/** Gathers the Problems panel's entries for all files of the workspace. */
export function gatherWorkspaceProblems(): Promise<Gathered> {
  return gatherProblems(vscode.languages.getDiagnostics(), vscode.l10n.t("workspace"));
}

async function gatherProblems(
  all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[],
  where: string,
  file?: vscode.Uri,
): Promise<Gathered> {
  const lines: string[] = [];
  const exclusions = new Exclusions();
  for (const [uri, diagnostics] of all) {
    if (diagnostics.length === 0 || lines.length > maxProblems) continue;
    if (file === undefined && (await isWithheld(uri, exclusions))) continue;
    lines.push(...[...diagnostics].sort(byLine).map((each) => problemLine(uri, each)));
  }
  if (lines.length === 0) return refused(vscode.l10n.t("No problems to attach ({0}).", where));
  const shown = lines.slice(0, maxProblems);
  if (lines.length > shown.length) shown.push("[more problems left out]");
  return attached(
    createTextAttachment({
      kind: "problems",
      name: vscode.l10n.t("Problems: {0}", where),
      text: `${shown.join("\n")}\n`,
      place: file === undefined ? undefined : placeOf(file),
      detail: lines.length === 1 ? vscode.l10n.t("1 problem") : vscode.l10n.t("{0} problems", lines.length),
    }),
  );
}

/** Formats a problem like a compiler: `src/a.ts:3:10 error typescript(2304): Cannot find name`. */
export function problemLine(uri: vscode.Uri, diagnostic: vscode.Diagnostic): string {
  const { range, severity, source, code, message } = diagnostic;
  const number = typeof code === "object" ? code.value : code;
  const origin = `${source ?? ""}${number === undefined ? "" : `(${number})`}`;
  const place = `${shownPath(uri)}:${range.start.line + 1}:${range.start.character + 1}`;
  const words = [place, severityWord(severity), origin].filter((word) => word !== "").join(" ");
  return `${words}: ${message.replaceAll(/\s+/g, (blank) => (blank.includes("\n") ? " " : blank))}`;
}

function severityWord(severity: vscode.DiagnosticSeverity): string {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return "error";
    case vscode.DiagnosticSeverity.Warning:
      return "warning";
    case vscode.DiagnosticSeverity.Information:
      return "information";
    case vscode.DiagnosticSeverity.Hint:
      return "hint";
  }
}

function byLine(left: vscode.Diagnostic, right: vscode.Diagnostic): number {
  return left.range.start.compareTo(right.range.start);
}
