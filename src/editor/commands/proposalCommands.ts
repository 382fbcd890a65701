import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { CodeProposals } from "../codeProposals.ts";
import type { CommandTable } from "./commandGroups.ts";

/** What the buttons above a proposed change do; the editor hands them the proposal's address. */
export function proposalCommands(loadProposals: () => Promise<CodeProposals>): CommandTable<"proposal"> {
  return {
    [commandIds.acceptProposal]: async (uri) => (await loadProposals()).acceptAll(asUri(uri)),
    [commandIds.acceptProposalPartly]: async (uri) => (await loadProposals()).acceptSome(asUri(uri)),
    [commandIds.rejectProposal]: async (uri) => (await loadProposals()).reject(asUri(uri)),
  };
}

function asUri(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : undefined;
}
