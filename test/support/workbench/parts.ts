import assert from "node:assert/strict";
import path from "node:path";
import type { Locator } from "playwright-core";
import type { Editor } from "../endToEnd.ts";
import { inPage } from "./inPage.ts";

/** Returns the parts of the window, so that a test reads like a user's actions. */
export function partsOf({ workbench }: Editor) {
  const { palette, quickInput, notifications, dialog, explorer, statusBar, chat, page } = workbench;
  const screenshot = (name: string): Promise<string> => workbench.screenshot(name);
  return {
    workbench,
    palette,
    quickInput,
    notifications,
    dialog,
    explorer,
    statusBar,
    chat,
    page,
    screenshot,
  };
}

/** Answers the prompts for a new connection: name, base URL, client style and key. */
export async function answerForAcme({ workbench }: Editor, address: string, key: string): Promise<void> {
  const { quickInput, notifications } = workbench;
  await quickInput.answer("a name for this connection", "Acme");
  await quickInput.waitFor("Base URL of the service");
  await quickInput.fill(address);
  await quickInput.waitFor(/Requests go to/);
  await quickInput.accept();
  await quickInput.waitFor("Which client style (format of requests) does the service use?");
  await quickInput.pick("chat-completions");
  await quickInput.answer("API key for 'Acme'", key);
  await notifications.message("Added 'Acme'");
}

/** Asks in a new chat, and returns the answer when it has ended. */
export async function askInNewChat({ workbench }: Editor, message: string): Promise<Locator> {
  const { chat } = workbench;
  await chat.open();
  await workbench.beginChat();
  await chat.send(message);
  const answer = chat.turns("Assistant").first();
  await answer.getByRole("button", { name: "Retry" }).waitFor();
  return answer;
}

/** Returns the text of a turn when it is fully rendered, which may be some frames after its end. */
export async function drawnText(turn: Locator): Promise<string> {
  await turn.locator(".markdown[aria-busy]").first().waitFor({ state: "detached" });
  return (await turn.textContent()) ?? "";
}

/** Copies the first block of code, and waits for the notice, which is visible only for a moment. */
export async function copyCode(answer: Locator): Promise<void> {
  await Promise.all([
    answer.getByText("Copied").first().waitFor(),
    answer.getByRole("button", { name: "Copy Code" }).first().click(),
  ]);
}

/** Waits until the place shows exactly this text: an answer is rendered some frames after it arrives. */
export async function showsText(place: Locator, text: string | null): Promise<void> {
  assert.equal(await place.evaluate(textOnceDrawn, text), text);
}

const textOnceDrawn = inPage<Promise<string | null>>(`(element, text) => new Promise((resolve) => {
  const look = () => {
    if (element.textContent === text) end();
  };
  const end = () => {
    drawings.disconnect();
    clearTimeout(limit);
    resolve(element.textContent);
  };
  const drawings = new MutationObserver(look);
  const limit = setTimeout(end, 60_000);
  drawings.observe(element, { childList: true, characterData: true, subtree: true });
  look();
})`);

/** Returns the folder that stores the chats for the value `everywhere` of the setting `inference.chat.history`. */
export function everywhereFolder({ folders }: Editor): string {
  const storage = path.join(folders.userData, "User", "globalStorage");
  return path.join(storage, "inference-chat.inference-chat", "conversations");
}
