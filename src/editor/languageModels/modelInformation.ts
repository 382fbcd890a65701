import * as vscode from "vscode";
import type { Model } from "../../protocol/decode/modelList.ts";
import type { Capability, ModelCapabilities } from "./modelCapabilities.ts";

/** Tokens of question and answer together that are assumed where the service does not tell. */
const assumedWindow = 128_000;

/** What the editor gets of a model. The last members are no part of its stable API; it may use them. */
export interface ModelInformation extends vscode.LanguageModelChatInformation {
  readonly isUserSelectable: true;
  readonly warningText?: string;
}

export interface DescribedModel {
  readonly connectionName: string;
  readonly model: Model;
  readonly capabilities: ModelCapabilities;
  /** The user's cap on generated tokens. */
  readonly maxTokens: number;
  /** Why it cannot answer now. */
  readonly warning?: string;
}

/**
 * Holds the connection, so that a chat with one client's model never goes on with another client's
 * model of the same name.
 */
export function modelIdentifier(connectionName: string, modelId: string): string {
  // The first slash ends the name, whatever is in it: models have slashes in theirs.
  return `${connectionName.replaceAll(/[%/]/gu, encodeURIComponent)}/${modelId}`;
}

/** A model as the editor lists it. What the service does not tell is assumed, and said to be. */
export function modelInformation(described: DescribedModel): ModelInformation {
  const { connectionName, model, capabilities, warning } = described;
  const window = model.contextWindow ?? assumedWindow;
  const maxOutputTokens = Math.min(described.maxTokens, model.maxOutputTokens ?? Infinity);
  return {
    id: modelIdentifier(connectionName, model.id),
    name: model.name ?? model.id,
    family: model.id,
    // No list of models tells one; the editor wants a word.
    version: "unknown",
    detail: warning === undefined ? connectionName : `${connectionName} · ${warning}`,
    tooltip: tooltipOf(described, window, maxOutputTokens),
    // A cap as large as the window says nothing of how long answers are.
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
      ? t("Context: {0} tokens (assumed because the service doesn't report it).", numbers.format(window))
      : t("Context: {0} tokens (reported by the service).", numbers.format(window)),
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
      return t("{0}: unclear (Verify Compatibility couldn't tell).", what);
    case "nothing":
      return t("{0}: not verified. Run Verify Compatibility.", what);
  }
}
