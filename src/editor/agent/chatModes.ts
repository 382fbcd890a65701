import * as vscode from "vscode";
import type { Addressee } from "../../client/request/requestMemory.ts";
import { describeObstacle, mendingLabel, type ModeObstacle } from "../../chat/agent/modeObstacle.ts";
import type { ChatMode } from "../../chat/transcript/steps.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { capabilitiesOf } from "../service/modelCapabilities.ts";
import { commandIds } from "../../contributions.ts";
import { showInformation, showWarning } from "../shared/notices.ts";

/** Returns the obstacle for a model; undefined if Plan mode can be used. */
export function planObstacle(
  compatibility: CompatibilityStore,
  addressee: Addressee,
): ModeObstacle | undefined {
  if (!vscode.workspace.isTrusted) return "restricted";
  const { has, by } = capabilitiesOf(compatibility, addressee).tools;
  if (has) return undefined;
  return by === "nothing" || by === "unclear" ? "not-verified" : "no-tools";
}

interface ModeItem extends vscode.QuickPickItem {
  readonly mode: ChatMode;
}

/** The mode's name, as the composer shows it. */
function modeTitle(mode: ChatMode): string {
  switch (mode) {
    case "ask":
      return vscode.l10n.t("Ask");
    case "plan":
      return vscode.l10n.t("Plan");
    case "agent":
      return vscode.l10n.t("Agent");
  }
}

/** Asks for the mode of a chat. Undefined if nothing is selected, or the mode cannot be used. */
export async function pickMode(
  current: ChatMode,
  obstacle: ModeObstacle | undefined,
  mending: ModeMending,
): Promise<ChatMode | undefined> {
  const unavailable = obstacle === undefined ? {} : { description: vscode.l10n.t("not available") };
  const items: readonly ModeItem[] = [
    {
      mode: "ask",
      label: modeTitle("ask"),
      detail: vscode.l10n.t("Answers with what you attach. Uses no tools."),
    },
    {
      mode: "plan",
      label: modeTitle("plan"),
      detail: vscode.l10n.t(
        "Reads this workspace with tools. One answer can send several billable requests.",
      ),
      ...unavailable,
    },
    {
      mode: "agent",
      label: modeTitle("agent"),
      detail: vscode.l10n.t(
        "Also edits files and runs commands. You are asked before each, unless you have allowed it.",
      ),
      ...unavailable,
    },
  ];
  const marked = items.map((item) => (item.mode === current ? { ...item, picked: true } : item));
  const chosen = await vscode.window.showQuickPick(marked, {
    title: vscode.l10n.t("Mode of This Chat"),
    placeHolder: vscode.l10n.t("Select a mode"),
  });
  if (chosen === undefined || chosen.mode === "ask" || obstacle === undefined) return chosen?.mode;
  await explainObstacle(chosen.mode, obstacle, mending);
  return undefined;
}

async function explainObstacle(mode: ChatMode, obstacle: ModeObstacle, mending: ModeMending): Promise<void> {
  const mend = mendingLabel(obstacle, vscode.l10n.t);
  const text = describeObstacle(obstacle, modeTitle(mode), vscode.l10n.t);
  if ((await showInformation(text, mend)) === mend) await mendObstacle(obstacle, mending);
}

/**
 * Asks before a question is sent in Ask mode instead of the chat's mode. False if it is not to be sent, also if the user
 * chooses to remove the obstacle.
 */
export async function confirmAskMode(
  mode: ChatMode,
  obstacle: ModeObstacle,
  mending: ModeMending,
): Promise<boolean> {
  const mend = mendingLabel(obstacle, vscode.l10n.t);
  const send = vscode.l10n.t("Send in Ask Mode");
  const detail = vscode.l10n.t("Nothing was sent. In Ask mode, the model uses no tools.");
  const text = describeObstacle(obstacle, modeTitle(mode), vscode.l10n.t);
  const chosen = await showWarning(text, { modal: true, detail }, mend, send);
  if (chosen === mend) await mendObstacle(obstacle, mending);
  return chosen === send;
}

/** Opens what removes an obstacle. */
export async function mendObstacle(obstacle: ModeObstacle, mending: ModeMending): Promise<void> {
  switch (obstacle) {
    case "restricted":
      return vscode.commands.executeCommand("workbench.trust.manage");
    case "not-verified":
      return vscode.commands.executeCommand(commandIds.verifyCompatibility, mending.verified);
    case "no-tools":
      return mending.selectModel();
  }
}

/** How an obstacle of a chat is removed. */
export interface ModeMending {
  /** The chat's connection and model; undefined for those of the workspace. */
  readonly verified: { readonly connection: string; readonly model: string } | undefined;
  /** Lets the user select another model for the chat. */
  readonly selectModel: () => Promise<void>;
}
