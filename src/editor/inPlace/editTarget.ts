import * as vscode from "vscode";
import { mapLines, findChanges } from "../../text/lineChanges.ts";
import { shownName } from "../files/workspacePaths.ts";
import { findCell } from "../shared/notebooks.ts";
import { isOverWithin } from "../shared/abort.ts";
import { textOf } from "../edits/proposal.ts";

/** Whole lines of a document to change. */
export interface EditTarget {
  readonly document: vscode.TextDocument;
  /** The text of the document when the target was found. */
  readonly text: string;
  /** Zero-based lines in `text`; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Name for the user, such as `average`, `lines 3-6 of summary.ts`, `summary.ts`, or `plot.ipynb, cell 2`. */
  readonly name: string;
}

/** Maximum lines of a file to edit as a whole, if there is no selection and no symbol. */
const maxLines = 400;
/** Timeout in milliseconds for the symbols of a document: the language's extension may still be starting. */
const symbolsTimeoutMs = 10_000;

/**
 * Finds the lines to change: the lines of the range, unless the range is empty. For an empty range, finds the innermost
 * function, class, or similar symbol around it. Without such a symbol, takes the whole file, or only the line if the
 * file is long. If `around` is given, also looks for the symbol around a range that is not empty.
 * A cell of a notebook counts as one symbol, unless it is long.
 */
export async function findTarget(
  document: vscode.TextDocument,
  range: vscode.Range,
  around?: "around",
): Promise<EditTarget> {
  const text = textOf(document);
  if (!range.isEmpty && around === undefined) return linesTarget(document, range);
  const isCell = findCell(document.uri) !== undefined && document.lineCount <= maxLines;
  const symbol = isCell ? undefined : await symbolAround(document, range);
  if (symbol !== undefined) return { ...linesTarget(document, symbol.range), text, name: symbol.name };
  return document.lineCount <= maxLines ? wholeFile(document) : { ...linesTarget(document, range), text };
}

/** Returns the lines of the target in the current document, including edits made in these lines. */
export function targetNow(target: EditTarget): EditTarget {
  const text = textOf(target.document);
  return { ...target, ...mapLines(target, findChanges(target.text, text)), text };
}

function linesTarget(document: vscode.TextDocument, { start, end }: vscode.Range): EditTarget {
  // A selection that ends at the start of a line does not include that line.
  const endsBefore = end.character === 0 && end.line > start.line;
  const behind = end.line + (endsBefore ? 0 : 1);
  const file = shownName(document.uri);
  const name =
    behind - start.line === 1
      ? vscode.l10n.t("line {0} of {1}", start.line + 1, file)
      : vscode.l10n.t("lines {0}-{1} of {2}", start.line + 1, behind, file);
  return { document, text: textOf(document), start: start.line, end: behind, name };
}

export function wholeFile(document: vscode.TextDocument): EditTarget {
  // The empty text after the last line break is not a line.
  const last = document.lineAt(document.lineCount - 1);
  const end = document.lineCount > 1 && last.text === "" ? document.lineCount - 1 : document.lineCount;
  return { document, text: textOf(document), start: 0, end, name: shownName(document.uri) };
}

/** Resolves to undefined if the language's extension finds no symbol or times out. */
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

/** Symbols with a body. Other symbols, such as variables, count only if they span several lines. */
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
