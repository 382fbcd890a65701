import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { InPlaceActions, Subject } from "./inPlaceActions.ts";
import { resolveEditor } from "./resolveEditor.ts";
import { isWritable, type LastTextEditor } from "../shared/lastTextEditor.ts";
import { showInformation } from "../shared/notices.ts";
import type { CommandTable } from "../shared/registration.ts";

type Act = (actions: InPlaceActions, subject: Subject) => Promise<void>;

/** The commands of the lightbulb and of the menus of the editor and the terminal. */
export function inPlaceCommands(
  load: () => Promise<InPlaceActions>,
  lastTextEditor: LastTextEditor,
): CommandTable<"inPlace"> {
  const onCode =
    (act: Act, mayBe = (_uri: vscode.Uri): boolean => true) =>
    async (uri: unknown, range: unknown): Promise<void> => {
      const subject = await readSubject(uri, range, lastTextEditor);
      if (subject !== undefined && mayBe(subject.document.uri)) await act(await load(), subject);
      // Shown also for documents that can't be changed, such as the old side of a diff.
      else void showInformation(vscode.l10n.t("Open the file first, and then run this command again."));
    };
  return {
    [commandIds.editSelection]: onCode((actions, subject) => actions.edit(subject), isWritable),
    [commandIds.completeHere]: async () => (await load()).completions.complete(),
    [commandIds.stopCompletion]: async () => (await load()).completions.stop(),
    [commandIds.fix]: onCode((actions, subject) => actions.fix(subject), isWritable),
    [commandIds.generateDocs]: onCode((actions, subject) => actions.document(subject), isWritable),
    [commandIds.review]: onCode((actions, subject) => actions.review(subject)),
    [commandIds.explain]: onCode((actions, subject) => actions.ask("explain", subject)),
    [commandIds.generateTests]: onCode((actions, subject) => actions.ask("tests", subject)),
    [commandIds.explainTerminalSelection]: async () => (await load()).explainTerminalSelection(),
    [commandIds.resolveReviewComment]: async (thread) => {
      const { threads } = await load();
      const found = threads?.find(thread);
      if (found !== undefined) threads?.resolve(found);
    },
    [commandIds.dismissReviewComment]: async (thread) => {
      const { threads } = await load();
      const found = threads?.find(thread);
      if (found !== undefined) threads?.dismiss(found);
    },
    [commandIds.dismissReview]: async () => (await load()).threads?.dismissAll(),
  };
}

/** A code action passes a URI and a range, a menu passes a URI, and the Command Palette passes nothing. */
async function readSubject(
  uri: unknown,
  range: unknown,
  lastTextEditor: LastTextEditor,
): Promise<Subject | undefined> {
  if (uri instanceof vscode.Uri && range instanceof vscode.Range) {
    return { document: await vscode.workspace.openTextDocument(uri), range };
  }
  const editor = resolveEditor(uri instanceof vscode.Uri ? uri : undefined, {
    active: vscode.window.activeTextEditor,
    visible: vscode.window.visibleTextEditors,
    last: lastTextEditor.current,
  });
  if (editor !== undefined) return { document: editor.document, range: editor.selection };
  // The text of a rendered Markdown cell has no editor.
  const document = lastTextEditor.cell?.document;
  return document && { document, range: new vscode.Range(0, 0, 0, 0) };
}
