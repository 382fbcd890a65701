import * as vscode from "vscode";
import { type Hunk, ProposedEdit } from "../../chat/edits/proposedEdit.ts";
import type { ProposalTarget } from "./proposalTarget.ts";

/** Who made a proposal, where it can be asked for another one. */
export interface ProposalOrigin {
  /** Ends what arrives; what has come stays. */
  readonly stop: () => void;
  /** Asks the user what to change in it, and for that. */
  readonly refine: () => Promise<void>;
}

interface ProposalOptions {
  readonly uri: vscode.Uri;
  readonly target: ProposalTarget;
  /** Undefined for a file that is to be made. */
  readonly document: vscode.TextDocument | undefined;
  readonly origin?: ProposalOrigin | undefined;
}

/** What is proposed for one file, and shown beside it. */
export class Proposal {
  readonly uri: vscode.Uri;
  readonly target: ProposalTarget;
  readonly origin: ProposalOrigin | undefined;
  /** What has come of it so far, while more is to come. */
  #arriving: (() => string) | undefined;
  /** Shown with it: what was asked, and what it took. */
  facts = "";
  edit: ProposedEdit;
  #document: vscode.TextDocument | undefined;
  /** The file's version by the last change that was made from here. */
  #writtenVersion: number | undefined;

  constructor({ uri, target, document, origin }: ProposalOptions) {
    this.uri = uri;
    this.target = target;
    this.origin = origin;
    this.#document = document;
    this.edit = new ProposedEdit(this.now, this.now);
  }

  /** The file's text, with `\n`; empty for one that is to be made. */
  get now(): string {
    return this.#document === undefined ? "" : textOf(this.#document);
  }

  get hunks(): readonly Hunk[] {
    return this.edit.hunksIn(this.now);
  }

  /** Whether more of it is to come. */
  get isArriving(): boolean {
    return this.#arriving !== undefined;
  }

  /** The text with all that is left to be decided. */
  get text(): string {
    if (this.#arriving !== undefined) this.edit.propose(this.#arriving());
    return this.edit.textIn(this.now);
  }

  isFor(document: vscode.TextDocument): boolean {
    return this.#document === document;
  }

  /** The file's document as it is open now. */
  async open(): Promise<vscode.TextDocument> {
    if (this.#document === undefined || this.#document.isClosed) {
      this.#document = await vscode.workspace.openTextDocument(this.target.uri);
    }
    return this.#document;
  }

  /** Takes the file as it is for the base; what was typed since the one before stays the user's. `arriving` is asked whenever the proposal is shown. */
  begin(arriving: () => string): void {
    this.edit = this.edit.next(this.now);
    this.#arriving = arriving;
  }

  /** All has come. */
  settle(): void {
    if (this.#arriving !== undefined) this.edit.propose(this.#arriving());
    this.#arriving = undefined;
  }

  /** Whether the last change of the file was made from here, so that the next one joins it for undo. */
  isLastWriter(document: vscode.TextDocument): boolean {
    return this.#writtenVersion === document.version;
  }

  /** To be called when these changes have been made. */
  wrote(document: vscode.TextDocument, hunks: readonly Hunk[]): void {
    this.#writtenVersion = document.version;
    for (const hunk of hunks) this.edit.accept(hunk);
  }
}

export function textOf(document: vscode.TextDocument): string {
  return document.getText().replaceAll("\r\n", "\n");
}
