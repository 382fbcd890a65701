import * as vscode from "vscode";
import { attached, type Gathered, nothing } from "./gathered.ts";
import { pickWhileTyping } from "./pickWhileTyping.ts";
import { mayShow, rangeAttachment } from "./selectionContext.ts";
import { shownPath } from "../files/workspacePaths.ts";

const maxSymbols = 200;

interface FoundSymbol {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Lets the user select a symbol of the editor's file or, once a name is typed, of the workspace. */
export async function gatherSymbol(editor: vscode.TextEditor | undefined): Promise<Gathered> {
  // Show the list at once. A language server that is still starting can take many seconds to answer.
  const loading = editor === undefined ? [] : symbolsOf(editor.document.uri);
  const chosen = await pickWhileTyping<FoundSymbol>({
    title: vscode.l10n.t("Attach a Symbol"),
    placeholder: vscode.l10n.t("Type the name of a symbol"),
    find: async (typed) => {
      const lower = typed.toLowerCase();
      const [own, ofWorkspace] = await Promise.all([loading, typed === "" ? [] : symbolsOfWorkspace(typed)]);
      const matching = own.filter(({ name }) => name.toLowerCase().includes(lower));
      return [...matching, ...ofWorkspace]
        .slice(0, maxSymbols)
        .map((value) => ({ label: value.name, description: shownPath(value.uri), value }));
    },
  });
  if (chosen === undefined || !(await mayShow(chosen.uri))) return nothing;
  const document = await vscode.workspace.openTextDocument(chosen.uri);
  const range = await wholeRange(chosen);
  return attached(rangeAttachment(document, range, "symbol", chosen.name));
}

async function symbolsOf(uri: vscode.Uri): Promise<readonly FoundSymbol[]> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >("vscode.executeDocumentSymbolProvider", uri);
  const flatten = (symbol: vscode.DocumentSymbol | vscode.SymbolInformation): readonly FoundSymbol[] =>
    "children" in symbol
      ? [{ name: symbol.name, uri, range: symbol.range }, ...symbol.children.flatMap(flatten)]
      : [{ name: symbol.name, uri, range: symbol.location.range }];
  return (found ?? []).flatMap(flatten);
}

async function symbolsOfWorkspace(typed: string): Promise<readonly FoundSymbol[]> {
  const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    typed,
  );
  return (found ?? [])
    .slice(0, maxSymbols)
    .map(({ name, location }) => ({ name, uri: location.uri, range: location.range }));
}

/** A workspace symbol's range can cover its name only. Get the whole range from its document. */
async function wholeRange({ name, uri, range }: FoundSymbol): Promise<vscode.Range> {
  const ofDocument = await symbolsOf(uri);
  const whole = ofDocument
    .map((symbol) => (symbol.name === name && symbol.range.contains(range) ? symbol.range : undefined))
    .find((each) => each !== undefined);
  return whole ?? range;
}
