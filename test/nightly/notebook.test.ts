import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Ask } from "../service/generation.ts";
import { attachFromButton } from "../support/contextWorkspace.ts";
import { proposalParts } from "../support/proposalParts.ts";
import { partsOf } from "../support/workbench/parts.ts";
import { withConnectedEditor } from "../support/withConnectedEditor.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const code = "def area(r):\n    return 3 * r * r\n\nprint(area(2))";
const better = code.replace("3 *", "3.14 *");
const notebook = {
  cells: [
    { cell_type: "markdown", id: "title", metadata: {}, source: ["# Circles"] },
    {
      cell_type: "code",
      id: "area",
      metadata: {},
      execution_count: 1,
      source: code.split(/(?<=\n)/),
      outputs: [{ output_type: "stream", name: "stdout", text: ["12\n"] }],
    },
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
};

describe("a notebook, in a real editor", () => {
  const asks: Ask[] = [];
  const { editor } = withConnectedEditor({
    key: fakeKey("notebook"),
    service: { answers: () => `\`\`\`python\n${better}\n\`\`\``, onAsk: (ask) => asks.push(ask) },
    prepareWorkspace: (folder) => writeFile(path.join(folder, "circles.ipynb"), JSON.stringify(notebook)),
    viewport: { width: 1500, height: 900 },
  });

  it("is attached by the command and its selected cell from the list, and changed after a review", async () => {
    const { chat, page, palette, quickInput, screenshot } = partsOf(editor);
    const { modified, press, closed, titleButton } = proposalParts(editor);
    await page.keyboard.press("Control+P");
    await quickInput.fill("circles.ipynb");
    await quickInput.root.locator(".monaco-list-row").filter({ hasText: "circles.ipynb" }).first().waitFor();
    await quickInput.accept();
    const cell = page.locator(".code-cell-row");
    await cell.locator(".view-lines").getByText("print").first().click();
    await attachFromButton(editor, "Selected Cells");
    await chat.attachment("circles.ipynb, cell 2").waitFor();
    await palette.run("inference.addFileToChat");
    await chat.attachment("circles.ipynb").waitFor();
    await screenshot("notebook-attached");
    await cell.locator(".view-lines").getByText("print").first().click();
    await palette.run("inference.editSelection");
    assert.equal((await quickInput.waitFor(/^Edit /)).title, "Edit circles.ipynb, cell 2");
    await quickInput.fill("Use a better pi");
    await quickInput.accept();
    await modified.filter({ hasText: /3\.14/ }).waitFor();
    await titleButton("Accept All Changes").waitFor();
    await screenshot("notebook-proposal");
    assert.match(asks.at(-1)?.messages.at(-1)?.text ?? "", /circles\.ipynb, cell 2[^]*Use a better pi/);
    await press("Accept All Changes");
    await closed();
    await cell.locator(".view-lines").getByText("3.14").first().waitFor();
    await screenshot("notebook-changed");
  });
});
