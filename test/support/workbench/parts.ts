import assert from "node:assert/strict";
import path from "node:path";
import type { Locator } from "playwright-core";
import type { Editor } from "../endToEnd.ts";
import { inPage } from "./inPage.ts";

/** The parts of the window, so that a test reads like what a person does. */
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

/** Answers what is asked for a new connection: its name, address, style and key. */
export async function answerForAcme({ workbench }: Editor, address: string, key: string): Promise<void> {
  const { quickInput, notifications } = workbench;
  await quickInput.answer("A name for this connection", "Acme");
  await quickInput.waitFor("Base URL of the service");
  await quickInput.fill(address);
  await quickInput.waitFor(/Requests go to/);
  await quickInput.accept();
  await quickInput.waitFor("The client style of the requests");
  await quickInput.pick("chat-completions");
  await quickInput.answer("API key for 'Acme'", key);
  await notifications.message("Added 'Acme'");
}

/** Asks in a new chat, and gives its answer once that has ended. */
export async function askInNewChat({ workbench }: Editor, message: string): Promise<Locator> {
  const { chat } = workbench;
  await chat.open();
  await workbench.beginChat();
  await chat.send(message);
  const answer = chat.turns("Assistant").first();
  await answer.getByRole("button", { name: "Retry" }).waitFor();
  return answer;
}

/** What a turn says, once all of it is drawn, which may be some frames after it has ended. */
export async function drawnText(turn: Locator): Promise<string> {
  await turn.locator(".markdown[aria-busy]").first().waitFor({ state: "detached" });
  return (await turn.textContent()) ?? "";
}

/** Copies the first block of code, which is said for a moment alone. */
export async function copyCode(answer: Locator): Promise<void> {
  await Promise.all([
    answer.getByText("Copied").first().waitFor(),
    answer.getByRole("button", { name: "Copy Code" }).first().click(),
  ]);
}

/** Waits until exactly this text is shown there: an answer is drawn some frames after it came onto the page. */
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

/** Where the extension keeps chats with the setting `inference.chat.history`: everywhere. */
export function everywhereFolder({ folders }: Editor): string {
  const storage = path.join(folders.userData, "User", "globalStorage");
  return path.join(storage, "inference-chat.inference-chat", "conversations");
}
