import * as vscode from "vscode";
import { proposalIn } from "../../src/editor/edits/proposalView.ts";
import { untilFound } from "./untilFound.ts";

/** URIs of the proposals whose diffs are open. */
export function shownProposals(): readonly vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap((tab) => proposalIn(tab) ?? []);
}

/** Resolves with the text of an open proposal when it matches. */
export async function proposedText(words: RegExp): Promise<string> {
  const find = (): string | undefined => {
    const shown = new Set(shownProposals().map(String));
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => shown.has(uri.toString()));
    return documents.map((document) => document.getText()).find((text) => words.test(text));
  };
  const { onDidChangeTextDocument, onDidOpenTextDocument } = vscode.workspace;
  const { onDidChangeTabs } = vscode.window.tabGroups;
  return untilFound(find, onDidChangeTextDocument, onDidOpenTextDocument, onDidChangeTabs);
}

/** Resolves when a diff shows the document beside its proposal. */
export async function proposalBeside(document: vscode.TextDocument): Promise<void> {
  const areShown = (): boolean => {
    const shown = new Set(vscode.window.visibleTextEditors.map((each) => each.document.uri.toString()));
    return [document.uri, ...shownProposals()].every((uri) => shown.has(uri.toString()));
  };
  await untilFound(
    () => (shownProposals().length > 0 && areShown()) || undefined,
    vscode.window.onDidChangeVisibleTextEditors,
  );
}

/** Resolves when no diff of a proposal is open. */
export async function proposalsClosed(): Promise<void> {
  const { onDidChangeTabs } = vscode.window.tabGroups;
  await untilFound(() => shownProposals().length === 0 || undefined, onDidChangeTabs);
}
