import { readFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import type { Editor } from "../support/endToEnd.ts";
import { partsOf } from "../support/workbench/parts.ts";

/** The settings file opens as a tab, over which the palette can be called, and saves itself. */
export const settingsForHand = {
  "workbench.editor.useModal": "off",
  "files.autoSave": "afterDelay",
} as const;

export async function writeConnectionsByHand(editor: Editor, connections: readonly object[]): Promise<void> {
  await writeSettingsByHand(editor, { "inference.connections": connections });
}

/** Pastes these and the others into the settings file, as a person does; the editor does not watch it on the disk. */
async function writeSettingsByHand(
  editor: Editor,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const others = v.parse(v.looseObject({}), JSON.parse(await readSettings(editor)));
  await pasteSettings(editor, JSON.stringify({ ...others, ...settings }));
}

/** The settings file as it stands on the disk. */
export async function readSettings(editor: Editor): Promise<string> {
  return readFile(path.join(editor.folders.userData, "User", "settings.json"), "utf8");
}

/** Pastes a text into the settings file, whatever is wrong with it. */
export async function pasteSettings(editor: Editor, text: string): Promise<void> {
  const { palette, page } = partsOf(editor);
  await palette.runTitle("Preferences: Open User Settings (JSON)", "workbench.action.openSettingsJson");
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.locator(".monaco-editor .view-lines").first().click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("ControlOrMeta+V");
}
