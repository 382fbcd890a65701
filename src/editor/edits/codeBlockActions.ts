import * as vscode from "vscode";
import { readCodeBlocks } from "../../chat/code/answerFiles.ts";
import { indentCode } from "../../text/indentation.ts";
import type { CodeActionId } from "../../chat/page/protocol.ts";
import { type CodeBlockText, namedFiles } from "../../text/markdown/codeBlockInfo.ts";
import { mayWriteText } from "../files/encodingLoss.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { addCell, showDocument } from "../shared/notebooks.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import { confirmActing } from "./proposalDialogs.ts";
import { Proposals } from "./proposals.ts";
import { reviewFiles } from "./reviewFiles.ts";
import { findWorkspaceFile, isActing, isInWorkspace, placesToCreate } from "../files/workspaceFiles.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { isShellLanguage, readShellCommand, type ShellCommand } from "../../chat/code/shellCommand.ts";

/** Runs the actions of code block buttons. Runs no command and writes no file on its own. */
export class CodeBlockActions implements vscode.Disposable {
  readonly proposals: Proposals;
  readonly #lastEditor: LastTextEditor;
  readonly #terminal = new CodeTerminal();

  constructor(lastEditor: LastTextEditor) {
    this.#lastEditor = lastEditor;
    this.proposals = new Proposals(lastEditor);
  }

  /** @param focusAgain focuses the button again if the user declines to change a file that can run programs */
  async run(action: CodeActionId, block: CodeBlockText, focusAgain: () => void): Promise<void> {
    switch (action) {
      case "insert":
        return this.#insert(block, focusAgain);
      case "apply":
        return this.proposals.propose(block);
      case "save":
        return openAsNewFile(block);
      case "run":
        return this.#terminal.run(block);
    }
  }

  /** Reviews the answer's changes to several files. */
  async applyAnswer(answer: string): Promise<void> {
    await reviewFiles(readCodeBlocks(answer), this.proposals);
  }

  dispose(): void {
    this.proposals.dispose();
    this.#terminal.dispose();
  }

  async #insert(block: CodeBlockText, focusAgain: () => void): Promise<void> {
    const { current: editor, notebook } = this.#lastEditor;
    const shown = editor ?? notebook;
    const uri = editor?.document.uri ?? notebook?.notebook.uri;
    if (uri === undefined)
      return showMessage(vscode.l10n.t("Open the file to insert the code into, and then try again."));
    const show = async (): Promise<void> =>
      showDocument(uri, shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn });
    if (await isActing(uri)) {
      // Focus the editor first. After a dialog, VS Code restores the previous focus. A chat page gets the focus late
      // and would take it from the editor.
      await show();
      if (!(await confirmActing(uri))) return focusAgain();
    }
    const isDone =
      editor === undefined ? await this.#insertCell(block) : await insertText(editor, block.text);
    if (isDone === false)
      return showMessage(vscode.l10n.t("Couldn't insert the code because this editor is read-only."));
    if (isDone === true && editor !== undefined) await show();
  }

  /** Adds the code as a cell below the active one, which shows no text to insert into. */
  async #insertCell({ text, language }: CodeBlockText): Promise<boolean> {
    const { notebook, cell } = this.#lastEditor;
    return notebook !== undefined && addCell(notebook.notebook, { below: cell?.index ?? -1, text, language });
  }
}

/** Inserts at each selection. False if the editor is read-only, undefined if the user was told another reason. */
async function insertText(editor: vscode.TextEditor, text: string): Promise<boolean | undefined> {
  const { document, selections } = editor;
  if (!(await mayWriteText(document, text))) return undefined;
  return editor.edit((edit) => {
    for (const selection of selections) {
      const { start } = selection;
      const ahead = document.lineAt(start.line).text.slice(0, start.character);
      edit.replace(selection, indentCode(text, ahead));
    }
  });
}

/**
 * Opens the code as an untitled document, with the path that the block names if possible. Only the user can save it.
 */
async function openAsNewFile(block: CodeBlockText): Promise<void> {
  const place = await placeOfNewFile(block);
  const named = place && (await vscode.workspace.openTextDocument(place.with({ scheme: "untitled" })));
  if (named !== undefined && (await takesText(named, block.text))) {
    await vscode.window.showTextDocument(named);
    return;
  }
  // The document with that name may contain typed text, so leave it unchanged.
  const language = (await editorLanguage(block.language)) ?? named?.languageId;
  const document = await vscode.workspace.openTextDocument({
    content: block.text,
    ...(language && { language }),
  });
  await vscode.window.showTextDocument(document);
}

/**
 * Returns the path for a new file that the block names.
 * Undefined if the file exists, would be outside the workspace, or can run programs.
 */
