import * as vscode from "vscode";
import type { PromptSubject } from "../../chat/prompts/promptTemplates.ts";
import { gatherUris } from "../attachments/uriContext.ts";
import { gatherDiff } from "../attachments/gitContext.ts";
import { attached, type Gathered, nothing, refused, together } from "../attachments/gathered.ts";
import { gatherProblemsAt } from "../attachments/problemsContext.ts";
import { gatherSelectionOf } from "../attachments/selectionContext.ts";
import { createTextAttachment } from "../attachments/textAttachment.ts";
import { nameOf } from "../files/workspacePaths.ts";

/** What a prompt of the extension is about, where nothing was attached. */
export async function gatherSubject(
  subject: PromptSubject,
  editor: vscode.TextEditor | undefined,
): Promise<Gathered> {
  if (subject === "changes") return gatherChanges();
  if (editor === undefined) {
    return refused(vscode.l10n.t("No file is open. Open the file that is meant, or attach it."));
  }
  const code = await gatherCode(editor);
  if (subject === "code" || code.attachments.length === 0) return code;
  return together([code, await gatherProblemsAt(editor)]);
}

/** What is selected; nothing where nothing is. */
export async function gatherSelected(editor: vscode.TextEditor | undefined): Promise<Gathered> {
  return editor === undefined || editor.selection.isEmpty ? nothing : gatherSelectionOf(editor);
}

async function gatherCode(editor: vscode.TextEditor): Promise<Gathered> {
  const selected = await gatherSelected(editor);
  if (!editor.selection.isEmpty) return selected;
  const { document } = editor;
  if (!document.isUntitled) return gatherUris([document.uri]);
  const text = document.getText();
  if (text.trim() === "") return refused(vscode.l10n.t("{0} is empty.", nameOf(document.uri)));
  const language = document.languageId;
  return attached(createTextAttachment({ kind: "file", name: nameOf(document.uri), text, language }));
}

/** The staged changes, else the unstaged ones. */
async function gatherChanges(): Promise<Gathered> {
  const staged = await gatherDiff("staged");
  if (staged.attachments.length > 0) return staged;
  const unstaged = await gatherDiff("unstaged");
  if (unstaged.attachments.length > 0) return unstaged;
  // One sentence for both, unless there was none to say.
  const refusals = new Set([...staged.refusals, ...unstaged.refusals]);
  return { attachments: [], refusals: [...refusals] };
}
