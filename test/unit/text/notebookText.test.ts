import assert from "node:assert/strict";
import {
  type NotebookCellText,
  readCellsCopy,
  readNotebookJson,
  writeCells,
  writeCellsCopy,
  writeSources,
} from "../../../src/text/notebookText.ts";

const stdout = "application/vnd.code.notebook.stdout";
const error = "application/vnd.code.notebook.error";

function code(source: string, ...outputs: NotebookCellText["outputs"]): NotebookCellText {
  return { kind: "code", language: "python", source, outputs };
}

/** The text of the only output of a cell. */
function outputText(...outputs: NotebookCellText["outputs"]): string {
  return writeCells([code("x", ...outputs)]).replace("--- Cell 1 (python) ---\nx\n", "");
}

function notebookJson(cells: readonly unknown[], more: object = {}): string {
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells, ...more });
}

describe("a notebook as text", () => {
  it("has numbered cells with the text of their outputs when its file is read", () => {
    const json = notebookJson(
      [
        { cell_type: "markdown", metadata: {}, source: ["# Title\r\n", "words"] },
        {
          cell_type: "code",
          source: "1 / 0",
          outputs: [
            { output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
            { output_type: "stream", name: "stdout", text: "three\n" },
            { output_type: "stream", name: "stderr", text: "careful\n" },
            {
              output_type: "display_data",
              data: { "text/plain": "<Figure>", "text/html": "<b>", "image/png": "AAAA" },
            },
            { output_type: "display_data", data: { "image/svg+xml": ["<svg>"] } },
            {
              output_type: "error",
              ename: "ZeroDivisionError",
              evalue: "division by zero",
              traceback: ["\u001b[0;31mTraceback\u001b[0m", "ZeroDivisionError: division by zero"],
            },
          ],
        },
        { cell_type: "raw", source: "raw" },
        { cell_type: "code", metadata: { vscode: { languageId: "sql" } }, source: "" },
      ],
      { metadata: { language_info: { name: "C#" } } },
    );
    assert.equal(
      writeCells(readNotebookJson(json) ?? assert.fail()),
      `--- Cell 1 (markdown) ---
# Title
words

--- Cell 2 (csharp) ---
1 / 0
--- Output of cell 2 (stdout) ---
one
two
three
--- Output of cell 2 (stderr) ---
careful
--- Output of cell 2 (text/plain; not shown: image/png, text/html) ---
<Figure>
--- Output of cell 2 (not shown: image/svg+xml) ---
--- Output of cell 2 (error) ---
Traceback
ZeroDivisionError: division by zero

--- Cell 3 (raw) ---
raw

--- Cell 4 (sql) ---
`,
    );
  });

  it("shows what a progress bar has drawn last, without escape sequences", () => {
    const text = "\u001b[32m 10%\u001b[0m\r 50%\r100%\ndone\n";
    assert.equal(outputText([{ type: stdout, text }]), "--- Output of cell 1 (stdout) ---\n100%\ndone\n");
  });

  it("says what failed when an error has no traceback, or one without the message", () => {
    const errorOf = (given: object): string => outputText([{ type: error, text: JSON.stringify(given) }]);
    const heading = "--- Output of cell 1 (error) ---\n";
    assert.equal(errorOf({ name: "E", message: "why" }), `${heading}E: why\n`);
    assert.equal(errorOf({ name: "E", message: "why", stack: "at a" }), `${heading}E: why\nat a\n`);
    assert.equal(outputText([{ type: error, text: "no JSON" }]), `${heading}no JSON\n`);
  });

  it("keeps the start and the end of a long output, and no part of a word at a cut", () => {
    const words = Array.from({ length: 2000 }, (_, index) => `word-${index}`).join(" ");
    const lines = outputText([{ type: stdout, text: words }]).split("\n");
    assert.match(lines[1] ?? "", /^word-0 .* word-\d+$/);
    assert.match(lines[2] ?? "", /^\[\d+ characters left out\]$/);
    assert.match(lines[3] ?? "", /^word-\d+ .* word-1999$/);
    for (const word of [lines[1], lines[3]].join(" ").split(" "))
      assert.ok(words.split(" ").includes(word), word);
    const oneWord = "k".repeat(5_000_000);
    assert.equal(
      outputText([{ type: stdout, text: oneWord }]),
      "--- Output of cell 1 (stdout) ---\n[5000000 characters left out]\n",
    );
  });

  it("stays short when thousands of cells have long outputs", () => {
    const cells = Array.from({ length: 5000 }, (_, index) => ({
      cell_type: "code",
      source: `x = ${index}`,
      outputs: [{ output_type: "stream", name: "stdout", text: "word ".repeat(2000) }],
    }));
    const text = writeCells(readNotebookJson(notebookJson(cells)) ?? assert.fail());
    assert.ok(text.includes("--- Cell 5000 (python) ---\nx = 4999\n"));
    assert.ok(text.length < 1_000_000, String(text.length));
  });

  it("numbers selected cells from their first, and says that a notebook has none", () => {
    assert.equal(
      writeCells([code("a"), code("b")], 3),
      "--- Cell 3 (python) ---\na\n\n--- Cell 4 (python) ---\nb\n",
    );
    assert.equal(
      writeCells(readNotebookJson(notebookJson([])) ?? assert.fail()),
      "(The notebook has no cells.)\n",
    );
  });

  it("is not read from other JSON, broken JSON or an older format", () => {
    const older = JSON.stringify({ nbformat: 3, worksheets: [{ cells: [] }], metadata: {} });
    const almost = '{"nbformat":3,"cells":[]}';
    for (const json of ["", "{", "[]", "null", '{"cells":[]}', '{"nbformat":4}', older, almost])
      assert.equal(readNotebookJson(json), undefined, json);
  });

  it("leaves out cells and outputs that are not as they should be", () => {
    const json = notebookJson([
      null,
      { cell_type: "heading", source: "gone" },
      {
        cell_type: "code",
        source: 7,
        outputs: [null, {}, { output_type: "stream", text: 7 }, { output_type: "error" }],
      },
      { cell_type: "code", source: ["kept"], metadata: null, outputs: "none" },
    ]);
    assert.equal(
      writeCells(readNotebookJson(json) ?? assert.fail()),
      `--- Cell 1 (python) ---
--- Output of cell 1 (stdout) ---
--- Output of cell 1 (error) ---

--- Cell 2 (python) ---
kept
`,
    );
  });

  it("is the same after its cells were copied, without outputs", () => {
    const cells: readonly NotebookCellText[] = [
      { kind: "markdown", language: "markdown", source: "# a", outputs: [] },
      code("b\nc", [{ type: stdout, text: "d" }]),
      { kind: "code", language: "raw", source: "", outputs: [] },
    ];
    assert.equal(writeSources(readCellsCopy(writeCellsCopy(cells)) ?? assert.fail()), writeSources(cells));
    assert.equal(readCellsCopy(notebookJson([])), undefined);
  });
});
