import * as vscode from "vscode";
import { commandIds, productName, proposalScheme } from "../../contributions.ts";
import type { ChatServices } from "../chat/chatTarget.ts";
import type { LoadedChats } from "../chat/chats.ts";
import type { CodeBlockActions } from "../edits/codeBlockActions.ts";
import type { ChatView } from "../page/chatView.ts";
import { isWritable, type LastTextEditor } from "../shared/lastTextEditor.ts";
import { lazy } from "../shared/lazy.ts";
import type { State } from "../workspace/state.ts";
import { type Loading, register, registerCommands } from "../shared/registration.ts";

export interface InPlaceNeeds extends ChatServices {
  readonly loadChats: () => Promise<LoadedChats>;
  readonly view: ChatView;
  readonly lastTextEditor: LastTextEditor;
  readonly loadCodeActions: () => Promise<Pick<CodeBlockActions, "proposals">>;
}

/** Registers the actions on code for the lightbulb and for the menus of the editor and the terminal. */
export function registerInPlace(
  context: vscode.ExtensionContext,
  { load, workspaceState }: Loading<InPlaceNeeds> & { readonly workspaceState: State },
): void {
  const loadActions = lazy(async () => {
    const { InPlaceActions } = await import("./inPlaceActions.ts");
    return register(context, new InPlaceActions({ ...(await load()), state: workspaceState }));
  });
  registerCommands(context, "inPlace", async () => {
    const { inPlaceCommands } = await import("./inPlaceCommands.ts");
    return inPlaceCommands(loadActions, (await load()).lastTextEditor);
  });
  const { QuickFix, Refactor, RefactorRewrite } = vscode.CodeActionKind;
  const providedCodeActionKinds = [QuickFix, RefactorRewrite, Refactor];
  register(
    context,
    vscode.languages.registerCodeActionsProvider(
      { pattern: "**" },
      { provideCodeActions },
      { providedCodeActionKinds },
    ),
  );
}

/** Only offers actions. Loads and sends nothing until the user chooses one. */
function provideCodeActions(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  { diagnostics, triggerKind, only }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  if (uri.scheme === proposalScheme || !isWritable(uri)) return [];
  const { t } = vscode.l10n;
  const { QuickFix, Refactor, RefactorRewrite } = vscode.CodeActionKind;
  const action = (title: string, kind: vscode.CodeActionKind, command: string, at: vscode.Range) => {
    const offered = new vscode.CodeAction(t("{0} · billable request", `${productName}: ${title}`), kind);
    offered.command = { title, command, arguments: [uri, at] };
    return offered;
  };
  const fixes = diagnostics
    .filter(({ source }) => source !== productName)
    .slice(0, 1)
    .map((diagnostic) => {
      const fix = action(t("Fix Problems"), QuickFix, commandIds.fix, diagnostic.range);
      fix.diagnostics = [...diagnostics];
      return fix;
    });
  // Without a selection, offer these only if the user opens the menu: otherwise every line would show a lightbulb.
  const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke || !range.isEmpty;
  const others = isAsked
    ? [
        action(t("Edit Selection..."), RefactorRewrite, commandIds.editSelection, range),
        action(t("Generate Documentation"), RefactorRewrite, commandIds.generateDocs, range),
        action(t("Explain Code"), Refactor, commandIds.explain, range),
        action(t("Generate Tests"), Refactor, commandIds.generateTests, range),
        action(t("Review Code"), Refactor, commandIds.review, range),
      ]
    : [];
  const all = [...fixes, ...others];
  return only === undefined ? all : all.filter(({ kind }) => kind !== undefined && only.contains(kind));
}
