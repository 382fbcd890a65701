import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ActiveLine } from "../../src/editor/shared/activeLine.ts";

const [first, second, newcomer] = ["first", "second", "newcomer"].map((label) => ({
  label,
  alwaysShow: true,
}));

describe("the line of a list that its user is on", () => {
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

  it("is the first until the editor has told another", async () => {
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

  it("is the one on which Enter was pressed, though another stands in its place by then", async () => {
    assert.ok(first && second && newcomer);
    const told = toldLine();
    line.replace([first, second]);
    picker.show();
    await told;
    const taken = accepted();
    // Is on its way to the editor before the other lines are.
    const pressed = vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    line.replace([newcomer, first, second], first);
    assert.deepEqual(await taken, ["first", "newcomer"], "the second is what the editor calls chosen");
    await pressed;
  });

  it("stays where it is when the list is given the lines that it has", async () => {
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
