import * as vscode from "vscode";
import { type Hunk, ProposedEdit } from "../../chat/edits/proposedEdit.ts";
import { fileOf, findCell } from "../shared/notebooks.ts";
import type { ProposalTarget } from "./proposalTarget.ts";

/** The requester of a proposal that can be refined. */
export interface ProposalOrigin {
  /** Stops receiving. The text so far stays. */
  readonly stop: () => void;
  /** Asks the user what to change, and requests a new proposal. */
  readonly refine: () => Promise<void>;
}

interface ProposalOptions {
  readonly uri: vscode.Uri;
  readonly target: ProposalTarget;
  /** Undefined for a new file. */
  readonly document: vscode.TextDocument | undefined;
  readonly origin?: ProposalOrigin | undefined;
}

/** The changes proposed for one file, shown in a diff. */
export class Proposal {
  readonly uri: vscode.Uri;
  readonly target: ProposalTarget;
  readonly origin: ProposalOrigin | undefined;
  /** Returns the text received so far. Undefined unless more is to come. */
  #arriving: (() => string) | undefined;
  /** Details about the request, shown in the status bar. */
  facts = "";
  edit: ProposedEdit;
  #document: vscode.TextDocument | undefined;
  /** The document's version after the last change that this proposal wrote. */
  #writtenVersion: number | undefined;

  constructor({ uri, target, document, origin }: ProposalOptions) {
    this.uri = uri;
    this.target = target;
    this.origin = origin;
    this.#document = document;
    this.edit = new ProposedEdit(this.now, this.now);
  }

  /** The file's text with `\n` line endings. Empty for a new file. */
  get now(): string {
    return this.#document === undefined ? "" : textOf(this.#document);
  }

  get hunks(): readonly Hunk[] {
    return this.edit.hunksIn(this.now);
  }

  /** Whether more text is to come. */
  get isArriving(): boolean {
    return this.#arriving !== undefined;
  }

  /** The file's text with all undecided changes applied. */
  get text(): string {
    if (this.#arriving !== undefined) this.edit.propose(this.#arriving());
    return this.edit.textIn(this.now);
  }

  isFor(document: vscode.TextDocument): boolean {
    return this.#document === document;
  }

  /** Whether the cell of a notebook was deleted. Another cell could have its URI once the notebook is opened again. */
  get isOfLostCell(): boolean {
    const document = this.#document;
    if (document === undefined || fileOf(document.uri) === document.uri) return false;
    return document.isClosed || findCell(document.uri) === undefined;
  }

  /** Returns the file's document. Opens it again if it was closed. */
  async open(): Promise<vscode.TextDocument> {
    if (this.isOfLostCell)
      throw new Error(
        vscode.l10n.t("The cell was deleted or its notebook was closed, so nothing was changed."),
      );
    if (this.#document === undefined || this.#document.isClosed) {
      this.#document = await vscode.workspace.openTextDocument(this.target.uri);
    }
    return this.#document;
  }

  /**
   * Starts receiving a proposal for the file's current text. Text typed since the last proposal counts as the user's
   * own.
   * @param arriving returns the text received so far. Called whenever the proposal is shown.
   */
  begin(arriving: () => string): void {
    this.edit = this.edit.next(this.now);
    this.#arriving = arriving;
  }

  /** Call this when no more text arrives. */
  settle(): void {
    if (this.#arriving !== undefined) this.edit.propose(this.#arriving());
    this.#arriving = undefined;
  }

  /** Whether the document's last change came from this proposal. The next change then joins the same undo step. */
  isLastWriter(document: vscode.TextDocument): boolean {
    return this.#writtenVersion === document.version;
  }

  /** Call this after the hunks were written. */
  wrote(document: vscode.TextDocument, hunks: readonly Hunk[]): void {
    this.#writtenVersion = document.version;
    for (const hunk of hunks) this.edit.accept(hunk);
  }
}

export function textOf(document: vscode.TextDocument): string {
  return document.getText().replaceAll("\r\n", "\n");
}
