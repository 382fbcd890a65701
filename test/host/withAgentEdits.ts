import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { CallRequest, CallResult, EditCaution } from "../../src/chat/transcript/steps.ts";
import { ownFolder, withAgentTools } from "./withAgentTools.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

type EditRequest = Extract<CallRequest, { type: "edit" }>;

/** The tools that write, in a folder of the test. Names are relative to that folder. */
class EditBench {
  readonly agent = withAgentTools();
  /** Path of the test's folder, relative to the workspace. */
  folder = "";

  pathOf(name: string): string {
    return path.join(workspaceFolder().uri.fsPath, this.folder, name);
  }

  uriOf(name: string): vscode.Uri {
    return vscode.Uri.file(this.pathOf(name));
  }

  /** The path that model and user see. */
  named(name: string): string {
    return `${this.folder}/${name}`;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(path.dirname(this.pathOf(name)), { recursive: true });
    await writeFile(this.pathOf(name), content);
  }

  /**
   * Writes a file as another program does, and lets VS Code read it again. A watcher sees no file that is written to a new
   * folder before the folder is watched.
   */
  async change(name: string, content: string): Promise<void> {
    const document = await this.open(name);
    const shown = new Promise<void>((resolve) => {
      const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || document.getText() !== content) return;
        subscription.dispose();
        resolve();
      });
    });
    await writeFile(this.pathOf(name), content);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await shown;
  }

  textIn(name: string): Promise<string> {
    return readFile(this.pathOf(name), "utf8");
  }

  open(name: string): Thenable<vscode.TextDocument> {
    return vscode.workspace.openTextDocument(this.uriOf(name));
  }

  /** Inserts text at the beginning of a line, and does not save it. */
  async type(name: string, line: number, text: string): Promise<vscode.TextDocument> {
    const document = await this.open(name);
    const typed = new vscode.WorkspaceEdit();
    typed.insert(document.uri, new vscode.Position(line, 0), text);
    assert.ok(await vscode.workspace.applyEdit(typed));
    return document;
  }

  read(name: string): Promise<string> {
    return this.agent.textOf("read_file", { path: this.named(name) });
  }

  edit(name: string, oldText: string, newText: string, more: object = {}): Promise<CallResult> {
    return this.agent.call("edit_file", { path: this.named(name), oldText, newText, ...more });
  }

  create(name: string, content: string): Promise<CallResult> {
    return this.agent.call("create_file", { path: this.named(name), content });
  }

  /** The cards of this test. */
  get asked(): readonly EditRequest[] {
    return this.agent.asked.filter((request) => request.type === "edit");
  }

  get lastCautions(): readonly EditCaution[] {
    return this.asked.at(-1)?.cautions ?? assert.fail("Nothing was asked.");
  }
}

/** Adds hooks to the surrounding `describe`: each test has its own folder and answer, and leaves no editor open. */
export function withAgentEdits(): EditBench {
  const bench = new EditBench();
  const run = crypto.randomUUID().slice(0, 8);
  let count = 0;
  // VS Code would load the schema of a package's file.
  before(() => writeSetting("json.schemaDownload.enable", false));
  after(() => writeSetting("json.schemaDownload.enable", undefined));
  beforeEach(async () => {
    count += 1;
    // A new folder for each test, because VS Code may still have the text of an earlier file.
    bench.folder = `${ownFolder}/${run}-${count}`;
    await mkdir(bench.pathOf(""), { recursive: true });
    await bench.agent.load();
    bench.agent.answerId = `answer-${count}`;
    bench.agent.startAnswer(undefined, "agent");
    bench.agent.reply = { type: "allow", scope: "call" };
  });
  afterEach(async () => {
    for (const each of vscode.workspace.textDocuments)
      if (each.isDirty && !each.isUntitled) await each.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
  return bench;
}

/** Checks that a call has failed with these words, and has written nothing. */
export async function assertRefused(result: Promise<CallResult>, words: string | RegExp): Promise<void> {
  const { outcome, text, facts } = await result;
  assert.equal(outcome, "failed", text);
  if (typeof words === "string") assert.equal(text, words);
  else assert.match(text, words);
  assert.equal(facts, undefined);
}
