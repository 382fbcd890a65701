import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ActiveLine } from "../../src/editor/shared/activeLine.ts";

const [first, second, newcomer] = ["first", "second", "newcomer"].map((label) => ({
  label,
  alwaysShow: true,
}));

describe("the active line of a list", () => {
  let picker: vscode.QuickPick<vscode.QuickPickItem>;
  let line: ActiveLine<vscode.QuickPickItem>;

  beforeEach(() => {
    picker = vscode.window.createQuickPick();
    line = new ActiveLine(picker);
  });
  afterEach(() => picker.dispose());

  function toldLine(): Promise<void> {
    return new Promise((resolve) => {
      picker.onDidChangeActive(() => resolve());
    });
  }

  function accepted(): Promise<readonly (string | undefined)[]> {
    return new Promise((resolve) => {
      picker.onDidAccept(() => resolve([line.item, picker.selectedItems[0]].map((item) => item?.label)));
    });
  }

  it("is the first line until VS Code reports another", async () => {
    assert.ok(first && second);
    const told = toldLine();
    line.replace([{ label: "days", kind: vscode.QuickPickItemKind.Separator }, first, second]);
    assert.equal(line.item, first);
    assert.equal(line.reported, undefined);
    picker.show();
    await told;
    assert.equal(line.reported, first);
    const moved = toldLine();
    await vscode.commands.executeCommand("workbench.action.quickOpenSelectNext");
    await moved;
    assert.equal(line.reported, second);
  });

  it("is the line on which Enter was pressed, even if another line has taken its place", async () => {
    assert.ok(first && second && newcomer);
    const told = toldLine();
    line.replace([first, second]);
    picker.show();
    await told;
    const taken = accepted();
    // The command reaches VS Code before the new lines.
    const pressed = vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    line.replace([newcomer, first, second], first);
    assert.deepEqual(await taken, ["first", "newcomer"], "the second is what the editor calls chosen");
    await pressed;
  });

  it("stays when the list gets the lines that it already has", async () => {
    assert.ok(first && second && newcomer);
    const told = toldLine();
    line.replace([first, second]);
    picker.show();
    await told;
    const moved = toldLine();
    await vscode.commands.executeCommand("workbench.action.quickOpenSelectNext");
    await moved;
    line.renew([{ ...first }, { ...second }], first);
    assert.equal(line.reported, second, "the editor is given nothing that it would have to answer");
    assert.equal(picker.items[0], first);
    line.renew([first, second, newcomer], first);
    assert.equal(line.reported, first);
    assert.deepEqual(picker.items, [first, second, newcomer]);
  });
});
