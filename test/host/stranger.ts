import assert from "node:assert/strict";
import * as vscode from "vscode";
import { companionStores } from "./companionStores.ts";

type Model = vscode.LanguageModelChat;

/** The answer to a request, as another extension receives it. */
export interface StrangersAnswer {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly calls: readonly vscode.LanguageModelToolCallPart[];
  /** Parts that the stable API does not have. */
  readonly others: readonly unknown[];
}

/**
 * Whether VS Code is 1.105. It forwards a cancellation only while a request begins. It briefly lists no models when
 * they may have changed, and does not always fire an event afterwards.
 */
export const isOldestEditor = vscode.version.startsWith("1.105.");

/** Finds our models as another extension does. */
export async function findModels(selector: vscode.LanguageModelChatSelector = {}): Promise<readonly Model[]> {
  const { languageModels } = await companionStores();
  return languageModels.selectChatModels({ vendor: "inference", ...selector });
}

/** Resolves when the models match. VS Code fires an event for each change; 1.105 misses some, so it is also polled. */
export async function waitForModels(
  isWanted: (models: readonly Model[]) => boolean,
): Promise<readonly Model[]> {
  const { languageModels } = await companionStores();
  const { promise, resolve, reject } = Promise.withResolvers<readonly Model[]>();
  const look = (): void => {
    findModels().then((models) => (isWanted(models) ? resolve(models) : undefined), reject);
  };
  const subscription = languageModels.onDidChangeChatModels(look);
  const untold = isOldestEditor ? setInterval(look, 100) : undefined;
  look();
  try {
    return await promise;
  } finally {
    clearInterval(untold);
    subscription.dispose();
  }
}

/** Resolves with a model of a connection when VS Code lists it. */
export async function findModel(connectionName: string, family = "service-core"): Promise<Model> {
  const id = `${connectionName}/${family}`;
  const models = await waitForModels((listed) => listed.some((each) => each.id === id));
  const model = models.find((each) => each.id === id);
  assert.ok(model !== undefined);
  return model;
}

/** Capabilities that VS Code reports to extensions beyond the stable API. */
export function capabilitiesOf(model: object | undefined) {
  const told: unknown = model === undefined ? undefined : Reflect.get(model, "capabilities");
  const has = (name: string): boolean =>
    typeof told === "object" && told !== null && Reflect.get(told, name) === true;
  return {
    supportsImageToText: has("supportsImageToText"),
    supportsToolCalling: has("supportsToolCalling"),
  };
}

export function user(...content: readonly unknown[]): vscode.LanguageModelChatMessage {
  return message(vscode.LanguageModelChatMessageRole.User, content);
}

export function assistant(...content: readonly unknown[]): vscode.LanguageModelChatMessage {
  return message(vscode.LanguageModelChatMessageRole.Assistant, content);
}

/** Creates a message. The types of the lowest supported version lack some parts that VS Code in the tests has. */
function message(
  role: vscode.LanguageModelChatMessageRole,
  content: readonly unknown[],
): vscode.LanguageModelChatMessage {
  const made = new vscode.LanguageModelChatMessage(role, "");
  const parts = content.map((part) =>
    typeof part === "string" ? new vscode.LanguageModelTextPart(part) : part,
  );
  Object.assign(made, { content: parts });
  return made;
}

/** A data part, of a class that is newer than the lowest supported version. */
export function dataPart(mediaType: string, bytes: Uint8Array): unknown {
  const found: unknown = Reflect.get(vscode, "LanguageModelDataPart");
  assert.ok(typeof found === "function");
  return Reflect.construct(found, [bytes, mediaType]);
}

/** Sends a request and reads the whole answer. */
export async function ask(
  model: Model,
  messages: readonly vscode.LanguageModelChatMessage[],
  options: vscode.LanguageModelChatRequestOptions = {},
  token?: vscode.CancellationToken,
): Promise<StrangersAnswer> {
  const response = await model.sendRequest([...messages], options, token);
  const pieces: string[] = [];
  const calls: vscode.LanguageModelToolCallPart[] = [];
  const others: unknown[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) pieces.push(part.value);
    else if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
    else others.push(part);
  }
  return { text: pieces.join(""), pieces, calls, others };
}

/** Resolves with the error of a failed request. */
export async function failureOf(asking: Promise<unknown>): Promise<vscode.LanguageModelError | Error> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error, "The request did not fail.");
  return error;
}
