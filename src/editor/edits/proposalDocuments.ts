import * as vscode from "vscode";
import { proposalScheme } from "../../contributions.ts";
import type { Proposal } from "./proposal.ts";

/** Milliseconds between two states of a proposal at least. */
const shortestPause = 60;
/** A state that took long to make is followed by so many times that long without another. */
const restFactor = 4;

/** The right sides of the diffs. */
export class ProposalDocuments implements vscode.Disposable {
  readonly #find: (uri: vscode.Uri) => Proposal | undefined;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #onShow: () => void;
  #lastCost = 0;

  /** `onShow` is called with each state that is shown. */
  constructor(find: (uri: vscode.Uri) => Proposal | undefined, onShow: () => void) {
    this.#find = find;
    this.#onShow = onShow;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#textOf(uri),
    });
  }

  /** Shows the proposal as it is then, soon; however often it is called. */
  refresh({ uri }: Proposal): void {
    const key = uri.toString();
    if (this.#waiting.has(key)) return;
    const show = (): void => {
      this.#waiting.delete(key);
      this.#changed.fire(uri);
      this.#onShow();
    };
    this.#waiting.set(key, setTimeout(show, Math.max(shortestPause, restFactor * this.#lastCost)));
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
