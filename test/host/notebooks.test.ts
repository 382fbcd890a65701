import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import type { Attachment } from "../../src/chat/transcript/attachments.ts";
import { AttachmentOpener } from "../../src/editor/attachments/attachmentOpener.ts";
import { contextSources } from "../../src/editor/attachments/contextSources.ts";
import { gatherFileProblems, gatherWorkspaceProblems } from "../../src/editor/attachments/problemsContext.ts";
import { gatherCells, gatherSelection } from "../../src/editor/attachments/selectionContext.ts";
import { gatherUris } from "../../src/editor/attachments/uriContext.ts";
import { CodeBlockActions } from "../../src/editor/edits/codeBlockActions.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { readNotebookJson } from "../../src/text/notebookText.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { proposalsClosed, proposedText, shownProposals } from "./shownProposals.ts";
import { untilFound } from "./untilFound.ts";
import { assertRefused, withAgentEdits } from "./withAgentEdits.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const code = "def area(r):\n    return 3 * r * r\n\nprint(area(2))";
const better = "def area(r):\n    return 3.14 * r * r\n\nprint(area(2))";

function cell(type: string, source: string, outputs: readonly object[] = []): object {
  const kept = type === "code" ? { execution_count: 1, outputs } : {};
  return {
    cell_type: type,
    id: crypto.randomUUID().slice(0, 8),
    metadata: {},
    source: source.split(/(?<=\n)/),
    ...kept,
  };
}

const cells = [
  cell("markdown", "# Circles"),
  cell("code", code, [
    { output_type: "stream", name: "stdout", text: ["12\n"] },
    {
      output_type: "execute_result",
      execution_count: 1,
      metadata: {},
      data: { "text/plain": ["<Figure>"], "image/png": "iVBORw0KGgo=", "text/html": ["<b>x</b>"] },
    },
    {
      output_type: "error",
      ename: "ValueError",
      evalue: "no radius",
      traceback: ["\u001b[0;31mTraceback\u001b[0m", "ValueError: no radius"],
    },
  ]),
  cell("code", "radius = 2"),
];

/** A notebook's file, as Jupyter writes it. */
function notebookJson(given: readonly object[] = cells): string {
  const metadata = { language_info: { name: "python" } };
  return JSON.stringify({ cells: given, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1);
}

const asText = `--- Cell 1 (markdown) ---
# Circles

--- Cell 2 (python) ---
${code}
--- Output of cell 2 (stdout) ---
12
--- Output of cell 2 (text/plain; not shown: image/png, text/html) ---
<Figure>
--- Output of cell 2 (error) ---
Traceback
ValueError: no radius

--- Cell 3 (python) ---
radius = 2
`;

function textOf({ content }: Attachment): string {
  return content?.type === "text" ? content.text : assert.fail("The attachment has no text.");
}

async function replaceCell(notebook: vscode.NotebookDocument, index: number, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const { document } = notebook.cellAt(index);
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function deleteCell(notebook: vscode.NotebookDocument, index: number): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(index, index + 1))]);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

function sources({ notebook }: Pick<vscode.NotebookEditor, "notebook">): readonly string[] {
  return notebook.getCells().map(({ document }) => document.getText());
}

