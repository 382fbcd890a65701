import * as vscode from "vscode";
import { extensionId } from "../../contributions.ts";
import { showErrorReason, showInformation, showWarning } from "../shared/notices.ts";
import { otherSide, preferredSide, type Side, withPreferredSide } from "../workspace/extensionSide.ts";
import type { State } from "../workspace/state.ts";

const section = "remote";
const setting = "extensionKind";
/** Set from a change until the next start of the window. VS Code keeps this state for both sides. */
const changedKey = "inference.sideChanged";

/**
 * Lets the user select the machine that the extension runs on in remote windows. Says what differs before it writes the
 * user setting `remote.extensionKind`. The next call changes it back.
 */
export async function selectSide(side: Side | undefined, state: State): Promise<void> {
  if (side === undefined) {
    const message = vscode.l10n.t("Inference Chat can run on only one machine in this window.");
    return void showInformation(message);
  }
  const wanted = readPreferred();
  if (wanted !== side) {
    // Until a reload, VS Code has not read the changed setting.
    return state.get(changedKey) === true ? offerReload(wanted, state) : offerInstallation(side, state);
  }
  const other = otherSide(side);
  if (!(await confirm(other))) return;
  if (await change(other, state)) await offerReload(other, state);
}

/** Tells the user after a reload if the extension is not installed on the chosen side. */
export async function reportUnfinishedChange(side: Side, state: State): Promise<void> {
  if (state.get(changedKey) !== true) return;
  await state.update(changedKey, undefined);
  if (readPreferred() !== side) await offerInstallation(side, state);
}

function readPreferred(): Side {
  return preferredSide(vscode.workspace.getConfiguration(section).get(setting), extensionId);
}

/** Writes the user setting. Shows why if it cannot be written, or if the workspace overrides it. */
async function change(side: Side, state: State): Promise<boolean> {
  const configuration = vscode.workspace.getConfiguration(section);
  const own = configuration.inspect(setting)?.globalValue;
  try {
    const value = withPreferredSide(own, extensionId, side);
    await configuration.update(setting, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    showErrorReason(error, (reason) =>
      vscode.l10n.t("Couldn't change remote.extensionKind in your user settings: {0}", reason),
    );
    return false;
  }
  if (readPreferred() !== side) {
    void showWarning(
      vscode.l10n.t(
        "The settings of this workspace contain remote.extensionKind, which decides where Inference Chat runs.",
      ),
    );
    return false;
  }
  await state.update(changedKey, true);
  return true;
}

async function confirm(side: Side): Promise<boolean> {
  const { t } = vscode.l10n;
  const message =
    side === "remote"
      ? t("Run Inference Chat on the remote machine?")
      : t("Run Inference Chat on your computer?");
  const button = side === "remote" ? t("Run on the Remote Machine") : t("Run on Your Computer");
  const more = t("Learn More");
  const detail = detailsOf(side).join("\n\n");
  const chosen = await showWarning(message, { modal: true, detail }, button, more);
  if (chosen === more) await showPage();
  return chosen === button;
}

/** Opens the page about remote windows, which comes with the extension. */
async function showPage(): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) return;
  const page = vscode.Uri.joinPath(extension.extensionUri, "docs", "remote.md");
  await vscode.commands.executeCommand("markdown.showPreview", page);
}

function detailsOf(side: Side): readonly string[] {
  const { t } = vscode.l10n;
  const own =
    side === "remote"
      ? [
          t("Git changes and commit messages then work, and files are listed faster."),
          t(
            "Requests then use the network and proxy of the remote machine. If you have keys for localhost, set them again: localhost then means the remote machine.",
          ),
          t(
            "Environment variables with keys are read on the remote machine. Stored keys stay in your computer's secret storage and are used on the remote machine.",
          ),
        ]
      : [
          t("Git changes and commit messages then don't work in remote windows."),
          t(
            "Requests then use the network and proxy of your computer. If you have keys for localhost, set them again: localhost then means your computer.",
          ),
          t("Environment variables with keys are read on your computer."),
        ];
  return [
    ...own,
    t(
      "Each machine has its own chats, drafts, and recorded requests. Nothing is deleted: your chats are back when you switch back.",
    ),
    t("This changes remote.extensionKind in your user settings, for all remote windows."),
  ];
}

async function offerReload(side: Side, state: State): Promise<void> {
  const { t } = vscode.l10n;
  const [reload, undo] = [t("Reload Window"), t("Undo")];
  const message =
    side === "remote"
      ? t("Reload the window to run Inference Chat on the remote machine.")
      : t("Reload the window to run Inference Chat on your computer.");
  const chosen = await showInformation(message, reload, undo);
  if (chosen === reload) await vscode.commands.executeCommand("workbench.action.reloadWindow");
  else if (chosen === undo && (await change(otherSide(side), state)))
    await state.update(changedKey, undefined);
}

/** The page of the extension has VS Code's button that installs it on the other machine. */
async function offerInstallation(side: Side, state: State): Promise<void> {
  const { t } = vscode.l10n;
  const show = t("Show Extension");
  const keep = side === "local" ? t("Keep on Your Computer") : t("Keep on the Remote Machine");
  const message =
    side === "local"
      ? t(
          "Inference Chat isn't installed on the remote machine. To install Inference Chat there, select Show Extension.",
        )
      : t(
          "Inference Chat isn't installed on your computer. To install Inference Chat there, select Show Extension.",
        );
  const chosen = await showInformation(message, show, keep);
  if (chosen === show) await vscode.commands.executeCommand("extension.open", extensionId);
  else if (chosen === keep && (await change(side, state))) await state.update(changedKey, undefined);
}
