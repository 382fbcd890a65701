import * as vscode from "vscode";
import { type CodeBlockText, fileInComment } from "../../text/markdown/codeBlockInfo.ts";
import type { Hunk } from "../../chat/edits/proposedEdit.ts";
import { replaceSelection, leavesOut, placeSnippet } from "../../chat/edits/snippetPlacement.ts";
import { contextKeys, proposalScheme } from "../../contributions.ts";
import { mayCreateText, mayWriteText } from "../files/encodingLoss.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { addCell, fileOf, findCell, showDocument } from "../shared/notebooks.ts";
import { showError, showInformation, showWarning } from "../shared/notices.ts";
import { offerUndo } from "../shared/offerUndo.ts";
import { setContext } from "../shared/registration.ts";
import { isActing, isInWorkspace } from "../files/workspaceFiles.ts";
import { chooseHunks, confirmActing, promptForCell, promptForUnsurePlace } from "./proposalDialogs.ts";
import { Proposal, type ProposalOrigin } from "./proposal.ts";
import {
  activeProposal,
  closeDiff,
  hunkAtCaret,
  nameOf,
  openDiff,
  ProposalDocuments,
  proposalIn,
  ProposalStatus,
  revealLine,
  tabsOf,
} from "./proposalView.ts";
import { chooseTarget, type ProposalTarget } from "./proposalTarget.ts";
import type { TextChange } from "../../text/lineChanges.ts";

/** Shows proposed changes and applies those that the user accepts. */
export class Proposals implements vscode.Disposable {
  readonly #lastEditor: LastTextEditor;
  readonly #proposals = new Map<string, Proposal>();
  readonly #find = (uri: vscode.Uri): Proposal | undefined => this.#proposals.get(uri.toString());
  readonly #status = new ProposalStatus(this.#find);
  readonly #documents = new ProposalDocuments(this.#find, () => this.#status.refresh());
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Proposals for files that can run programs, after the user's consent. */
  readonly #allowed = new WeakSet<Proposal>();

