import * as vscode from "vscode";
import { fileInComment } from "../chat/namedFiles.ts";
import type { CodeBlockText } from "../chat/panelProtocol.ts";
import { replaceSelection } from "../chat/selectionPlacement.ts";
import { placeSnippet } from "../chat/snippetPlacement.ts";
import { findChanges, type TextChange } from "../chat/textChanges.ts";
import { proposalScheme } from "../contributions.ts";
import type { LastTextEditor } from "./lastTextEditor.ts";
import { chooseChanges, writeChanges } from "./proposalChanges.ts";
import { chooseTarget, type ProposalTarget } from "./proposalTarget.ts";

interface Proposal {
  readonly target: ProposalTarget;
  readonly code: string;
  /** The file's text that the proposal was made for, with `\n`. */
  before: string;
  after: string;
}

/** Shows what a block would change in a file, and makes the changes that the user accepts. */
export class CodeProposals implements vscode.Disposable {
  readonly #lastEditor: LastTextEditor;
  readonly #proposals = new Map<string, Proposal>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #count = 0;

  constructor(lastEditor: LastTextEditor) {
    this.#lastEditor = lastEditor;
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#textOf(uri),
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#forget(closed)),
    ];
  }

  /** Finds the file, and shows the changes beside it. */
  async propose(block: CodeBlockText): Promise<void> {
    const target = await chooseTarget(block, this.#lastEditor);
    if (target === undefined) return;
    const code = withoutFileComment(block.text);
    const before = target.exists ? await readText(target.uri) : "";
    const after = proposedText(before, code, target);
    if (before === after) {
      tell(vscode.l10n.t("{0} has this code already.", nameOf(target.uri)));
      return;
    }
    this.#count += 1;
    const uri = target.uri.with({ scheme: proposalScheme, query: String(this.#count), fragment: "" });
    this.#proposals.set(uri.toString(), { target, code, before, after });
    const left = target.exists ? target.uri : uri.with({ fragment: "empty" });
    const title = vscode.l10n.t("{0} (proposed changes)", nameOf(target.uri));
    await vscode.commands.executeCommand("vscode.diff", left, uri, title, { preview: false });
  }

  async acceptAll(uri: vscode.Uri | undefined): Promise<void> {
    await this.#accept(uri, (changes) => Promise.resolve(changes));
  }

  /** Asks which of the changes to make. */
  async acceptSome(uri: vscode.Uri | undefined): Promise<void> {
    await this.#accept(uri, chooseChanges);
  }

  async reject(uri: vscode.Uri | undefined): Promise<void> {
    const shown = uri ?? activeProposal();
    if (shown !== undefined) await closeDiff(shown);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #accept(
    uri: vscode.Uri | undefined,
    choose: (changes: readonly TextChange[], before: string) => Promise<readonly TextChange[] | undefined>,
  ): Promise<void> {
    const shown = uri ?? activeProposal();
    const proposal = shown === undefined ? undefined : this.#proposals.get(shown.toString());
    if (shown === undefined) return;
    if (proposal === undefined) {
      // The tab has outlived a reload of the window.
      tell(vscode.l10n.t("These changes are not known any more. Apply the code again."));
      await closeDiff(shown);
      return;
    }
    const { before, after, target } = proposal;
    const chosen = await choose(findChanges(before, after), before);
    if (chosen === undefined || !(await this.#isStillValid(shown, proposal))) return;
    const isDone = chosen.length === 0 || (await writeChanges(target, before, chosen));
    if (!isDone) {
      void vscode.window.showErrorMessage(vscode.l10n.t("{0} could not be changed.", nameOf(target.uri)));
      return;
    }
    await vscode.window.showTextDocument(target.uri, { preview: false });
    await closeDiff(shown);
  }

  /** Where the file has changed since, the proposal is made anew and the user looks again. */
  async #isStillValid(uri: vscode.Uri, proposal: Proposal): Promise<boolean> {
    const { target, before, code } = proposal;
    const now = target.exists ? await readText(target.uri) : "";
    if (!target.exists && (await exists(target.uri))) {
      tell(vscode.l10n.t("{0} exists by now. Apply the code again.", nameOf(target.uri)));
      return false;
    }
    if (now === before) return true;
    const { selection: _moved, ...place } = target;
    proposal.before = now;
    proposal.after = proposedText(now, code, place);
    this.#changed.fire(uri);
    tell(vscode.l10n.t("{0} has changed meanwhile. Look at the changes again.", nameOf(target.uri)));
    return false;
  }

  #forget(tabs: readonly vscode.Tab[]): void {
    for (const { input } of tabs) {
      if (input instanceof vscode.TabInputTextDiff) this.#proposals.delete(input.modified.toString());
    }
  }

  #textOf(uri: vscode.Uri): string {
    if (uri.fragment === "empty") return "";
    return this.#proposals.get(uri.toString())?.after ?? "";
  }
}

function proposedText(before: string, code: string, { cursor, selection }: ProposalTarget): string {
  return selection === undefined
    ? placeSnippet(before, code, cursor).text
    : replaceSelection(before, code, selection);
}

async function readText(uri: vscode.Uri): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  return document.getText().replaceAll("\r\n", "\n");
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

function withoutFileComment(text: string): string {
  return fileInComment(text) === undefined ? text : text.slice(text.indexOf("\n") + 1);
}

function activeProposal(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposalScheme
    ? input.modified
    : undefined;
}

async function closeDiff(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString(),
  );
  await vscode.window.tabGroups.close(shown);
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri.with({ query: "" }));
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
