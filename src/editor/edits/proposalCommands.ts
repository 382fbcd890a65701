import * as v from "valibot";
import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { Proposals } from "./proposals.ts";
import type { CommandTable } from "../shared/commandGroups.ts";

/** What the buttons above a proposed change do; the editor hands them the proposal's address. */
export function proposalCommands(loadProposals: () => Promise<Proposals>): CommandTable<"proposal"> {
  return {
    [commandIds.acceptProposal]: async (uri) => (await loadProposals()).acceptAll(asUri(uri)),
    [commandIds.acceptProposalPartly]: async (uri) => (await loadProposals()).acceptSome(asUri(uri)),
    [commandIds.acceptChange]: async (place) =>
      (await loadProposals()).acceptOne(asUri(place), lineOf(place)),
    [commandIds.rejectChange]: async (place) =>
      (await loadProposals()).rejectOne(asUri(place), lineOf(place)),
    [commandIds.refineProposal]: async (uri) => (await loadProposals()).refine(asUri(uri)),
    [commandIds.stopProposal]: async (uri) => (await loadProposals()).stop(asUri(uri)),
    [commandIds.rejectProposal]: async (uri) => (await loadProposals()).reject(asUri(uri)),
  };
}

/** The menu of a line's number hands over both. */
const placeSchema = v.object({
  uri: v.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
  lineNumber: v.number(),
});

function asUri(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  return v.is(placeSchema, value) ? value.uri : undefined;
}

/** Line from 0. */
function lineOf(value: unknown): number | undefined {
  return v.is(placeSchema, value) ? value.lineNumber - 1 : undefined;
}
