import * as vscode from "vscode";
import { readCodeBlocks } from "../chat/answerFiles.ts";
import { indentCode } from "../chat/indentation.ts";
import type { CodeActionId, CodeBlockText } from "../chat/panelProtocol.ts";
import { namedFiles } from "../chat/namedFiles.ts";
import { runInTerminal } from "./codeTerminal.ts";
import { editorLanguage } from "./editorLanguage.ts";
import type { LastTextEditor } from "./lastTextEditor.ts";
import { showInformation } from "./notices.ts";
import { askActing } from "./proposals/askActing.ts";
import { Proposals } from "./proposals/proposals.ts";
import { reviewFiles } from "./proposals/reviewFiles.ts";
import { findWorkspaceFile, isActing, isInWorkspace, placesToCreate } from "./workspaceFiles.ts";

/** What the buttons on a code block do. Nothing is run, and no file is written, by itself. */
export class CodeBlockActions implements vscode.Disposable {
  readonly proposals: Proposals;
  readonly #lastEditor: LastTextEditor;

  constructor(lastEditor: LastTextEditor) {
    this.#lastEditor = lastEditor;
    this.proposals = new Proposals(lastEditor);
  }

  async run(action: CodeActionId, block: CodeBlockText): Promise<void> {
    switch (action) {
      case "insert":
        return this.#insert(block.text);
      case "apply":
        return this.proposals.propose(block);
      case "save":
        return openAsNewFile(block);
      case "run":
        return runInTerminal(block);
    }
  }

  /** Reviews what an answer has for several files. */
  async applyAnswer(answer: string): Promise<void> {
    await reviewFiles(readCodeBlocks(answer), this.proposals);
  }

  dispose(): void {
    this.proposals.dispose();
  }

  async #insert(text: string): Promise<void> {
    const editor = this.#lastEditor.current;
    if (editor === undefined) {
      tell(vscode.l10n.t("Open the file that the code should go into, then insert it again."));
      return;
    }
    const { document } = editor;
    if ((await isActing(document.uri)) && !(await askActing(document.uri))) return;
    const { selections } = editor;
    const isDone = await editor.edit((edit) => {
      for (const selection of selections) {
        const { start } = selection;
        const ahead = document.lineAt(start.line).text.slice(0, start.character);
        edit.replace(selection, indentCode(text, ahead));
      }
    });
    if (!isDone) {
      tell(vscode.l10n.t("The code could not be inserted: this editor cannot be written to."));
      return;
    }
    await vscode.window.showTextDocument(document, editor.viewColumn);
  }
}

/** An untitled document: where it goes is the user's to say, when it is saved. */
async function openAsNewFile(block: CodeBlockText): Promise<void> {
  const [name] = namedFiles(block);
  const place = name === undefined ? undefined : placesToCreate(name)[0];
  const isFree = name !== undefined && (await findWorkspaceFile(name)) === undefined;
  if (place !== undefined && isFree && (await isInWorkspace(place)) && !(await isActing(place))) {
    const document = await vscode.workspace.openTextDocument(place.with({ scheme: "untitled" }));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), block.text);
    if (document.getText() === "") await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document);
    return;
  }
  const language = await editorLanguage(block.language);
  const document = await vscode.workspace.openTextDocument({
    content: block.text,
    ...(language && { language }),
  });
  await vscode.window.showTextDocument(document);
}

function tell(message: string): void {
  void showInformation(message);
}
