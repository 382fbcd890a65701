import * as vscode from "vscode";
import type { Addressee } from "../../client/request/requestMemory.ts";
import type { ChatMode } from "../../chat/transcript/steps.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { capabilitiesOf } from "../service/modelCapabilities.ts";
import { commandIds } from "../../contributions.ts";
import { showInformation } from "../shared/notices.ts";

/** Why Plan mode cannot be used. */
export type PlanObstacle =
  /** The workspace is in Restricted Mode. */
  | "restricted"
  /** Nobody has tested whether the model takes tools, or the test was inconclusive. */
  | "not-verified"
  /** The service has rejected tools, the test has failed, or the user's setting says so. */
  | "no-tools";

/** Returns the obstacle for a model; undefined if Plan mode can be used. */
export function planObstacle(
  compatibility: CompatibilityStore,
  addressee: Addressee,
): PlanObstacle | undefined {
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
  }
}

/** Asks for the mode of a chat. Undefined if nothing is selected, or the mode cannot be used. */
export async function pickMode(
  current: ChatMode,
  obstacle: PlanObstacle | undefined,
): Promise<ChatMode | undefined> {
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
      ...(obstacle === undefined ? {} : { description: vscode.l10n.t("not available") }),
    },
  ];
  const marked = items.map((item) => (item.mode === current ? { ...item, picked: true } : item));
  const chosen = await vscode.window.showQuickPick(marked, {
    title: vscode.l10n.t("Mode of This Chat"),
    placeHolder: vscode.l10n.t("Select a mode"),
  });
  if (chosen?.mode !== "plan" || obstacle === undefined) return chosen?.mode;
  await explainObstacle(obstacle);
  return undefined;
}

async function explainObstacle(obstacle: PlanObstacle): Promise<void> {
  switch (obstacle) {
    case "restricted":
      await offer(
        vscode.l10n.t("Plan mode isn't available in Restricted Mode."),
        vscode.l10n.t("Manage Workspace Trust"),
        "workbench.trust.manage",
      );
      return;
    case "not-verified":
      await offer(
        vscode.l10n.t("Plan mode needs a model that can call tools, and this model hasn't been tested."),
        vscode.l10n.t("Verify Compatibility..."),
        commandIds.verifyCompatibility,
      );
      return;
    case "no-tools":
      await offer(
        vscode.l10n.t("Plan mode needs a model that can call tools. This model can't."),
        vscode.l10n.t("Select Model"),
        commandIds.selectModel,
      );
      return;
  }
}

async function offer(message: string, action: string, command: string): Promise<void> {
  if ((await showInformation(message, action)) === action) await vscode.commands.executeCommand(command);
}
