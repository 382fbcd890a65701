import { readFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import type { Editor } from "./endToEnd.ts";
import { partsOf } from "./workbench/parts.ts";

/**
 * With these settings, VS Code opens the settings file in a tab, where the palette works, and saves it automatically.
 */
export const settingsForHand = {
  "workbench.editor.useModal": "off",
  "files.autoSave": "afterDelay",
} as const;

export async function writeConnectionsByHand(editor: Editor, connections: readonly object[]): Promise<void> {
  await writeSettingsByHand(editor, { "inference.connections": connections });
}

/** Pastes the changed settings as a user does, because VS Code does not watch the settings file on disk. */
async function writeSettingsByHand(
  editor: Editor,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const others = v.parse(v.looseObject({}), JSON.parse(await readSettings(editor)));
  await pasteSettings(editor, JSON.stringify({ ...others, ...settings }));
}

/** The text of the settings file on disk. */
export async function readSettings(editor: Editor): Promise<string> {
  return readFile(path.join(editor.folders.userData, "User", "settings.json"), "utf8");
}

/** Opens the settings file and pastes a text over its whole content. The text may be invalid. */
export async function pasteSettings(editor: Editor, text: string): Promise<void> {
  const { palette, page } = partsOf(editor);
  await palette.runTitle("Preferences: Open User Settings (JSON)", "workbench.action.openSettingsJson");
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.locator(".monaco-editor .view-lines").first().click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("ControlOrMeta+V");
}