async function placeOfNewFile(block: CodeBlockText): Promise<vscode.Uri | undefined> {
  const [name] = namedFiles(block);
  if (name === undefined || (await findWorkspaceFile(name)) !== undefined) return undefined;
  const [place] = placesToCreate(name);
  if (place === undefined || !(await isInWorkspace(place)) || (await isActing(place))) return undefined;
  return place;
}

/** Whether the document has this text. An empty document gets the text. */
async function takesText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const present = document.getText();
  if (present !== "") return withLineFeeds(present) === withLineFeeds(text);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  return vscode.workspace.applyEdit(edit);
}

/** Converts line endings to LF, because a document can use CRLF. */
function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function showMessage(message: string): void {
  void showInformation(message);
}

/** VS Code's language IDs for names that fences use. */
const names: Readonly<Record<string, string>> = {
  bash: "shellscript",
  bat: "bat",
  "c#": "csharp",
  "c++": "cpp",
  cmd: "bat",
  console: "shellscript",
  cs: "csharp",
  golang: "go",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  md: "markdown",
  ps1: "powershell",
  pwsh: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
  zsh: "shellscript",
};

/** Returns VS Code's ID of a fence's language. Undefined if VS Code does not know the language. */
async function editorLanguage(language: string): Promise<string | undefined> {
  const name = language.toLowerCase();
  const id = names[name] ?? name;
  return (await vscode.languages.getLanguages()).includes(id) ? id : undefined;
}

const terminalName = "Inference Chat";

/** Types commands into its own terminals. With shell integration, skips terminals with a running program. */
export class CodeTerminal implements vscode.Disposable {
  /** Terminals created here. Unknown programs can run in other terminals. */
  readonly #own = new Set<vscode.Terminal>();
  readonly #busy = new Set<vscode.Terminal>();
  readonly #subscription = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal }) => void this.#busy.add(terminal)),
    vscode.window.onDidEndTerminalShellExecution(({ terminal }) => void this.#busy.delete(terminal)),
    vscode.window.onDidCloseTerminal((terminal) => {
      this.#own.delete(terminal);
      this.#busy.delete(terminal);
    }),
  );

  /** Asks the user to confirm the exact command. Never runs commands in an untrusted workspace. */
  async run(block: CodeBlockText): Promise<void> {
    if (!isShellLanguage(block.language)) return;
    if (!vscode.workspace.isTrusted) return refuseUntrusted();
    const command = await agreedCommand(block);
    if (command === undefined) return;
    const terminal = this.#idle() ?? vscode.window.createTerminal({ name: terminalName });
    this.#own.add(terminal);
    terminal.show(true);
    terminal.sendText(command, true);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #idle(): vscode.Terminal | undefined {
    return [...this.#own].find((terminal) => terminal.exitStatus === undefined && !this.#busy.has(terminal));
  }
}

/** Returns the command that the user has seen and confirmed. Undefined if the command is refused or not confirmed. */
async function agreedCommand(block: CodeBlockText): Promise<string | undefined> {
  const command = readShellCommand(block);
  if (command.kind === "refused") {
    void showWarning(reasonOf(command.why));
    return undefined;
  }
  const { text, lines } = command;
  const shown = showInvisible(text);
  const run = vscode.l10n.t("Run");
  const message =
    lines === 1
      ? vscode.l10n.t("Run this command in the terminal?")
      : vscode.l10n.t("Run these {0} lines in the terminal, one after the other?", lines);
  const warning = vscode.l10n.t(
    "This command contains invisible characters, shown as [U+...]. Don't run a command that hides something.",
  );
  const detail = shown === text ? text : `${shown}\n\n${warning}`;
  return (await showWarning(message, { modal: true, detail }, run)) === run ? text : undefined;
}

async function refuseUntrusted(): Promise<void> {
  const manage = vscode.l10n.t("Manage Workspace Trust");
  const chosen = await showWarning(
    vscode.l10n.t("Commands from answers can't run in Restricted Mode."),
    manage,
  );
  if (chosen === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}

function reasonOf(why: Extract<ShellCommand, { readonly kind: "refused" }>["why"]): string {
  switch (why) {
    case "empty":
      return vscode.l10n.t("This code block contains no command.");
    case "too-long":
      return vscode.l10n.t(
        "This code block is too long to review before you run it. Save it as a file, read the file, and then run it.",
      );
    case "tabs":
      return vscode.l10n.t(
        "The code was not run because the terminal would treat its tabs as Tab key presses. Save the code as a file, read the file, and then run it.",
      );
    case "control-characters":
      return vscode.l10n.t(
        "The code was not run because it contains control characters, which the terminal would treat as key presses.",
      );
  }
}
