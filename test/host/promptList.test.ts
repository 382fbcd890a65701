import assert from "node:assert/strict";
import * as vscode from "vscode";
import { promptForEdit, type PromptItem } from "../../src/editor/inPlace/promptForEdit.ts";
import { PromptMemory } from "../../src/editor/inPlace/promptMemory.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";

const enter = () => vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");

describe("the list that asks what to change", () => {
  let picker: vscode.QuickPick<PromptItem>;
  let memory: PromptMemory;

  beforeEach(async () => {
    picker = vscode.window.createQuickPick();
    memory = new PromptMemory(createMemento());
    await memory.add("Name the unit");
  });
  afterEach(() => picker.dispose());

  function toldLine(): Promise<void> {
    return new Promise((resolve) => {
      const listening = picker.onDidChangeActive(() => {
        listening.dispose();
        resolve();
      });
    });
  }

  it("accepts the active earlier prompt", async () => {
    const told = toldLine();
    const asked = promptForEdit("Edit", "What to change?", memory, picker);
    await told;
    await enter();
    assert.equal(await asked, "Name the unit");
  });

  it("accepts the whole typed text, even if Enter comes before the list is updated", async () => {
    const asked = promptForEdit("Edit", "What to change?", memory, picker);
    let told = toldLine();
    picker.value = "Count fr";
    await told;
    while (picker.activeItems[0]?.prompt !== "Count fr") {
      told = toldLine();
      await told;
    }
    // When Enter is pressed, the list already has its new lines, but VS Code has not received them.
    const pressed = new Promise<void>((resolve, reject) => {
      picker.onDidChangeValue(() => void enter().then(() => resolve(), reject));
    });
    picker.value = "Count from one";
    await pressed;
    assert.equal(await asked, "Count from one");
  });
});
