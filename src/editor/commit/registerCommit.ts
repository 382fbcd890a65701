import * as vscode from "vscode";
import { commandIds, contextKeys } from "../../contributions.ts";
import type { ChatServices } from "../chat/chatTarget.ts";
import { afterStart, type Loading, register, registerCommands, setContext } from "../shared/registration.ts";

/** Commit messages in the source control's box, and whether there can be any. */
export function registerCommit(context: vscode.ExtensionContext, { load }: Loading<ChatServices>): void {
  registerCommands(context, "commit", async () => {
    const { CommitMessages } = await import("./commitMessages.ts");
    const messages = new CommitMessages(await load(), (isRunning) =>
      setContext(contextKeys.commitMessageRunning, isRunning),
    );
    const generate = (pressed: unknown): Promise<void> => messages.generate(pressed);
    return {
      [commandIds.generateCommitMessage]: generate,
      [commandIds.writeCommitMessage]: generate,
      [commandIds.stopCommitMessage]: () => messages.stop(),
    };
  });
  afterStart(context, async () => {
    updateGitContext();
    register(context, vscode.extensions.onDidChange(updateGitContext));
  });
}

/** Whether the git extension runs where this one does; in another extension host nobody reaches it. */
function updateGitContext(): void {
  setContext(contextKeys.lacksGit, vscode.extensions.getExtension("vscode.git") === undefined);
}
