import assert from "node:assert/strict";
import { type Editor, type EditorOptions, openEditor } from "./endToEnd.ts";
import { describeWindow } from "./workbench/describeWindow.ts";

/**
 * Adds hooks to the current `describe`: the editor is open during all of its tests. After a failed test, takes a
 * screenshot of the window.
 *
 * @param options the options, or a function that returns them; it runs after all hooks that were added earlier
 */
export function withEditor(options: EditorOptions | (() => EditorOptions) = {}): Editor {
  let opened: (Editor & AsyncDisposable) | undefined;
  const open = (): Editor => opened ?? assert.fail("There is no editor before the first test.");

  before(async () => {
    opened = await openEditor(typeof options === "function" ? options() : options);
  });
  afterEach(async function () {
    await showFailedTest(open(), this.currentTest);
  });
  after(() => opened?.[Symbol.asyncDispose]());

  return {
    get workbench() {
      return open().workbench;
    },
    get server() {
      return open().server;
    },
    get folders() {
      return open().folders;
    },
    get workspace() {
      return open().workspace;
    },
  };
}

/** Takes a screenshot of the window for a failed test, and adds a description of the window to its error. */
async function showFailedTest({ workbench }: Editor, test: Mocha.Test | undefined): Promise<void> {
  if (test?.isFailed() !== true) return;
  await workbench.screenshot(`failed ${test.title.replaceAll("/", "-")}`);
  if (test.err !== undefined)
    test.err.stack = `${test.err.stack ?? test.err.message}\n${await describeWindow(workbench.page)}`;
}
