import * as vscode from "vscode";
import { mapLines, findChanges } from "../../text/lineChanges.ts";
import { nameOf } from "../files/workspacePaths.ts";
import { isOverWithin } from "../shared/abort.ts";
import { textOf } from "../edits/proposal.ts";

/** Whole lines of a document that are to be changed. */
export interface EditTarget {
  readonly document: vscode.TextDocument;
  /** What the document was then. */
  readonly text: string;
  /** Lines from 0 of that text; `end` is behind the last. */
  readonly start: number;
  readonly end: number;
  /** As a person would call it: `average`, `lines 3-6 of summary.ts`, `summary.ts`. */
  readonly name: string;
}

/** A file of so many lines is edited as a whole where nothing smaller is meant. */
const maxLines = 400;
/** Milliseconds that the names of functions and classes may take: a language's extension may only just begin. */
const symbolsTimeoutMs = 10_000;

/**
 * The lines of a range; where it is empty the innermost function, class or the like around it; else the
 * file; of a long file the line. With `around` a range stands for what is around it as well.
 */
export async function findTarget(
  document: vscode.TextDocument,
  range: vscode.Range,
  around?: "around",
): Promise<EditTarget> {
  const text = textOf(document);
  if (!range.isEmpty && around === undefined) return linesTarget(document, range);
  const symbol = await symbolAround(document, range);
  if (symbol !== undefined) return { ...linesTarget(document, symbol.range), text, name: symbol.name };
  return document.lineCount <= maxLines ? wholeFile(document) : { ...linesTarget(document, range), text };
}

/** The same lines where they stand now, with all that was changed in them. */
export function targetNow(target: EditTarget): EditTarget {
  const text = textOf(target.document);
  return { ...target, ...mapLines(target, findChanges(target.text, text)), text };
}

function linesTarget(document: vscode.TextDocument, { start, end }: vscode.Range): EditTarget {
  // A selection that ends before a line's first character does not reach into that line.
  const endsBefore = end.character === 0 && end.line > start.line;
  const behind = end.line + (endsBefore ? 0 : 1);
  const file = nameOf(document.uri);
  const name =
    behind - start.line === 1
      ? vscode.l10n.t("line {0} of {1}", start.line + 1, file)
      : vscode.l10n.t("lines {0}-{1} of {2}", start.line + 1, behind, file);
  return { document, text: textOf(document), start: start.line, end: behind, name };
}

export function wholeFile(document: vscode.TextDocument): EditTarget {
  // What stands behind the last line break is no line.
  const last = document.lineAt(document.lineCount - 1);
  const end = document.lineCount > 1 && last.text === "" ? document.lineCount - 1 : document.lineCount;
  return { document, text: textOf(document), start: 0, end, name: nameOf(document.uri) };
}

/** None where the language's extension does not tell in time. */
async function symbolAround(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.DocumentSymbol | undefined> {
  const asked = Promise.resolve(
    vscode.commands.executeCommand<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      "vscode.executeDocumentSymbolProvider",
      uri,
    ),
  ).catch(() => undefined);
  const found = (await isOverWithin(asked, symbolsTimeoutMs)) ? await asked : undefined;
  const symbols = (found ?? []).filter((symbol) => "children" in symbol);
  return innermost(symbols, range);
}

/** Things with a body, and no single variable or property. */
const kinds: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Struct,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Module,
]);

function innermost(
  symbols: readonly vscode.DocumentSymbol[],
  range: vscode.Range,
): vscode.DocumentSymbol | undefined {
  for (const symbol of symbols) {
    const lines = new vscode.Range(symbol.range.start.line, 0, symbol.range.end.line + 1, 0);
    if (!lines.contains(range)) continue;
    const inner = innermost(symbol.children, range);
    const isWorth = kinds.has(symbol.kind) || symbol.range.end.line > symbol.range.start.line;
    return inner ?? (isWorth ? symbol : undefined);
  }
  return undefined;
}
