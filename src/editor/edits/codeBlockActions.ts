import * as vscode from "vscode";
import { readCodeBlocks } from "../../chat/code/answerFiles.ts";
import { indentCode } from "../../text/indentation.ts";
import type { CodeActionId } from "../../chat/page/protocol.ts";
import { type CodeBlockText, namedFiles } from "../../text/markdown/codeBlockInfo.ts";
import { CodeTerminal } from "./codeTerminal.ts";
import { editorLanguage } from "./editorLanguage.ts";
import { mayWriteText } from "../files/encodingLoss.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { showInformation } from "../shared/notices.ts";
import { askActing } from "./askActing.ts";
import { Proposals } from "./proposals.ts";
import { reviewFiles } from "./reviewFiles.ts";
import { findWorkspaceFile, isActing, isInWorkspace, placesToCreate } from "../files/workspaceFiles.ts";

/** What the buttons on a code block do. Nothing is run, and no file is written, by itself. */
export class CodeBlockActions implements vscode.Disposable {
  readonly proposals: Proposals;
  readonly #lastEditor: LastTextEditor;
  readonly #terminal = new CodeTerminal();

  constructor(lastEditor: LastTextEditor) {
    this.#lastEditor = lastEditor;
    this.proposals = new Proposals(lastEditor);
  }

  /** @param focusAgain gives the focus back to the button where the user, asked about the file, has it left as it is */
  async run(action: CodeActionId, block: CodeBlockText, focusAgain: () => void): Promise<void> {
    switch (action) {
      case "insert":
        return this.#insert(block.text, focusAgain);
      case "apply":
        return this.proposals.propose(block);
      case "save":
        return openAsNewFile(block);
      case "run":
        return this.#terminal.run(block);
    }
  }

  /** Reviews what an answer has for several files. */
  async applyAnswer(answer: string): Promise<void> {
    await reviewFiles(readCodeBlocks(answer), this.proposals);
  }

  dispose(): void {
    this.proposals.dispose();
    this.#terminal.dispose();
  }

  async #insert(text: string, focusAgain: () => void): Promise<void> {
    const editor = this.#lastEditor.current;
    if (editor === undefined)
      return tell(vscode.l10n.t("Open the file that the code should go into, then insert it again."));
    const { document } = editor;
    if (await isActing(document.uri)) {
      // A dialog gives the focus back to where it was: to a page some moments later, and then over what is shown by then.
      await vscode.window.showTextDocument(document, editor.viewColumn);
      if (!(await askActing(document.uri))) return focusAgain();
    }
    if (!(await mayWriteText(document, text))) return;
    const { selections } = editor;
    const isDone = await editor.edit((edit) => {
      for (const selection of selections) {
        const { start } = selection;
        const ahead = document.lineAt(start.line).text.slice(0, start.character);
        edit.replace(selection, indentCode(text, ahead));
      }
    });
    if (!isDone)
      return tell(vscode.l10n.t("The code could not be inserted: this editor cannot be written to."));
    await vscode.window.showTextDocument(document, editor.viewColumn);
  }
}

/** An untitled document: where it goes is the user's to say, when it is saved. */
async function openAsNewFile(block: CodeBlockText): Promise<void> {
  const place = await placeOfNewFile(block);
  const named = place && (await vscode.workspace.openTextDocument(place.with({ scheme: "untitled" })));
  if (named !== undefined && (await takesText(named, block.text))) {
    await vscode.window.showTextDocument(named);
    return;
  }
  // What stands under that name already may have been typed, so that it is left alone.
  const language = (await editorLanguage(block.language)) ?? named?.languageId;
  const document = await vscode.workspace.openTextDocument({
    content: block.text,
    ...(language && { language }),
  });
  await vscode.window.showTextDocument(document);
}

/** Where the file that a block names is to be, while there is none and it can do nothing by itself. */
async function placeOfNewFile(block: CodeBlockText): Promise<vscode.Uri | undefined> {
  const [name] = namedFiles(block);
  if (name === undefined || (await findWorkspaceFile(name)) !== undefined) return undefined;
  const [place] = placesToCreate(name);
  if (place === undefined || !(await isInWorkspace(place)) || (await isActing(place))) return undefined;
  return place;
}

/** Whether a document has this text, or has got it since it had none. */
async function takesText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const present = document.getText();
  if (present !== "") return withLineFeeds(present) === withLineFeeds(text);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  return vscode.workspace.applyEdit(edit);
}

/** A document has the line ends of its system. */
function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function tell(message: string): void {
  void showInformation(message);
}
