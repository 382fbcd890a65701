import * as vscode from "vscode";
import type { Model } from "../../protocol/decode/modelList.ts";
import type { Capability, ModelCapabilities } from "../service/modelCapabilities.ts";

/** Assumed tokens of question and answer together, if the service doesn't report the context window. */
const assumedWindow = 128_000;

/** Model information for VS Code. The stable API does not have the members below, but VS Code may use them. */
export interface ModelInformation extends vscode.LanguageModelChatInformation {
  readonly isUserSelectable: true;
  readonly warningText?: string;
}

export interface DescribedModel {
  readonly connectionName: string;
  readonly model: Model;
  readonly capabilities: ModelCapabilities;
  /** The user's token limit for answers. */
  readonly maxTokens: number;
  /** Why the model can't answer now. */
  readonly warning?: string;
}

/** Contains the connection's name, so that a chat never switches to another connection's model of the same ID. */
export function modelIdentifier(connectionName: string, modelId: string): string {
  // The first slash ends the connection's name, so slashes in it are escaped. Model IDs may have slashes.
  return `${connectionName.replaceAll(/[%/]/gu, encodeURIComponent)}/${modelId}`;
}

/** Describes a model for VS Code's list. The tooltip says which values are assumed. */
export function modelInformation(described: DescribedModel): ModelInformation {
  const { connectionName, model, capabilities, warning } = described;
  const window = model.contextWindow ?? assumedWindow;
  const maxOutputTokens = Math.min(described.maxTokens, model.maxOutputTokens ?? Infinity);
  return {
    id: modelIdentifier(connectionName, model.id),
    name: model.name ?? model.id,
    family: model.id,
    // No service reports a version, but VS Code requires one.
    version: "unknown",
    detail: warning === undefined ? connectionName : `${connectionName} · ${warning}`,
    tooltip: tooltipOf(described, window, maxOutputTokens),
    // A token limit near the context window says little about answers, so it counts for at most half the window.
    maxInputTokens: window - Math.min(maxOutputTokens, Math.floor(window / 2)),
    maxOutputTokens,
    capabilities: { toolCalling: capabilities.tools.has, imageInput: capabilities.images.has },
    isUserSelectable: true,
    ...(warning === undefined ? {} : { warningText: warning }),
  };
}

function tooltipOf(described: DescribedModel, window: number, maxOutputTokens: number): string {
  const { connectionName, model, capabilities, warning } = described;
  const t = vscode.l10n.t;
  const numbers = new Intl.NumberFormat(vscode.env.language);
  return [
    ...(warning === undefined ? [] : [`${warning}.`]),
    t("{0}, billed to the API key of '{1}'", model.id, connectionName),
    model.contextWindow === undefined
      ? t(
          "Context window: {0} tokens (assumed because the service doesn't report its size).",
          numbers.format(window),
        )
      : t("Context window: {0} tokens (reported by the service).", numbers.format(window)),
    t("Answers: up to {0} tokens.", numbers.format(maxOutputTokens)),
    capabilityText(t("Tools"), capabilities.tools),
    capabilityText(t("Images"), capabilities.images),
  ].join("\n");
}

function capabilityText(what: string, { has, by }: Capability): string {
  const t = vscode.l10n.t;
  const answer = has ? t("yes") : t("no");
  switch (by) {
    case "setting":
      return t("{0}: {1} (from your settings).", what, answer);
    case "verification":
      return t("{0}: {1} (verified).", what, answer);
    case "refusal":
      return t("{0}: refused by the service.", what);
    case "unclear":
      return t("{0}: unclear (Verify Compatibility got no clear result).", what);
    case "nothing":
      return t("{0}: not verified. Run Verify Compatibility.", what);
  }
}
