import * as v from "valibot";
import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { lazy } from "../shared/lazy.ts";
import { register, registerCommands } from "../shared/registration.ts";
import type { CodeBlockActions } from "./codeBlockActions.ts";

/** Registers the commands of code blocks and proposed changes. Returns a loader of the code block actions for pages. */
export function registerEdits(
  context: vscode.ExtensionContext,
  { lastTextEditor }: { readonly lastTextEditor: LastTextEditor },
): () => Promise<CodeBlockActions> {
  const loadCodeActions = lazy(async () => {
    const { CodeBlockActions } = await import("./codeBlockActions.ts");
    return register(context, new CodeBlockActions(lastTextEditor));
  });
  registerCommands(context, "edits", async () => {
    const { proposals } = await loadCodeActions();
    // VS Code passes the proposal's URI to a button's command.
    return {
      [commandIds.acceptProposal]: (uri) => proposals.acceptAll(asUri(uri)),
      [commandIds.acceptProposalPartly]: (uri) => proposals.acceptSome(asUri(uri)),
      [commandIds.acceptChange]: (place) => proposals.acceptOne(asUri(place), lineOf(place)),
      [commandIds.rejectChange]: (place) => proposals.rejectOne(asUri(place), lineOf(place)),
      [commandIds.refineProposal]: (uri) => proposals.refine(asUri(uri)),
      [commandIds.stopProposal]: (uri) => proposals.stop(asUri(uri)),
      [commandIds.rejectProposal]: (uri) => proposals.reject(asUri(uri)),
    };
  });
  return loadCodeActions;
}

/** The menu of a line number passes both properties. */
const placeSchema = v.object({
  uri: v.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
  lineNumber: v.number(),
});

function asUri(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  return v.is(placeSchema, value) ? value.uri : undefined;
}

/** Returns the zero-based line. */
function lineOf(value: unknown): number | undefined {
  return v.is(placeSchema, value) ? value.lineNumber - 1 : undefined;
}
