import assert from "node:assert/strict";
import { type FocusedControl, focusedControl } from "../workbench/keyboardFocus.ts";
import type { OpenChatPage } from "./chatPages.ts";

/** The focused control, which must show a focus ring; undefined while the focus is outside of the page. */
export async function focused({ chat }: OpenChatPage): Promise<FocusedControl | undefined> {
  const stop = await focusedControl(chat.frame, "--vscode-sideBar-background");
  assert.ok(stop === undefined || stop.ring >= 3, `${stop?.name} shows no focus: ${stop?.ring} : 1`);
  return stop;
}

export async function focusedName(opened: OpenChatPage): Promise<string | undefined> {
  return (await focused(opened))?.name;
}

/** Presses the key until the focus leaves the page or reaches `last`. Returns the stops on the way. */
export async function walk(
  opened: OpenChatPage,
  key: string,
  last?: string,
): Promise<readonly FocusedControl[]> {
  const stops: FocusedControl[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await opened.page.keyboard.press(key);
    const stop = await focused(opened);
    if (stop === undefined) return stops;
    stops.push(stop);
    if (stop.name === last) return stops;
  }
  throw new Error(`The focus does not leave the page: ${namesOf(stops).join(", ")}`);
}

export function namesOf(stops: readonly FocusedControl[]): readonly string[] {
  return stops.map(({ name }) => name);
}
