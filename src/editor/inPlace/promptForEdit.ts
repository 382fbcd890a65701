import * as vscode from "vscode";
import { ActiveLine } from "../shared/activeLine.ts";
import { showErrorReason } from "../shared/notices.ts";
import { offerUndo } from "../shared/offerUndo.ts";
import type { PromptMemory } from "./promptMemory.ts";

export interface PromptItem extends vscode.QuickPickItem {
  readonly prompt: string;
}

/** Prompts for a change and lists earlier prompts below the typed text. Resolves to undefined on Escape. */
export async function promptForEdit(
  title: string,
  placeholder: string,
  memory: PromptMemory,
  pick = vscode.window.createQuickPick<PromptItem>(),
): Promise<string | undefined> {
  const line = new ActiveLine(pick);
  const take = {
    iconPath: new vscode.ThemeIcon("edit"),
    tooltip: vscode.l10n.t("Edit Prompt Before Sending"),
  };
  const forget = { iconPath: new vscode.ThemeIcon("close"), tooltip: vscode.l10n.t("Remove Earlier Prompt") };
  const show = (): void => {
    const typed = pick.value.trim();
    const own = { label: typed, iconPath: new vscode.ThemeIcon("sparkle"), prompt: typed, alwaysShow: true };
    const earlier = memory.all
      .filter((prompt) => prompt !== typed)
      .map((prompt): PromptItem => ({
        label: prompt,
        iconPath: new vscode.ThemeIcon("history"),
        prompt,
        buttons: [take, forget],
      }));
    line.replace(typed === "" ? earlier : [own, ...earlier]);
  };
  pick.title = title;
  pick.placeholder = vscode.l10n.t("{0} · billable request", placeholder);
  pick.ignoreFocusOut = true;
  show();
  try {
    return await new Promise<string | undefined>((resolve) => {
      pick.onDidChangeValue(show);
      pick.onDidTriggerItemButton(({ item, button }) => {
        if (button === forget) forgetPrompt(memory, item.prompt, show);
        else {
          pick.value = item.prompt;
          show();
        }
      });
      pick.onDidAccept(() => {
        // Until VS Code reports an active line for these items, its active line may belong to an earlier input.
        const prompt = (line.reported?.prompt ?? pick.value).trim();
        if (prompt !== "") resolve(prompt);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function forgetPrompt(memory: PromptMemory, prompt: string, show: () => void): void {
  const change = async (): Promise<void> => {
    const before = memory.all;
    await memory.remove(prompt);
    show();
    offerUndo(vscode.l10n.t("Removed the prompt from the list of earlier prompts."), async () => {
      await memory.restore(prompt, before);
      show();
    });
  };
  change().catch((error: unknown) =>
    showErrorReason(error, (reason) => vscode.l10n.t("Couldn't remove the earlier prompt: {0}", reason)),
  );
}
