import * as vscode from "vscode";
import { describeListed } from "../../chat/agent/otherTools.ts";
import { estimateRequest, usualRatio } from "../../chat/session/tokenEstimate.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import type { Tool } from "../../protocol/conversation/conversation.ts";
import { isOverWithin } from "../shared/abort.ts";
import { reportError, showInformation, showWarning } from "../shared/notices.ts";
import type { AgentServices } from "./agentServices.ts";
import { maxTools, optionalTools, ownTools } from "./agentTools.ts";
import { listOtherTools, ownToolHash, type SelectedTool } from "./otherTools.ts";

interface ToolItem extends vscode.QuickPickItem {
  /** Absent in the headings. */
  readonly choice?: { readonly tool: SelectedTool; readonly offered?: Tool };
}

/** UTF-16 units of a description in the list. */
const maxDetailLength = 200;
const startTimeoutMs = 30_000;

/** Lets the user select the tools that Agent mode offers in this workspace besides the usual ones. */
export async function selectTools(services: AgentServices): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    const manage = vscode.l10n.t("Manage Workspace Trust");
    const message = vscode.l10n.t("Agent tools aren't available in Restricted Mode.");
    if ((await showInformation(message, manage)) === manage)
      await vscode.commands.executeCommand("workbench.trust.manage");
    return;
  }
  const selected = await pickTools(services);
  if (selected !== undefined) await services.others.select(selected);
}

/** Undefined on Escape. */
async function pickTools(services: AgentServices): Promise<readonly SelectedTool[] | undefined> {
  const usual = ownTools("agent", services).map(({ offered }) => offered);
  const picker = vscode.window.createQuickPick<ToolItem>();
  const choices = () => picker.selectedItems.flatMap(({ choice }) => choice ?? []);
  const showTitle = (): void => {
    const selected = choices().flatMap(({ offered }) => offered ?? []);
    picker.title = titleOf([...usual, ...selected], picker.selectedItems.length);
  };
  const show = (checked: readonly SelectedTool[]): void => {
    picker.items = itemsOf(checked);
    picker.selectedItems = picker.items.filter(({ choice }) => choice && isAmong(choice.tool, checked));
    picker.placeholder =
      listOtherTools().length === 0
        ? vscode.l10n.t(
            "For more tools, start MCP servers with the button above, or install an extension that has tools.",
          )
        : vscode.l10n.t("Select the tools that Agent mode offers to the model in this workspace");
    showTitle();
  };
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.buttons = [{ iconPath: new vscode.ThemeIcon("play"), tooltip: vscode.l10n.t("Start MCP Servers") }];
  picker.onDidChangeSelection(showTitle);
  const start = async (): Promise<void> => {
    picker.busy = true;
    try {
      await startServers();
      show(choices().map(({ tool }) => tool));
    } finally {
      picker.busy = false;
    }
  };
  picker.onDidTriggerButton(() => reportError(start()));
  show(services.others.selected);
  try {
    return await new Promise((resolve) => {
      picker.onDidAccept(() => {
        const room = maxTools - usual.length;
        if (choices().length <= room) resolve(choices().map(({ tool }) => tool));
        else
          reportError(
            showWarning(vscode.l10n.t("Select up to {0} tools. More don't fit into a request.", room)),
          );
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function isAmong({ name, hash }: SelectedTool, tools: readonly SelectedTool[]): boolean {
  return tools.some((each) => each.name === name && each.hash === hash);
}

function titleOf(tools: readonly Tool[], count: number): string {
  const tokens = estimateRequest({ messages: [], tools }, usualRatio.charactersPerToken);
  return vscode.l10n.t(
    "Agent Tools: {0} Selected, About {1} Tokens per Request",
    count,
    new Intl.NumberFormat(vscode.env.language).format(tokens),
  );
}

/** The tools by their source. A selected tool that is not there now can still be deselected. */
function itemsOf(selected: readonly SelectedTool[]): readonly ToolItem[] {
  const listed = listOtherTools();
  const sources = [true, false].flatMap((isServer) => [
    ...new Set(listed.filter(({ isOfServer }) => isOfServer === isServer).map(({ source }) => source)),
  ]);
  const own = optionalTools.map(({ offered }): ToolItem => ({
    label: offered.name,
    detail: detailOf(offered.description),
    choice: { tool: { name: offered.name, hash: ownToolHash }, offered },
  }));
  const others = (wanted: string): readonly ToolItem[] =>
    listed
      .filter(({ source }) => source === wanted)
      .map((tool) => ({
        label: showInvisible(tool.title),
        description: descriptionOf(tool, selected),
        detail: detailOf(tool.description),
        choice: { tool, offered: describeListed(tool, tool.name) },
      }));
  const names = new Set([...listed, ...optionalTools.map(({ offered }) => offered)].map(({ name }) => name));
  const missing = selected
    .filter(({ name }) => !names.has(name))
    .map((tool): ToolItem => ({ label: showInvisible(tool.name), choice: { tool } }));
  return [
    ...withHeading(vscode.l10n.t("Inference Chat"), own),
    ...sources.flatMap((source) => withHeading(showInvisible(source), others(source))),
    ...withHeading(vscode.l10n.t("Not available now"), missing),
  ];
}

function withHeading(label: string, items: readonly ToolItem[]): readonly ToolItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function descriptionOf(
  { name, title, hash }: SelectedTool & { readonly title: string },
  selected: readonly SelectedTool[],
): string {
  const isChanged = selected.some((each) => each.name === name && each.hash !== hash);
  if (isChanged) return vscode.l10n.t("changed since you selected it");
  return name === title ? "" : showInvisible(name);
}

function detailOf(description: string): string {
  return showInvisible(description.replaceAll(/\s+/g, " ").slice(0, maxDetailLength));
}

/** Starts all MCP servers. An older VS Code cannot do this, so it lists the servers. */
async function startServers(): Promise<void> {
  const starting = vscode.commands.executeCommand("workbench.mcp.startServer", "*", {
    waitForLiveTools: true,
  });
  await isOverWithin(Promise.resolve(starting), startTimeoutMs);
  const hasTools = listOtherTools().some(({ isOfServer }) => isOfServer);
  if (!hasTools) await vscode.commands.executeCommand("workbench.mcp.listServer");
}
