import type { Editor } from "../support/endToEnd.ts";

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

/** What the window showed when a test failed, beside the other screenshots. */
export async function showFailedTest(editor: Editor, test: Mocha.Test | undefined): Promise<void> {
  if (test?.isFailed()) await editor.workbench.screenshot(`failed ${test.title.replaceAll("/", "-")}`);
}