  constructor(lastEditor: LastTextEditor) {
    this.#lastEditor = lastEditor;
    this.#subscriptions = [
      this.#documents,
      this.#status,
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#forget(closed)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document)),
    ];
  }

  /** Finds the file that a block is for, and shows the changes in a diff. */
  async propose(block: CodeBlockText): Promise<void> {
    const target = await chooseTarget(block, this.#lastEditor);
    if (target === undefined) return;
    const proposal = await this.create(target);
    if (!(await this.mayWrite(proposal))) return this.drop(proposal);
    const code = withoutFileComment(block.text);
    const cell = findCell(target.uri);
    const isNew = cell !== undefined && isNewInCell(proposal.now, code, target);
    const choice = isNew ? await promptForCell(cell) : "place";
    if (choice === "place" || choice === "replace") {
      const text = choice === "replace" ? code.trimEnd() : placeCode(proposal.now, code, target);
      if (text !== undefined) {
        proposal.edit.propose(text);
        return this.show(proposal);
      }
    }
    this.drop(proposal);
    if (choice === "place") await promptForUnsurePlace(target, block.text);
    if (choice === "add" && cell !== undefined) await addBelow(cell, code, block.language);
  }

  /** Creates a proposal without changes. Does not show it yet. */
  async create(target: ProposalTarget, origin?: ProposalOrigin): Promise<Proposal> {
    // Use a new ID: the tab of an old proposal can outlive this process.
    const query = crypto.randomUUID();
    const uri = target.uri.with({ scheme: proposalScheme, query, fragment: "" });
    const document = target.exists ? await vscode.workspace.openTextDocument(target.uri) : undefined;
    const proposal = new Proposal({ uri, target, document, origin });
    this.#proposals.set(uri.toString(), proposal);
    return proposal;
  }

  /** Whether the file can be written without encoding loss. Tells the user if not. */
  async mayWrite(proposal: Proposal, hunks: readonly Hunk[] = []): Promise<boolean> {
    const { target, edit, now } = proposal;
    if (!target.exists) return mayCreateText(target.uri, edit.textIn(now));
    const added = hunks.flatMap((hunk) => hunk.added).join("\n");
    return mayWriteText(await proposal.open(), added);
  }

  /** Opens the diff, unless there are no changes to decide on. */
  async show(proposal: Proposal, line?: number): Promise<void> {
    if (!proposal.isArriving && proposal.hunks.length === 0) {
      this.drop(proposal);
      showMessage(vscode.l10n.t("'{0}' already contains this code.", nameOf(proposal.target.uri)));
      return;
    }
    this.refreshButtons();
    await openDiff(proposal, line ?? proposal.hunks[0]?.shownAt ?? 0);
    this.#status.refresh();
  }

  /** Call this when the proposed text has changed. The diff updates soon after. */
  refresh(proposal: Proposal): void {
    this.#documents.refresh(proposal);
  }

  /** Call this when receiving begins or ends. Updates the diff's buttons. */
  refreshButtons(): void {
    const uris = (those: (each: Proposal) => boolean): readonly string[] =>
      [...this.#proposals.values()].filter(those).map(({ uri }) => uri.toString());
    setContext(
      contextKeys.arriving,
      uris((each) => each.isArriving),
    );
    const asked = uris(({ origin, isArriving }) => origin !== undefined && !isArriving);
    setContext(contextKeys.refinable, asked);
  }

  /** Whether the proposal's diff is still open. */
  isShown(proposal: Proposal): boolean {
    return this.#find(proposal.uri) === proposal;
  }

  /** Removes a proposal that will never be shown. */
  drop(proposal: Proposal): void {
    this.#proposals.delete(proposal.uri.toString());
  }

  async close(proposal: Proposal): Promise<void> {
    await closeDiff(proposal.uri);
  }

  async acceptAll(uri: vscode.Uri | undefined): Promise<void> {
    const proposal = await this.#settled(uri);
    if (proposal === undefined) return;
    if (!(await this.make(proposal, (hunks) => hunks.filter(isClean)))) return;
    const left = proposal.hunks.length;
    if (left > 0) {
      const name = nameOf(proposal.target.uri);
      const message =
        left === 1
          ? vscode.l10n.t(
              "1 change was not applied because the same lines in '{0}' were edited after you asked for the change. Review this change.",
              name,
            )
          : vscode.l10n.t(
              "{1} changes were not applied because the same lines in '{0}' were edited after you asked for the changes. Review these changes.",
              name,
              left,
            );
      void showWarning(message);
    }
    await this.#goOn(proposal);
  }

  /** Asks which changes to apply. Rejects the others, except conflicts. */
  async acceptSome(uri: vscode.Uri | undefined): Promise<void> {
    const proposal = await this.#settled(uri);
    if (proposal === undefined) return;
    const offered = proposal.hunks.filter(isClean);
    const chosen = await chooseHunks(offered, proposal.now);
    if (chosen === undefined) return;
    const dropped = offered.filter((hunk) => !chosen.includes(hunk));
    if (!(await this.make(proposal, (hunks) => sameOf(hunks, chosen)))) return;
    const restores = sameOf(proposal.hunks, dropped)
      .toReversed()
      .map((hunk) => proposal.edit.reject(hunk));
    await this.#goOn(proposal);
    if (restores.length > 0) this.#offerBack(proposal, restores);
  }

  /** Applies the change at the caret, or at a zero-based line of the proposal. */
  async acceptOne(uri: vscode.Uri | undefined, line?: number): Promise<void> {
    const proposal = await this.#settled(uri);
    const hunk = proposal && hunkAtCaret(proposal, line);
    if (proposal === undefined || hunk === undefined) return;
    if (hunk.kind === "conflict" && !(await confirmConflict(nameOf(proposal.target.uri)))) return;
    if (await this.make(proposal, (hunks) => sameOf(hunks, [hunk]))) {
      await this.#goOn(proposal, hunk.shownAt + hunk.added.length);
    }
  }

  async rejectOne(uri: vscode.Uri | undefined, line?: number): Promise<void> {
    const proposal = await this.#settled(uri);
    const hunk = proposal && hunkAtCaret(proposal, line);
    if (proposal === undefined || hunk === undefined) return;
    const restore = proposal.edit.reject(hunk);
    await this.#goOn(proposal, hunk.shownAt + hunk.removed);
    this.#offerBack(proposal, [restore]);
  }

  async reject(uri: vscode.Uri | undefined): Promise<void> {
    const shown = uri ?? activeProposal();
    if (shown === undefined) return;
    const proposal = this.#find(shown);
    const isWhole = proposal?.isArriving === false && proposal.hunks.length > 0;
    await closeDiff(shown);
    if (isWhole) this.#offerBack(proposal, []);
  }

  async refine(uri: vscode.Uri | undefined): Promise<void> {
    await (await this.#settled(uri))?.origin?.refine();
  }

  stop(uri: vscode.Uri | undefined): void {
    const shown = uri ?? activeProposal();
    if (shown !== undefined) this.#find(shown)?.origin?.stop();
  }

  /**
   * Applies the hunks that `choose` selects from the file's current hunks.
   * Returns false if that is not possible, after telling the user, or if the user declines.
   */
  async make(proposal: Proposal, choose: (hunks: readonly Hunk[]) => readonly Hunk[]): Promise<boolean> {
    const { target } = proposal;
    const isChosen = fileOf(target.uri).scheme === "untitled" || target.isUsersChoice === true;
    const isAllowed = isChosen || (await isInWorkspace(target.uri));
    if (isAllowed && !(await this.#mayAct(proposal))) return false;
    if (isAllowed && !(await this.mayWrite(proposal, choose(proposal.hunks)))) return false;
    const isDone =
      isAllowed && (await (target.exists ? this.#write(proposal, choose) : createFile(proposal, choose)));
    if (!isDone) {
      void showError(vscode.l10n.t("Couldn't change '{0}'.", nameOf(target.uri)));
    }
    return isDone;
  }

  dispose(): void {
    for (const { origin } of this.#proposals.values()) origin?.stop();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Tells the user that changes were rejected. Undo shows them again. */
  #offerBack(proposal: Proposal, restores: readonly (() => void)[]): void {
    const message = vscode.l10n.t("Rejected the proposed changes to '{0}'.", nameOf(proposal.target.uri));
    offerUndo(message, async () => {
      // The file may have been closed and changed since.
      if (proposal.target.exists) await proposal.open();
      for (const restore of restores.toReversed()) restore();
      this.#proposals.set(proposal.uri.toString(), proposal);
      this.refresh(proposal);
      await this.show(proposal);
    });
  }

  /** Asks before a change to a file that can run programs. The user's consent covers the whole proposal. */
  async #mayAct(proposal: Proposal): Promise<boolean> {
    const { uri } = proposal.target;
    if (this.#allowed.has(proposal) || !(await isActing(uri))) return true;
    const isAllowed = await confirmActing(uri);
    if (isAllowed) this.#allowed.add(proposal);
    return isAllowed;
  }

  async #write(proposal: Proposal, choose: (hunks: readonly Hunk[]) => readonly Hunk[]): Promise<boolean> {
    const document = await proposal.open();
    // Await nothing until the edit, because the hunks belong to this document version.
    const chosen = choose(proposal.hunks);
    if (chosen.length === 0) return true;
    const isDone = await writeChanges(document, chosen, proposal.isLastWriter(document));
    if (isDone) proposal.wrote(document, chosen);
    return isDone;
  }

  /** Returns the given or active proposal. Undefined while its text is still arriving, or if it no longer exists. */
  async #settled(uri: vscode.Uri | undefined): Promise<Proposal | undefined> {
    const shown = uri ?? activeProposal();
    if (shown === undefined) return undefined;
    const proposal = this.#find(shown);
    if (proposal === undefined) {
      // The tab survived a reload of the window.
      showMessage(vscode.l10n.t("These changes are no longer available. Ask for them again."));
      await closeDiff(shown);
    } else if (proposal.isArriving) {
      showMessage(
        vscode.l10n.t("Not all changes have arrived yet. Wait until the answer is complete, or select Stop."),
      );
      return undefined;
    } else if (proposal.isOfLostCell) {
      showMessage(vscode.l10n.t("The cell was deleted or its notebook was closed, so nothing was changed."));
      await closeDiff(shown);
      return undefined;
    } else if (proposal.target.exists) {
      await proposal.open();
    }
    return proposal;
  }

  /** Shows the next change, or the file if no changes are left. */
  async #goOn(proposal: Proposal, line = 0): Promise<void> {
    this.refresh(proposal);
    const { hunks, target } = proposal;
    const next = hunks.find(({ shownAt }) => shownAt >= line) ?? hunks[0];
    if (next !== undefined) {
      revealLine(proposal, next.shownAt);
      return;
    }
    // A new file does not exist if all its changes were rejected.
    if (target.exists || (await exists(target.uri))) await showDocument(target.uri, { preview: false });
    await closeDiff(proposal.uri);
  }

  #follow(document: vscode.TextDocument): void {
    for (const proposal of this.#proposals.values()) if (proposal.isFor(document)) this.refresh(proposal);
  }

  #forget(tabs: readonly vscode.Tab[]): void {
    for (const tab of tabs) {
      const uri = proposalIn(tab);
      const proposal = uri && this.#find(uri);
      // VS Code opens a moved tab in its new place before it reports the old one as closed.
      if (proposal === undefined || tabsOf(proposal.uri).length > 0) continue;
      this.#proposals.delete(proposal.uri.toString());
      // Closing the diff cancels the request.
      proposal.origin?.stop();
      this.refreshButtons();
    }
    this.#status.refresh();
  }
}

async function createFile(
  { target, hunks, edit, now }: Proposal,
  choose: (hunks: readonly Hunk[]) => readonly Hunk[],
): Promise<boolean> {
  if (await exists(target.uri)) {
    showMessage(
      vscode.l10n.t(
        "'{0}' was created in the meantime. Apply the code again to compare it with the file.",
        nameOf(target.uri),
      ),
    );
    return false;
  }
  if (choose(hunks).length === 0) return true;
  const creation = new vscode.WorkspaceEdit();
  const contents = await vscode.workspace.encode(edit.textIn(now), { uri: target.uri });
  creation.createFile(target.uri, { contents });
  const isDone = await vscode.workspace.applyEdit(creation);
  if (isDone) for (const hunk of hunks.toReversed()) edit.reject(hunk);
  return isDone;
}

const isClean = ({ kind }: Hunk): boolean => kind === "clean";

function sameOf(hunks: readonly Hunk[], chosen: readonly Hunk[]): readonly Hunk[] {
  return hunks.filter((hunk) =>
    chosen.some(({ kind, sources }) => kind === hunk.kind && sources.join() === hunk.sources.join()),
  );
}

/** Returns the text with the code block applied. Undefined if the block leaves code out and its place is unclear. */
export function placeCode(
  before: string,
  code: string,
  { cursor, selection }: ProposalTarget,
): string | undefined {
  // Code that leaves parts out must not replace the selection, because it would delete those parts.
  if (selection !== undefined && !leavesOut(before, code)) return replaceSelection(before, code, selection);
  const { kind, text } = placeSnippet(before, code, cursor);
  return kind === "unsure" ? undefined : text;
}

/** Whether the code has nothing in common with the cell. It may be meant as another cell. */
function isNewInCell(before: string, code: string, { cursor, selection }: ProposalTarget): boolean {
  const isReplacing = selection !== undefined || before.trim() === "";
  return !isReplacing && placeSnippet(before, code, cursor).kind === "cursor";
}

async function addBelow(
  { notebook, index }: vscode.NotebookCell,
  code: string,
  language: string,
): Promise<void> {
  const isDone = await addCell(notebook, { below: index, text: code.trimEnd(), language });
  if (!isDone) void showError(vscode.l10n.t("Couldn't change '{0}'.", nameOf(notebook.uri)));
}

async function confirmConflict(name: string): Promise<boolean> {
  const replace = vscode.l10n.t("Replace My Lines");
  const message = vscode.l10n.t("These lines of '{0}' were edited after you asked for the change.", name);
  const detail = vscode.l10n.t("The proposed lines will replace your lines. You can undo this.");
  return (await showWarning(message, { modal: true, detail }, replace)) === replace;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

export function withoutFileComment(text: string): string {
  return fileInComment(text) === undefined ? text : text.slice(text.indexOf("\n") + 1);
}

function showMessage(message: string): void {
  void showInformation(message);
}

interface LineEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/**
 * Applies changes to the document's current lines in one edit.
 * Returns false if nothing was written, for example because the document changed at the same time.
 * @param joinsLast makes the edit one undo step with the previous edit
 */
async function writeChanges(
  document: vscode.TextDocument,
  changes: readonly TextChange[],
  joinsLast: boolean,
): Promise<boolean> {
  const edits = changes.map((change) => convertChange(document, change));
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  if (editor !== undefined) {
    return editor.edit(
      (edit) => {
        for (const { range, text } of edits) edit.replace(range, text);
      },
      { undoStopBefore: !joinsLast, undoStopAfter: false },
    );
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { range, text } of edits) edit.replace(document.uri, range, text);
  return vscode.workspace.applyEdit(edit);
}

function convertChange(document: vscode.TextDocument, { start, removed, added }: TextChange): LineEdit {
  if (start + removed < document.lineCount) {
    const text = added.map((line) => `${line}\n`).join("");
    return { range: new vscode.Range(start, 0, start + removed, 0), text };
  }
  // At the end of the file, the line break comes before the new text, not after it.
  const from = start === 0 ? new vscode.Position(0, 0) : document.lineAt(start - 1).range.end;
  const lead = start === 0 || added.length === 0 ? "" : "\n";
  const end = document.lineAt(document.lineCount - 1).range.end;
  return { range: new vscode.Range(from, end), text: lead + added.join("\n") };
}
