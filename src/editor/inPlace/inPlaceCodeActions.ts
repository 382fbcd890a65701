import * as vscode from "vscode";
import { commandIds, displayCategory, proposalScheme } from "../../contributions.ts";
import { isWritable } from "../shared/lastTextEditor.ts";

/** Offers what can be done with code in the lightbulb's menu. Nothing is loaded or sent by that. */
export function registerInPlaceCodeActions(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = { provideCodeActions };
  const providedCodeActionKinds = [
    vscode.CodeActionKind.QuickFix,
    vscode.CodeActionKind.RefactorRewrite,
    vscode.CodeActionKind.Refactor,
  ];
  return vscode.languages.registerCodeActionsProvider({ pattern: "**" }, provider, {
    providedCodeActionKinds,
  });
}

function provideCodeActions(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  { diagnostics, triggerKind, only }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  if (uri.scheme === proposalScheme || !isWritable(uri)) return [];
  const { t } = vscode.l10n;
  const { QuickFix, Refactor, RefactorRewrite } = vscode.CodeActionKind;
  const action = (title: string, kind: vscode.CodeActionKind, command: string, at: vscode.Range) => {
    const offered = new vscode.CodeAction(t("{0} · billable request", `${displayCategory}: ${title}`), kind);
    offered.command = { title, command, arguments: [uri, at] };
    return offered;
  };
  const fixes = diagnostics
    .filter(({ source }) => source !== displayCategory)
    .slice(0, 1)
    .map((diagnostic) => {
      const fix = action(t("Fix"), QuickFix, commandIds.fix, diagnostic.range);
      fix.diagnostics = [...diagnostics];
      return fix;
    });
  // No bulb on every line: without a selection only who opens the menu is offered more.
  const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke || !range.isEmpty;
  const others = isAsked
    ? [
        action(t("Edit Selection..."), RefactorRewrite, commandIds.editSelection, range),
        action(t("Generate Documentation"), RefactorRewrite, commandIds.generateDocs, range),
        action(t("Explain"), Refactor, commandIds.explain, range),
        action(t("Generate Tests"), Refactor, commandIds.generateTests, range),
        action(t("Review"), Refactor, commandIds.review, range),
      ]
    : [];
  const all = [...fixes, ...others];
  return only === undefined ? all : all.filter(({ kind }) => kind !== undefined && only.contains(kind));
}
