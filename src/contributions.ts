/** All IDs that this extension contributes to VS Code. A unit test compares them with package.json. */

/** Name of the log channel and category of the commands. */
export const productName = "Inference Chat";

export const viewId = "inference.chat";
/** The ID of a view container must not contain a dot, unlike the ID of a view. */
export const viewContainerId = "inference-chat";
/** Type of editor tabs with a chat. */
export const chatEditorType = "inference.chatEditor";
/** Vendor of the models in VS Code's own chat and for other extensions. */
export const languageModelVendor = "inference";
/** Scheme of documents that preview a file with a code block applied. */
export const proposalScheme = "inference-proposal";
/** Scheme of documents that show a file as it was before an answer wrote it. */
export const fileCopyScheme = "inference-file-copy";
/** `publisher.name` of the extension. */
export const extensionId = "inference-chat.inference-chat";

/** ID of the comment controller for reviews, also used in `when` clauses of menus. */
export const reviewController = "inference.reviewComments";

/** Command IDs, by the folder of `src/editor` that registers them. */
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
    showRequests: "inference.showRequests",
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
    selectMode: "inference.selectMode",
    selectChatModel: "inference.selectChatModel",
    selectEffort: "inference.selectEffort",
    selectTools: "inference.selectTools",
    compactChat: "inference.compactChat",
    undoAnswerChanges: "inference.undoAnswerChanges",
    forgetApprovals: "inference.forgetApprovals",
    addSelectionToChat: "inference.addSelectionToChat",
    addFileToChat: "inference.addFileToChat",
    /**
     * Two attach commands with longer titles, for menus in which VS Code's own chat has entries with the short ones.
     */
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
    completeHere: "inference.completeHere",
    stopCompletion: "inference.stopCompletion",
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
    /** Writes a commit message from the source control view. Its title says that it is billed. */
    writeCommitMessage: "inference.writeCommitMessage",
    stopCommitMessage: "inference.stopCommitMessage",
  },
  languageModels: {
    useInEditorChat: "inference.useInEditorChat",
    manageConnections: "inference.manageConnections",
  },
  statusBar: {
    showMenu: "inference.showMenu",
    /** Selects the machine that the extension runs on in remote windows. */
    selectSide: "inference.selectSide",
  },
} as const;

/** All command IDs. */
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

/** Context keys, which complete walkthrough steps and update buttons. */
export const contextKeys = {
  hasConnection: "inference.hasConnection",
  hasKey: "inference.hasKey",
  checkPassed: "inference.checkPassed",
  hasChatted: "inference.hasChatted",
  /** Applies to all repositories together: their URIs differ in a remote VS Code, so one repository cannot be named. */
  commitMessageRunning: "inference.commitMessageRunning",
  /** Whether the git extension is missing, and not only on the other machine of a remote window. */
  lacksGit: "inference.lacksGit",
  /** True if VS Code supports no models of extensions; not set otherwise. */
  lacksLanguageModels: "inference.lacksLanguageModels",
  /** Whether there are review comments. */
  hasReview: "inference.hasReview",
  /** Whether a completion at the cursor is requested, so that Escape stops it. */
  completing: "inference.completing",
  /** Whether a chat page has the focus. VS Code has no key for a webview in a view. */
  chatFocused: "inference.chatFocused",
  /** Proposals that are still arriving, and proposals that can be refined, by URI text. */
  arriving: "inference.arrivingProposals",
  refinable: "inference.refinableProposals",
} as const;

export const walkthroughId = "inference.start";

/** Prefix and IDs of the settings. The IDs lack the prefix. */
export const settingSection = "inference";
export const settingKeys = {
  connections: "connections",
  model: "model",
  completionModel: "completeHere.model",
  maxTokens: "maxTokens",
  history: "chat.history",
  prices: "chat.prices",
  tokenCap: "chat.tokenCap",
  dailyTokenCap: "chat.dailyTokenCap",
  modelCapabilities: "chat.modelCapabilities",
  requestFields: "chat.requestFields",
  transport: "network.transport",
  stallTimeout: "network.stallTimeout",
  chatExclude: "chat.exclude",
  instructions: "instructions",
  useInstructionFiles: "chat.useInstructionFiles",
  maxRequests: "agent.maxRequests",
  commandTimeout: "agent.commandTimeout",
  recordRequests: "requests.record",
} as const;
