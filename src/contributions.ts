/**
 * Every id this extension contributes to the editor, in one typed place.
 * A unit test holds these tables and package.json against each other.
 */

/** Name of the log channel and category of the commands. */
export const productName = "Inference Chat";

export const viewId = "inference.chat";
/** View containers may not have a dot in their id; views may. */
export const viewContainerId = "inference-chat";
/** Type of the editor tabs that hold a chat. */
export const chatEditorType = "inference.chatEditor";
/** Whose models they are in the editor's own chat and for other extensions. */
export const languageModelVendor = "inference";
/** Scheme of documents that show what a code block would make of a file. */
export const proposalScheme = "inference-proposal";
/** `publisher.name` of the extension. */
export const extensionId = "inference-chat.inference-chat";

/** Comments of a review; also in the menus' when clauses. */
export const reviewController = "inference.reviewComments";

/** Ids of the commands, by the room of `src/editor` that registers them. */
export const roomCommands = {
  connections: {
    addConnection: "inference.addConnection",
    editConnection: "inference.editConnection",
    removeConnection: "inference.removeConnection",
    useConnection: "inference.useConnection",
    setApiKey: "inference.setApiKey",
    removeApiKey: "inference.removeApiKey",
    removeUnusedKeys: "inference.removeUnusedKeys",
  },
  models: {
    listModels: "inference.listModels",
    selectModel: "inference.selectModel",
    selectClientStyle: "inference.selectClientStyle",
  },
  check: {
    checkConnection: "inference.checkConnection",
    verifyCompatibility: "inference.verifyCompatibility",
    copySupportReport: "inference.copySupportReport",
    showLog: "inference.showLog",
  },
  exposedKeys: {
    replaceExposedKey: "inference.replaceExposedKey",
    scanForExposedKeys: "inference.scanForExposedKeys",
  },
  edits: {
    acceptProposal: "inference.acceptProposal",
    acceptProposalPartly: "inference.acceptProposalPartly",
    acceptChange: "inference.acceptChange",
    rejectChange: "inference.rejectChange",
    refineProposal: "inference.refineProposal",
    stopProposal: "inference.stopProposal",
    rejectProposal: "inference.rejectProposal",
  },
  page: {
    openChat: "inference.openChat",
    openChatInEditor: "inference.openChatInEditor",
    newChat: "inference.newChat",
    addSelectionToChat: "inference.addSelectionToChat",
    addFileToChat: "inference.addFileToChat",
    /** The same two in menus, where the editor's own chat has entries of those names. */
    attachSelection: "inference.attachSelection",
    attachFile: "inference.attachFile",
  },
  history: {
    showHistory: "inference.showHistory",
    exportChat: "inference.exportChat",
    importChat: "inference.importChat",
    deleteAllChats: "inference.deleteAllChats",
  },
  inPlace: {
    editSelection: "inference.editSelection",
    explain: "inference.explain",
    explainTerminalSelection: "inference.explainTerminalSelection",
    fix: "inference.fix",
    generateTests: "inference.generateTests",
    generateDocs: "inference.generateDocs",
    review: "inference.review",
    resolveReviewComment: "inference.resolveReviewComment",
    dismissReviewComment: "inference.dismissReviewComment",
    dismissReview: "inference.dismissReview",
  },
  commit: {
    generateCommitMessage: "inference.generateCommitMessage",
    /** The same in the source control view's title, where its name says that it is billed. */
    writeCommitMessage: "inference.writeCommitMessage",
    stopCommitMessage: "inference.stopCommitMessage",
  },
  languageModels: {
    useInEditorChat: "inference.useInEditorChat",
    manageConnections: "inference.manageConnections",
  },
  statusBar: { showMenu: "inference.showMenu" },
} as const;

/** All of them. */
export const commandIds = {
  ...roomCommands.connections,
  ...roomCommands.models,
  ...roomCommands.check,
  ...roomCommands.exposedKeys,
  ...roomCommands.edits,
  ...roomCommands.page,
  ...roomCommands.history,
  ...roomCommands.inPlace,
  ...roomCommands.commit,
  ...roomCommands.languageModels,
  ...roomCommands.statusBar,
};

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** What the editor is told, so that steps complete themselves and buttons change. */
export const contextKeys = {
  hasConnection: "inference.hasConnection",
  hasKey: "inference.hasKey",
  checkPassed: "inference.checkPassed",
  hasChatted: "inference.hasChatted",
  /** In all repositories' titles: an editor that runs elsewhere has other addresses for them than we have. */
  commitMessageRunning: "inference.commitMessageRunning",
  /** The git extension is in another extension host, or nowhere. */
  lacksGit: "inference.lacksGit",
  /** The editor takes no models of extensions; set where that is so, since elsewhere it is known from the start. */
  lacksLanguageModels: "inference.lacksLanguageModels",
  /** There are comments of a review. */
  hasReview: "inference.hasReview",
  /** The proposals, as texts, that are still arriving, and those that can be refined. */
  arriving: "inference.arrivingProposals",
  refinable: "inference.refinableProposals",
} as const;

export const walkthroughId = "inference.start";

/** Ids of the settings, without the prefix of `settingSection`. */
export const settingSection = "inference";
export const settingKeys = {
  connections: "connections",
  model: "model",
  maxTokens: "maxTokens",
  history: "chat.history",
  prices: "chat.prices",
  tokenCap: "chat.tokenCap",
  dailyTokenCap: "chat.dailyTokenCap",
  modelCapabilities: "chat.modelCapabilities",
  transport: "network.transport",
  stallTimeout: "network.stallTimeout",
  chatExclude: "chat.exclude",
  instructions: "instructions",
  useInstructionFiles: "chat.useInstructionFiles",
} as const;
