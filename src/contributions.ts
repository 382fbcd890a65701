/**
 * Every id this extension contributes to the editor, in one typed place.
 * A unit test holds these tables and package.json against each other.
 */

/** Name of the log channel and category of the commands. */
export const displayCategory = "Inference";

export const viewId = "inference.chat";
/** View containers may not have a dot in their id; views may. */
export const viewContainerId = "inference-chat";
/** Scheme of documents that show what a code block would make of a file. */
export const proposalScheme = "inference-proposal";

/** Ids of the commands that exist so far; the full list is the public interface's. */
export const commandIds = {
  addConnection: "inference.addConnection",
  editConnection: "inference.editConnection",
  removeConnection: "inference.removeConnection",
  useConnection: "inference.useConnection",
  setApiKey: "inference.setApiKey",
  removeApiKey: "inference.removeApiKey",
  replaceExposedKey: "inference.replaceExposedKey",
  scanForExposedKeys: "inference.scanForExposedKeys",
  checkConnection: "inference.checkConnection",
  listModels: "inference.listModels",
  selectModel: "inference.selectModel",
  openChat: "inference.openChat",
  newChat: "inference.newChat",
  showLog: "inference.showLog",
  acceptProposal: "inference.acceptProposal",
  acceptProposalPartly: "inference.acceptProposalPartly",
  rejectProposal: "inference.rejectProposal",
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Ids of the settings, without the prefix of `settingSection`. */
export const settingSection = "inference";
export const settingKeys = {
  connections: "connections",
  model: "model",
  maxTokens: "maxTokens",
  transport: "network.transport",
} as const;
