import * as vscode from "vscode";
import { commandIds, contextKeys } from "../../contributions.ts";
import type { ChatServices } from "../chat/chatTarget.ts";
import { isGitOnOtherSide, lacksGit } from "../files/gitRepositories.ts";
import { afterStart, type Loading, register, registerCommands, setContext } from "../shared/registration.ts";

/** Registers the commit message commands, and the context key for a missing Git extension. */
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

/** Sets whether the Git extension is missing. If it is only on the other side, the commands say so. */
function updateGitContext(): void {
  setContext(contextKeys.lacksGit, lacksGit() && !isGitOnOtherSide());
}
