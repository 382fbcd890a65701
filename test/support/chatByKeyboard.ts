import assert from "node:assert/strict";
import type { Editor } from "./endToEnd.ts";
import { focusedControl } from "./workbench/keyboardFocus.ts";
import { partsOf } from "./workbench/parts.ts";

/** Begins a chat in a mode by keyboard, with the focus in the composer. The view must have the focus. */
export async function beginChatIn(editor: Editor, mode: "Plan" | "Agent"): Promise<void> {
  const { workbench, chat, page, quickInput } = partsOf(editor);
  await workbench.beginChat();
  // VS Code learns a moment later that the chat has the focus. The extension's list of files comes after that.
  await page.keyboard.type("#readings");
  await chat.offer(/readings\.csv/).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+.");
  await quickInput.waitFor("Select a mode");
  await quickInput.row(mode).waitFor();
  for (let rows = mode === "Plan" ? 1 : 2; rows > 0; rows -= 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await chat.frame.locator("textarea:focus").waitFor();
  await chat.button(`Mode: ${mode}`).waitFor();
}

/** Types a question into the composer, which has the focus, and sends it. */
export async function askByKeyboard({ workbench }: Editor, question: string): Promise<void> {
  await workbench.page.keyboard.type(question);
  await workbench.page.keyboard.press("Enter");
}

/** Goes from the composer to a control of the last turn, like a keyboard user, and presses it. */
export async function pressInLastTurn({ workbench }: Editor, name: string): Promise<void> {
  const { chat, page } = workbench;
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  const stops: string[] = [];
  while (stops.at(-1) !== name) {
    assert.ok(stops.length < 30, `There is no ${name} among: ${stops.join(", ")}`);
    await page.keyboard.press("Tab");
    const stop = await focusedControl(chat.frame, "--vscode-sideBar-background");
    assert.ok(stop === undefined || stop.ring >= 3, `${stop?.name} shows no focus`);
    stops.push(stop?.name ?? "");
  }
  await page.keyboard.press("Enter");
}
