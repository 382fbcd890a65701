import { commandIds } from "../../contributions.ts";

/** The commands by the module that runs them, which is read when the first of them is run. */
export const commandGroups = [
  {
    group: "connection",
    ids: [
      commandIds.addConnection,
      commandIds.editConnection,
      commandIds.removeConnection,
      commandIds.useConnection,
      commandIds.setApiKey,
      commandIds.removeApiKey,
      commandIds.removeUnusedKeys,
    ],
  },
  { group: "check", ids: [commandIds.checkConnection, commandIds.copySupportReport] },
  { group: "compatibility", ids: [commandIds.verifyCompatibility] },
  { group: "model", ids: [commandIds.listModels, commandIds.selectModel, commandIds.selectClientStyle] },
  { group: "exposedKey", ids: [commandIds.replaceExposedKey, commandIds.scanForExposedKeys] },
  {
    group: "chat",
    ids: [commandIds.openChat, commandIds.openChatInEditor, commandIds.newChat, commandIds.showLog],
  },
  {
    group: "history",
    ids: [commandIds.showHistory, commandIds.exportChat, commandIds.importChat, commandIds.deleteAllChats],
  },
  {
    group: "proposal",
    ids: [
      commandIds.acceptProposal,
      commandIds.acceptProposalPartly,
      commandIds.acceptChange,
      commandIds.rejectChange,
      commandIds.refineProposal,
      commandIds.stopProposal,
      commandIds.rejectProposal,
    ],
  },
  {
    group: "inPlace",
    ids: [
      commandIds.editSelection,
      commandIds.explain,
      commandIds.explainTerminalSelection,
      commandIds.fix,
      commandIds.generateTests,
      commandIds.generateDocs,
      commandIds.review,
      commandIds.resolveReviewComment,
      commandIds.dismissReviewComment,
      commandIds.dismissReview,
    ],
  },
  {
    group: "home",
    ids: [
      commandIds.showMenu,
      commandIds.generateCommitMessage,
      commandIds.writeCommitMessage,
      commandIds.stopCommitMessage,
    ],
  },
  { group: "languageModel", ids: [commandIds.useInEditorChat, commandIds.manageConnections] },
  {
    group: "context",
    ids: [
      commandIds.addSelectionToChat,
      commandIds.addFileToChat,
      commandIds.attachSelection,
      commandIds.attachFile,
    ],
  },
] as const;

type Group = (typeof commandGroups)[number];

export type CommandGroup = Group["group"];

export type CommandHandler = (...values: readonly unknown[]) => unknown;

/** A group of commands: what each of its ids does when it is run. */
export type CommandTable<Name extends CommandGroup> = {
  readonly [Id in Extract<Group, { group: Name }>["ids"][number]]: CommandHandler;
};

/** Reads the module of a group, and hands it what it needs. */
export type CommandTables = {
  readonly [Name in CommandGroup]: () => Promise<CommandTable<Name>>;
};

/** Scripts hand a command an object and want plain JSON back; people hand it nothing. */
export function isScriptArgument(argument: unknown): boolean {
  return typeof argument === "object" && argument !== null;
}
