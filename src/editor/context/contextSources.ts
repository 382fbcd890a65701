import * as vscode from "vscode";
import type { ContextOffer } from "../../chat/contextProtocol.ts";
import type { FileIndex } from "./fileIndex.ts";
import type { Gathered } from "./gathered.ts";

/** What there is to attach from. */
interface ContextGround {
  readonly files: FileIndex;
  /** The one that is meant, also while the chat itself stands in an editor. */
  readonly editor: vscode.TextEditor | undefined;
}

/** A way to attach something: what is loaded and asked only once it is taken. */
export interface ContextSource extends ContextOffer {
  readonly gather: (ground: ContextGround) => Promise<Gathered>;
}

/** Everything that can be attached, in the order of the list. */
export function contextSources(): readonly ContextSource[] {
  const { t } = vscode.l10n;
  return [
    {
      id: "file",
      label: t("File..."),
      description: t("By its name"),
      gather: async ({ files }) => (await import("./chosenFiles.ts")).gatherChosenFile(files),
    },
    {
      id: "folder",
      label: t("Folder..."),
      description: t("Its tree, with files of your choice"),
      gather: async () => (await import("./chosenFiles.ts")).gatherChosenFolder(),
    },
    {
      id: "selection",
      label: t("Selection"),
      description: t("In the active editor"),
      gather: async ({ editor }) => (await import("./selectionContext.ts")).gatherSelection(editor),
    },
    {
      id: "symbol",
      label: t("Symbol..."),
      description: t("A function, class or type, by its name"),
      gather: async ({ editor }) => (await import("./symbolContext.ts")).gatherSymbol(editor),
    },
    {
      id: "problems-file",
      label: t("Problems of the File"),
      description: t("In the active editor"),
      gather: async ({ editor }) => (await import("./problemsContext.ts")).gatherFileProblems(editor),
    },
    {
      id: "problems-workspace",
      label: t("Problems of the Workspace"),
      description: t("All that the Problems panel lists"),
      gather: async () => (await import("./problemsContext.ts")).gatherWorkspaceProblems(),
    },
    {
      id: "diff-staged",
      label: t("Git: Staged Changes"),
      description: "git diff --cached",
      gather: async () => (await import("./gitContext.ts")).gatherDiff("staged"),
    },
    {
      id: "diff-unstaged",
      label: t("Git: Unstaged Changes"),
      description: "git diff",
      gather: async () => (await import("./gitContext.ts")).gatherDiff("unstaged"),
    },
    {
      id: "diff-commit",
      label: t("Git: Commit..."),
      description: t("The diff of one commit"),
      gather: async () => (await import("./gitContext.ts")).gatherDiff("commit"),
    },
    {
      id: "terminal",
      label: t("Terminal Selection"),
      description: t("In the active terminal"),
      gather: async () => (await import("./terminalContext.ts")).gatherTerminal(),
    },
    {
      id: "search",
      label: t("Search Results..."),
      description: t("Lines that hold a text"),
      gather: async () => (await import("./searchContext.ts")).gatherSearch(),
    },
    {
      id: "image",
      label: t("Image..."),
      description: t("A picture from this machine"),
      gather: async () => (await import("./chosenFiles.ts")).gatherChosenImage(),
    },
  ];
}
