import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { type AgentTask, assertFiles, type TaskCard, writeTask } from "./agentTasks.ts";
import { askByKeyboard, beginChatIn, pressInLastTurn } from "./chatByKeyboard.ts";
import type { Editor } from "./endToEnd.ts";
import type { TestService } from "./withService.ts";
import { drawnText, partsOf } from "./workbench/parts.ts";

const buttons = { call: "Allow", answer: "Allow Edits for This Answer" } as const;

/** Waits for a card, and replies to it by keyboard. The focus must be in the composer, and is there again at the end. */
export async function replyToCard(
  editor: Editor,
  { subject, reply, isActing = false }: TaskCard,
): Promise<void> {
  const { chat, page } = partsOf(editor);
  const card = chat.frame.getByRole("group", { name: "Approval needed" });
  const isEdit = card.getByText(`Edit '${subject}'?`, { exact: true });
  const isCommand = card.getByRole("group", { name: "Command" }).getByText(subject, { exact: true });
  await isEdit.or(isCommand).waitFor();
  assert.equal(
    await card.getByText("VS Code or other tools run what this file says.").count(),
    isActing ? 1 : 0,
  );
  await chat.frame.locator("textarea:focus").waitFor();
  if (reply.type === "deny") {
    await pressInLastTurn(editor, "textbox Reason (optional)");
    await page.keyboard.type(reply.why);
    await page.keyboard.press("Escape");
  } else {
    assert.ok(reply.scope === "call" || reply.scope === "answer");
    await pressInLastTurn(editor, `button ${buttons[reply.scope]}`);
  }
  await chat.frame.locator("textarea:focus").waitFor();
}

/** Undoes the changes of the last answer by keyboard. Returns the notification. */
export async function undoByKeyboard(editor: Editor): Promise<string> {
  const { chat, notifications } = partsOf(editor);
  await pressInLastTurn(editor, "button Undo");
  await chat.frame
    .getByRole("group", { name: "Changed files" })
    .getByText("Undone", { exact: true })
    .waitFor();
  return notifications.message(/^Undid the changes to /);
}

/**
 * Plays a task by keyboard alone, and checks what the service received, what the user sees, and the files. Undoes the
 * changes at the end.
 */
export async function playAgentTask(
  editor: Editor,
  service: TestService,
  task: AgentTask,
  screenshot: string,
): Promise<void> {
  const { chat, notifications, workbench } = partsOf(editor);
  await writeTask(editor.workspace, task);
  await beginChatIn(editor, "Agent");
  service.journal.clear();
  service.script.clear();
  service.script.add(task.script);
  await askByKeyboard(editor, task.question);
  for (const card of task.cards) await replyToCard(editor, card);
  const answer = chat.turns("Assistant").first();
  await answer.getByRole("button", { name: "Retry" }).waitFor();
  assert.equal(service.script.left, 0, await answer.innerText());
  assert.equal(service.journal.answers.length, task.script.length);
  assert.ok((await drawnText(answer)).includes(task.answer), await answer.innerText());
  assert.deepEqual(await linesOf(answer), task.lines);
  await assertFiles(editor.workspace, task, task.after);
  await workbench.screenshot(screenshot);
  await undoByKeyboard(editor);
  await assertFiles(editor.workspace, task);
  await notifications.clear();
  await chat.open();
}

/** The lines of the calls, without those that fold several calls. */
function linesOf(answer: Locator): Promise<string[]> {
  return answer.locator(".tool-call:not(.tool-group) > summary").allTextContents();
}
