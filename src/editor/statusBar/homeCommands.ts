import * as vscode from "vscode";
import { commandIds, contextKeys } from "../../contributions.ts";
import { CommitMessages, type CommitMessagesOptions } from "../commit/commitMessages.ts";
import { type StatusMenuOptions, showStatusMenu } from "./statusMenu.ts";
import type { CommandTable } from "../shared/commandGroups.ts";

export type HomeCommandsOptions = StatusMenuOptions & Omit<CommitMessagesOptions, "onRunning">;

/** What is at home in other parts of the editor: the status bar's menu and the box of commit messages. */
export function homeCommands(options: HomeCommandsOptions): CommandTable<"home"> {
  const commitMessages = new CommitMessages({ ...options, onRunning: tellRunning });
  return {
    [commandIds.showMenu]: () => showStatusMenu(options),
    [commandIds.generateCommitMessage]: (pressed) => commitMessages.generate(pressed),
    [commandIds.writeCommitMessage]: (pressed) => commitMessages.generate(pressed),
    [commandIds.stopCommitMessage]: () => commitMessages.stop(),
  };
}

function tellRunning(isRunning: boolean): void {
  vscode.commands
    .executeCommand("setContext", contextKeys.commitMessageRunning, isRunning)
    .then(undefined, () => undefined);
}
