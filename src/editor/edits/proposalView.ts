import * as vscode from "vscode";
import type { Hunk } from "../../chat/edits/proposedEdit.ts";
import { proposalScheme } from "../../contributions.ts";
import { fileOf, findCell } from "../shared/notebooks.ts";
import { withCellName } from "../files/workspacePaths.ts";
import type { Proposal } from "./proposal.ts";

/** Returns the URI of the proposal in the active tab. */
export function activeProposal(): vscode.Uri | undefined {
  return proposalIn(vscode.window.tabGroups.activeTabGroup.activeTab);
}

export function proposalIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposalScheme
    ? input.modified
    : undefined;
}

/** Opens a diff between a file and its proposal. */
export async function openDiff({ uri, target }: Proposal, line: number): Promise<void> {
  const left = target.exists ? target.uri : uri.with({ fragment: "empty" });
  const title = vscode.l10n.t("{0} (proposed changes)", nameOf(target.uri));
  const selection = new vscode.Range(line, 0, line, 0);
  const cell = findCell(target.uri);
  if (cell !== undefined) {
    // The ending of the notebook says nothing about the language of the cell.
    const right = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(right, cell.document.languageId);
  }
  await vscode.commands.executeCommand("vscode.diff", left, uri, title, { preview: false, selection });
}

export async function closeDiff(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(tabsOf(uri));
}

/** Returns all tabs that show a proposal. A split diff has several. */
export function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => proposalIn(tab)?.toString() === uri.toString());
}

/**
 * Returns the hunk at `line` of the proposal, or at the caret on either side of the diff. If there is none, returns the
 * next hunk, or else the last.
 */
export function hunkAtCaret(proposal: Proposal, line?: number): Hunk | undefined {
  const editor = vscode.window.activeTextEditor;
  const isProposal = editor?.document.uri.toString() === proposal.uri.toString();
  const caret = line ?? editor?.selection.active.line ?? 0;
  const { hunks } = proposal;
  const found = hunks.find(({ start, removed, shownAt, added }) =>
    isProposal || line !== undefined
      ? caret < shownAt + Math.max(added.length, 1)
      : caret < start + Math.max(removed, 1),
  );
  return found ?? hunks.at(-1);
}

/** Moves the caret to a line of the proposal if its diff is visible. */
export function revealLine({ uri }: Proposal, line: number): void {
  const shown = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === uri.toString(),
  );
  if (shown === undefined) return;
  const position = new vscode.Position(line, 0);
  shown.selection = new vscode.Selection(position, position);
  shown.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

export function nameOf(uri: vscode.Uri): string {
  return withCellName(uri, vscode.workspace.asRelativePath(fileOf(uri).with({ query: "" })));
}

/** Shows the number of undecided changes and the request's details in the status bar. */
export class ProposalStatus implements vscode.Disposable {
  readonly #find: (uri: vscode.Uri) => Proposal | undefined;
  readonly #item = vscode.window.createStatusBarItem(
    "inference.proposal",
    vscode.StatusBarAlignment.Left,
    -10_000,
  );
  readonly #subscription = vscode.window.tabGroups.onDidChangeTabs(() => this.refresh());

  constructor(find: (uri: vscode.Uri) => Proposal | undefined) {
    this.#find = find;
    this.#item.name = vscode.l10n.t("Proposed changes");
  }

  refresh(): void {
    const uri = activeProposal();
    const proposal = uri && this.#find(uri);
    if (proposal === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = proposal.isArriving
      ? `$(loading~spin) ${vscode.l10n.t("Receiving changes...")}`
      : `$(diff) ${countText(proposal)}`;
    this.#item.tooltip = proposal.facts;
    if (proposal.facts !== "") this.#item.text += ` · ${proposal.facts}`;
    this.#item.show();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }
}

function countText({ hunks }: Proposal): string {
  const conflicts = hunks.filter(({ kind }) => kind === "conflict").length;
  const left =
    hunks.length === 1
      ? vscode.l10n.t("1 change to review")
      : vscode.l10n.t("{0} changes to review", hunks.length);
  return conflicts === 0 ? left : `${left}, ${vscode.l10n.t("{0} in lines you changed", conflicts)}`;
}

/** Minimum time between two updates of a proposal, in milliseconds. */
const minPauseMs = 60;
/** Pause after an update, as a multiple of the time that the update took. */
const restFactor = 4;

/** Provides the right sides of the diffs. */
export class ProposalDocuments implements vscode.Disposable {
  readonly #find: (uri: vscode.Uri) => Proposal | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #onShow: () => void;
  #lastCost = 0;

  /** @param onShow called after each update */
  constructor(find: (uri: vscode.Uri) => Proposal | undefined, onShow: () => void) {
    this.#find = find;
    this.#onShow = onShow;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#textOf(uri),
    });
  }

  /** Updates the proposal soon. Calls during the pause share one update. */
  refresh({ uri }: Proposal): void {
    const key = uri.toString();
    if (this.#waiting.has(key)) return;
    const show = (): void => {
      this.#waiting.delete(key);
      this.#changed.fire(uri);
      this.#onShow();
    };
    this.#waiting.set(key, setTimeout(show, Math.max(minPauseMs, restFactor * this.#lastCost)));
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #textOf(uri: vscode.Uri): string {
    if (uri.fragment === "empty") return "";
    const began = performance.now();
    const text = this.#find(uri)?.text ?? "";
    this.#lastCost = performance.now() - began;
    return text;
  }
}
