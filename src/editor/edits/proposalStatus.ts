import * as vscode from "vscode";
import type { Proposal } from "./proposal.ts";
import { activeProposal } from "./proposalTabs.ts";

/** Says in the status bar what is left to be decided in the diff that is shown, and what it took. */
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
      ? `$(loading~spin) ${vscode.l10n.t("Changes are arriving")}`
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
      ? vscode.l10n.t("1 change to decide")
      : vscode.l10n.t("{0} changes to decide", hunks.length);
  return conflicts === 0 ? left : `${left}, ${vscode.l10n.t("{0} in lines you changed", conflicts)}`;
}