describe("a notebook", () => {
  let folder: vscode.Uri;
  let uri: vscode.Uri;
  let last: LastTextEditor;
  let dialogues: ShownDialogues;

  beforeEach(async () => {
    folder = vscode.Uri.joinPath(workspaceFolder().uri, `notebooks-${crypto.randomUUID()}`);
    uri = await write("circles.ipynb", notebookJson());
    last = new LastTextEditor();
    dialogues = new ShownDialogues(() => undefined);
  });
  afterEach(async () => {
    dialogues.dispose();
    last.dispose();
    for (const notebook of vscode.workspace.notebookDocuments) if (notebook.isDirty) await notebook.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  async function write(name: string, text: string): Promise<vscode.Uri> {
    const file = vscode.Uri.joinPath(folder, name);
    await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    return file;
  }

  /** Shows the notebook and selects the cell with this index. Resolves when its text has an editor, if it is code. */
  async function show(index: number): Promise<vscode.NotebookEditor> {
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const selections = [new vscode.NotebookRange(index, index + 1)];
    const editor = await vscode.window.showNotebookDocument(notebook, { preview: false, selections });
    const { document, kind } = notebook.cellAt(index);
    const isShown = (): true | undefined =>
      kind === vscode.NotebookCellKind.Markup ||
      vscode.window.visibleTextEditors.some((each) => each.document === document) ||
      undefined;
    await untilFound(isShown, vscode.window.onDidChangeVisibleTextEditors);
    await untilFound(
      () => (last.cell?.index === index ? true : undefined),
      vscode.window.onDidChangeNotebookEditorSelection,
      vscode.window.onDidChangeActiveNotebookEditor,
    );
    return editor;
  }

  /** Begins to edit the text of the active cell. */
  async function editCell(document: vscode.TextDocument): Promise<vscode.TextEditor> {
    await vscode.commands.executeCommand("notebook.cell.edit");
    const find = (): vscode.TextEditor | undefined =>
      last.current?.document === document ? last.current : undefined;
    return untilFound(find, vscode.window.onDidChangeActiveTextEditor);
  }

  describe("as an attachment", () => {
    it("has the same text when it is closed and when it is open, and the unsaved text of its cells", async () => {
      const [closed] = (await gatherUris([uri])).attachments;
      assert.equal(textOf(closed ?? assert.fail()), asText);
      assert.deepEqual([closed?.kind, closed?.name], ["file", "circles.ipynb"]);
      assert.match(closed?.detail ?? "", /^notebooks-.*\/circles\.ipynb \(notebook, 3 cells\)$/);
      const { notebook } = await show(1);
      const [open] = (await gatherUris([uri])).attachments;
      assert.equal(textOf(open ?? assert.fail()), asText);
      await replaceCell(notebook, 2, "radius = 3");
      const [unsaved] = (await gatherUris([uri])).attachments;
      assert.equal(textOf(unsaved ?? assert.fail()), asText.replace("radius = 2", "radius = 3"));
    });

    it("is offered while it is in use, as a whole and by its selected cells", async () => {
      assert.ok(contextSources(last.notebook).every(({ id }) => id !== "cells"));
      const editor = await show(1);
      editor.selections = [new vscode.NotebookRange(1, 3)];
      const offers = contextSources(last.notebook);
      assert.deepEqual(
        offers.slice(0, 2).map(({ label }) => label),
        ["Selected Cells", "Notebook"],
      );
      const ground = { files: assert.fail, editor: last.current, readPage: () => assert.fail() };
      const gathered = await offers[0]?.gather(Object.assign(ground, { files: Object.create(null) }));
      const [both] = gathered?.attachments ?? [];
      assert.equal(both?.name, "circles.ipynb, cells 2-3");
      assert.equal(textOf(both), asText.slice(asText.indexOf("--- Cell 2")));
      assert.deepEqual(both.place, { path: vscode.workspace.asRelativePath(uri), cell: 2 });
    });

    it("opens at its cell, and as text if the notebook has fewer cells by then", async () => {
      const { notebook } = await show(0);
      const gathered = await gatherCells(notebook, [new vscode.NotebookRange(2, 3)]);
      const [attached = assert.fail()] = gathered.attachments;
      const opener = new AttachmentOpener();
      try {
        await opener.open(attached);
        await untilFound(
          () => (last.cell?.index === 2 ? true : undefined),
          vscode.window.onDidChangeNotebookEditorSelection,
          vscode.window.onDidChangeActiveNotebookEditor,
        );
        await deleteCell(notebook, 2);
        await opener.open(attached);
        await untilFound(
          () => vscode.window.activeTextEditor?.document.uri.scheme === "inference-attachment" || undefined,
          vscode.window.onDidChangeActiveTextEditor,
        );
      } finally {
        opener.dispose();
      }
    });

    it("names the cell and the lines of a selection, and the cell of a problem, without an internal URI", async () => {
      const { notebook } = await show(1);
      const { document } = notebook.cellAt(1);
      const editor = await editCell(document);
      editor.selection = new vscode.Selection(0, 0, 1, 4);
      const problems = vscode.languages.createDiagnosticCollection("cells");
      problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(1, 4, 1, 10), "Not so good")]);
      try {
        const [selected] = (await gatherSelection(editor)).attachments;
        assert.equal(selected?.name, "circles.ipynb, cell 2, lines 1-2");
        const path = vscode.workspace.asRelativePath(uri);
        assert.equal(selected.detail, `${path}, cell 2, lines 1-2`);
        const all = [
          ...(await gatherFileProblems(editor.document.uri)).attachments,
          ...(await gatherWorkspaceProblems()).attachments,
        ];
        assert.equal(all.length, 2);
        for (const each of all)
          assert.ok(textOf(each).includes(`${path}, cell 2:2:5 error: Not so good`), textOf(each));
        assert.doesNotMatch(JSON.stringify([selected, ...all]), /vscode-notebook-cell/);
      } finally {
        problems.dispose();
      }
    });

    it("isn't attached, and neither is a part of it, when a setting excludes its file", async () => {
      const { notebook } = await show(1);
      const editor = await editCell(notebook.cellAt(1).document);
      editor.selection = new vscode.Selection(0, 0, 1, 0);
      const [offer] = contextSources(last.notebook);
      const problems = vscode.languages.createDiagnosticCollection("excluded");
      problems.set(editor.document.uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), "Kept out")]);
      await writeSetting("inference.chat.exclude", {
        [`${vscode.workspace.asRelativePath(folder)}/*`]: true,
      });
      try {
        assert.deepEqual((await gatherUris([uri])).attachments, []);
        assert.deepEqual((await gatherSelection(editor)).attachments, []);
        assert.deepEqual((await offer?.gather(Object.create(null)))?.attachments, []);
        assert.doesNotMatch(JSON.stringify(await gatherWorkspaceProblems()), /Kept out/);
      } finally {
        problems.dispose();
        await writeSetting("inference.chat.exclude", undefined);
      }
    });

    it("is plain text when its JSON is broken, and small although an output is large", async () => {
      const broken = await write("broken.ipynb", "{ nope");
      const empty = await write("empty.ipynb", notebookJson([]));
      const output = { output_type: "stream", name: "stdout", text: "line of output\n".repeat(350_000) };
      const large = await write("large.ipynb", notebookJson([cell("code", "run()", [output])]));
      const { attachments, refusals } = await gatherUris([broken, empty, large]);
      assert.deepEqual(refusals, []);
      const [one, two, three] = attachments.map(textOf);
      assert.deepEqual([one, two], ["{ nope", "(The notebook has no cells.)\n"]);
      assert.match(three ?? "", /^--- Cell 1 \(python\) ---\nrun\(\)\n[^]*characters left out\]/);
      assert.ok((three ?? "").length < 5000);
    });
  });

  describe("with code of an answer", () => {
    let actions: CodeBlockActions;
    let inputs: AnsweredInputs;

    beforeEach(() => {
      actions = new CodeBlockActions(last);
      inputs = new AnsweredInputs();
    });
    afterEach(() => {
      inputs.dispose();
      actions.dispose();
    });

    const run = (action: "apply" | "insert", text: string, info = "python"): Promise<void> =>
      actions.run(action, { text, info, language: "python", above: "" }, () => undefined);

    it("shows a diff of the active cell, and changes only its text when accepted", async () => {
      const editor = await show(1);
      await run("apply", better, 'python title="circles.ipynb"');
      assert.equal(await proposedText(/3\.14/), better);
      await actions.proposals.acceptAll(undefined);
      await proposalsClosed();
      assert.deepEqual(sources(editor), ["# Circles", better, "radius = 2"]);
      assert.equal(editor.notebook.cellAt(1).outputs.length, 3);
      assert.equal(await readFile(uri.fsPath, "utf8"), notebookJson());
    });

    it("adds new code as a cell, or replaces the cell if the user wants", async () => {
      const editor = await show(2);
      inputs.expect(["Where does this code belong in", "Add Cell Below Cell 3"]);
      await run("apply", "import math\n");
      assert.deepEqual(sources(editor).slice(2), ["radius = 2", "import math"]);
      await show(3);
      inputs.expect(["Where does this code belong in", "Replace Cell 4"]);
      await run("apply", "height = 7\n");
      assert.equal(await proposedText(/height/), "height = 7");
      await actions.proposals.reject(undefined);
    });

    it("gets code at the cursor of the active cell, or in a cell below a rendered one", async () => {
      const editor = await show(2);
      const shown = await editCell(editor.notebook.cellAt(2).document);
      shown.selection = new vscode.Selection(0, 10, 0, 10);
      await run("insert", "+ 1");
      assert.equal(sources(editor)[2], "radius = 2+ 1");
      await show(0);
      await run("insert", "first()");
      assert.deepEqual(sources(editor).slice(0, 2), ["# Circles", "first()"]);
    });

    it("changes nothing when the cell was deleted while its diff is open", async () => {
      const { notebook } = await show(1);
      await run("apply", better);
      await proposedText(/3\.14/);
      const [proposal] = shownProposals();
      await deleteCell(notebook, 1);
      await actions.proposals.acceptAll(proposal);
      // VS Code may already have closed the diff.
      await dialogues.until(/^The cell was deleted|^These changes are no longer available/);
      await proposalsClosed();
      assert.deepEqual(sources({ notebook }), ["# Circles", "radius = 2"]);
    });
  });

  describe("with a change in place", () => {
    const connection = withConnection({
      name: "Cells",
      service: { answers: () => `\`\`\`python\n${better}\n\`\`\`` },
    });

    it("fixes the whole active cell, with its outputs in the request", async () => {
      const { notebook } = await show(1);
      await vscode.commands.executeCommand(commandIds.fix);
      assert.equal(await proposedText(/3\.14/), better);
      const question = connection.asks.at(-1)?.messages.at(-1)?.text ?? "";
      assert.match(question, /circles\.ipynb, cell 2[^]*lines 1 to 4[^]*ValueError: no radius/);
      assert.doesNotMatch(question, /vscode-notebook-cell|Circles/);
      await vscode.commands.executeCommand(commandIds.acceptProposal);
      assert.equal(notebook.cellAt(1).document.getText(), better);
      assert.deepEqual(shownProposals(), []);
    });
  });
});

