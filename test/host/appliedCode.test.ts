import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { CodeActionId } from "../../src/chat/page/protocol.ts";
import { CodeBlockActions } from "../../src/editor/edits/codeBlockActions.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { openWorkspaceFile } from "../../src/editor/files/workspaceFiles.ts";
import { AnsweredInputs, asItIs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { proposedText, shownProposals } from "./shownProposals.ts";
import { workspaceFolder } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";

const text = ["first", "untouched", "last"]
  .map((name) => `export function ${name}(value: number): number {\n  return value;\n}\n`)
  .join("\n");
const code =
  "export function first(value: number): number {\n  return value * 2;\n}\n\n// ... existing code ...\n\n" +
  "export function last(value: number): number {\n  return value * 3;\n}\n";
const [first, last] = ["value * 2", "value * 3"];
const applied = text.replace("value;", `${first};`).replace(/value;(?![^]*value;)/, `${last};`);

/**
 * Paths outside the workspace, as code blocks name them, with the rows that offer to create a file. An absolute path,
 * or a path in a home folder, counts from the workspace root. `linked` is a link out of the workspace.
 */
const outsideFiles: Readonly<Record<string, readonly string[]>> = {
  "../outside.ts": [],
  "src/../../outside.ts": [],
  "..\\outside.ts": [],
  "linked/outside.ts": [],
  "/tmp/outside.ts": ["$(new-file) Create tmp/outside.ts"],
  "~/outside.ts": ["$(new-file) Create ~/outside.ts"],
};

describe("code of an answer applied to files", () => {
  const file = withOpenFile("changed.ts", text);
  let lastEditor: LastTextEditor;
  let actions: CodeBlockActions;
  let inputs: AnsweredInputs;
  let dialogues: ShownDialogues;
  /** The button to press in dialogs. */
  let button: string | undefined;

  beforeEach(() => {
    button = undefined;
    lastEditor = new LastTextEditor();
    actions = new CodeBlockActions(lastEditor);
    inputs = new AnsweredInputs();
    dialogues = new ShownDialogues(() => button);
  });
  afterEach(() => {
    dialogues.dispose();
    inputs.dispose();
    actions.dispose();
    lastEditor.dispose();
  });

  /** Presses a button of a block, which may name a file. Resolves with whether the button got the focus back. */
  async function run(action: CodeActionId, block: string, name?: string): Promise<boolean> {
    let hasFocus = false;
    const info = name === undefined ? "ts" : `ts title=${name}`;
    await actions.run(action, { text: block, info, language: "ts", above: "" }, () => {
      hasFocus = true;
    });
    return hasFocus;
  }

  /** The path relative to the workspace. */
  const pathOf = (name: string): string =>
    vscode.workspace.asRelativePath(vscode.Uri.joinPath(file.folder, name));

  it("is inserted at the cursor with its indentation, in one undo step", async () => {
    const editor = await vscode.window.showTextDocument(file.document);
    await file.type(1, 0, "    \n");
    editor.selection = new vscode.Selection(1, 4, 1, 4);
    const before = file.text;
    await run("insert", "  const inserted = 1;\n  if (inserted) {\n    again();\n  }\n");
    assert.ok(
      file.text.includes("\n    const inserted = 1;\n    if (inserted) {\n      again();\n    }\n"),
      file.text,
    );
    assert.equal(vscode.window.activeTextEditor?.document, file.document);
    await vscode.commands.executeCommand("undo");
    assert.equal(file.text, before);
  });

  it("is proposed beside the file that it names, and changes the file only when accepted", async () => {
    await run("apply", code, pathOf("changed.ts"));
    assert.equal(await proposedText(/value \* 2/), applied);
    await actions.proposals.reject(undefined);
    assert.equal(file.text, text);
    inputs.expect(["Select Changes", [last]]);
    await run("apply", code, pathOf("changed.ts"));
    await actions.proposals.acceptSome(undefined);
    assert.deepEqual(
      inputs.all[0]?.rows.map((row) => row.split(" · ")[0]),
      [`return ${first};`, `return ${last};`],
    );
    assert.equal(file.text, applied.replace(first, "value"));
    assert.deepEqual(shownProposals(), []);
  });

  it("creates the named file only when accepted, and no file outside the workspace", async () => {
    const made = pathOf("fresh/made.ts");
    inputs.expect(["Apply in Editor", `Create ${made}`]);
    await run("apply", "export const made = 1;\n", made);
    assert.ok(!existsSync(path.join(file.folder.fsPath, "fresh")));
    await actions.proposals.acceptAll(undefined);
    const uri = vscode.Uri.joinPath(file.folder, "fresh/made.ts");
    assert.equal(String(await vscode.workspace.fs.readFile(uri)), "export const made = 1;\n");
    const root = workspaceFolder().uri.fsPath;
    const linked = path.join(root, "linked");
    await symlink(path.dirname(root), linked);
    for (const [name, offered] of Object.entries(outsideFiles)) {
      inputs.expect(["Apply in Editor", undefined]);
      await run("apply", "export const outside = 1;\n", name);
      assert.deepEqual(
        inputs.all.at(-1)?.rows.filter((row) => row.includes("outside")),
        offered,
        name,
      );
    }
    await vscode.workspace.fs.delete(vscode.Uri.file(linked));
    for (const folder of [path.dirname(root), "/tmp", homedir()])
      assert.ok(!existsSync(path.join(folder, "outside.ts")), folder);
  });

  it("goes into a file only after a question if the file can run programs", async () => {
    const acting = [".vscode/tasks.json", ".vscode/settings.json", ".git/hooks/pre-commit.sh", "deno.json"];
    for (const name of acting) {
      const uri = vscode.Uri.joinPath(file.folder, name);
      button = undefined;
      inputs.expect(["Apply in Editor", `Create ${pathOf(name)}`]);
      await run("apply", "caught\n", pathOf(name));
      await actions.proposals.acceptAll(undefined);
      const [warning, ...others] = dialogues.all.splice(0);
      assert.match(warning?.message ?? "", /can run programs or change settings automatically/);
      assert.deepEqual([others, existsSync(uri.fsPath)], [[], false]);
      button = "Make This Change";
      await actions.proposals.acceptAll(undefined);
      const document = await vscode.workspace.openTextDocument(uri);
      button = undefined;
      assert.equal(await run("insert", "caught\n"), true);
      assert.equal(document.getText(), "caught\n");
      button = "Make This Change";
      assert.equal(await run("insert", "caught\n"), false);
      assert.equal(document.getText(), "caughtcaught\n");
      const again = dialogues.all.splice(0).map(({ message }) => message);
      assert.deepEqual(again, Array(3).fill(warning?.message));
    }
  });

  it("goes into the user's settings only after a question", async () => {
    await vscode.commands.executeCommand("workbench.action.openSettingsJson");
    const { document } = vscode.window.activeTextEditor ?? assert.fail();
    const before = document.getText();
    assert.equal(await run("insert", '{ "editor.tabSize": 3 }\n'), true);
    assert.match(dialogues.messages.join(), /User\/settings\.json'\? This file can run programs/);
    assert.equal(document.getText(), before);
  });

  /** An answer with code for the open file, a new file and another file. */
  const answer = (): string =>
    [
      ["changed.ts", code.trim()],
      ["bill.ts", "export const bill = 1;"],
      ["other.ts", "// never applied"],
    ]
      .map(([name = "", block]) => `\`\`\`ts title=${pathOf(name)}\n${block}\n\`\`\`\n`)
      .join("\n");

  it("is accepted in part for one file, fully for another and not at all for a third", async () => {
    const other = await file.write("other.ts", "export const other = 1;\n");
    const row = pathOf("changed.ts");
    inputs.expect(["Apply to Files", { row, button: "Review Each Change" }]);
    const takeBill = async (): Promise<readonly string[]> => {
      await proposedText(/value \* 2/);
      return [pathOf("bill.ts")];
    };
    inputs.expect(["Apply to Files", takeBill]);
    await actions.applyAnswer(answer());
    assert.deepEqual(
      inputs.all[0]?.rows.map((each) => each.split(" · ")[0]),
      ["changed.ts", "bill.ts", "other.ts"].map(pathOf),
    );
    await actions.proposals.acceptOne(undefined, 1);
    await actions.proposals.rejectOne(undefined, 9);
    assert.equal(file.text, applied.replace(last, "value"));
    const bill = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(file.folder, "bill.ts"));
    assert.equal(bill.getText(), "export const bill = 1;\n");
    assert.equal((await vscode.workspace.openTextDocument(other)).getText(), "export const other = 1;\n");
    assert.deepEqual(shownProposals(), []);
  });

  it("names the files whose changes were not all applied, and shows the remaining changes", async () => {
    const change = async (): Promise<typeof asItIs> => {
      await file.type(1, "  return value;".length, " // mine");
      return asItIs;
    };
    inputs.expect(["Apply to Files", change]);
    await actions.applyAnswer(answer());
    const { message } = await dialogues.until(/^Some changes were not applied/);
    assert.ok(message.endsWith(`in: ${pathOf("changed.ts")}.`), message);
    assert.match(file.text, /return value; \/\/ mine[^]*value \* 3/);
    assert.equal(shownProposals().length, 1);
  });
});

describe("a file named in an answer", () => {
  const file = withOpenFile("named.ts", "one\ntwo\nthree\n");

  it("opens at its line if it belongs to the workspace, otherwise not at all", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const dialogues = new ShownDialogues();
    await openWorkspaceFile("../../etc/passwd:1");
    dialogues.dispose();
    assert.match(dialogues.messages.join(), /^This workspace has no file/);
    assert.deepEqual(vscode.window.visibleTextEditors, []);
    await openWorkspaceFile(`${vscode.workspace.asRelativePath(file.uri)}#L3`);
    const { document, selection } = vscode.window.activeTextEditor ?? assert.fail();
    assert.deepEqual([document.uri.toString(), selection.active.line], [file.uri.toString(), 2]);
  });
});