describe("a notebook and the agent", () => {
  const files = withAgentEdits();
  const pi = ["3 * r", "3.14 * r"] as const;

  afterEach(async () => {
    for (const notebook of vscode.workspace.notebookDocuments) if (notebook.isDirty) await notebook.save();
  });

  const sourcesIn = async (name: string): Promise<readonly string[]> =>
    (readNotebookJson(await files.textIn(name)) ?? assert.fail()).map(({ source }) => source);

  it("is read as cells, and edited by cell with its outputs kept", async () => {
    await files.write("a.ipynb", notebookJson());
    const numbered = asText
      .trimEnd()
      .split("\n")
      .map((line, index) => `${index + 1}\t${line}`)
      .join("\n");
    assert.equal(await files.read("a.ipynb"), numbered);
    const { outcome, text, facts } = await files.edit("a.ipynb", ...pi);
    assert.equal(outcome, "done", text);
    assert.deepEqual(facts, { path: files.named("a.ipynb"), added: 1, removed: 1 });
    assert.match(text, /^Edited and saved .*\n@@ -1,4 \+1,4 @@ cell 2\n def area\(r\):\n- {4}return 3 \* r/);
    assert.match(files.asked[0]?.diff ?? "", /^@@ -1,4 \+1,4 @@ cell 2\n/);
    assert.deepEqual(await sourcesIn("a.ipynb"), ["# Circles", better, "radius = 2"]);
    assert.ok((await files.textIn("a.ipynb")).includes("no radius"));
    assert.equal((await files.edit("a.ipynb", "radius = 2", "radius = 5")).outcome, "done");
    assert.deepEqual(await sourcesIn("a.ipynb"), ["# Circles", better, "radius = 5"]);
  });

  it("refuses what isn't in exactly one cell, what was not read, and new notebooks", async () => {
    await files.write("a.ipynb", notebookJson());
    await assertRefused(files.edit("a.ipynb", ...pi), /was not read in this chat/);
    await files.read("a.ipynb");
    await assertRefused(files.edit("a.ipynb", "r", "s"), /occurs in several cells: 1, 2, 3\./);
    await assertRefused(files.edit("a.ipynb", "area(2))\nradius", "x"), /does not occur in any cell/);
    await assertRefused(files.edit("a.ipynb", "area", "x"), /In cell 2: oldText occurs 2 times/);
    await assertRefused(files.create("b.ipynb", "{}"), /is a notebook, which this tool cannot create/);
    assert.deepEqual(files.asked, []);
  });

  it("mends broken JSON as text, and reads an older format as text", async () => {
    await files.write("broken.ipynb", "{ nope");
    assert.equal(await files.read("broken.ipynb"), "1\t{ nope");
    assert.equal((await files.edit("broken.ipynb", "{ nope", notebookJson([]))).outcome, "done");
    assert.equal(await files.read("broken.ipynb"), "1\t(The notebook has no cells.)");
    await files.write("older.ipynb", '{"nbformat":3,"worksheets":[]}');
    assert.equal(await files.read("older.ipynb"), '1\t{"nbformat":3,"worksheets":[]}');
  });
});
