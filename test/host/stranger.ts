import assert from "node:assert/strict";
import * as vscode from "vscode";
import { companionStores } from "./companionStores.ts";

type Model = vscode.LanguageModelChat;

/** What came of a request, as another extension gets it. */
export interface StrangersAnswer {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly calls: readonly vscode.LanguageModelToolCallPart[];
  /** Parts that the stable API does not know. */
  readonly others: readonly unknown[];
}

/**
 * VS Code 1.105 hands a cancellation on only while a request begins, and knows no models for a moment whenever they
 * may have changed, behind which it does not always tell that they are there again.
 */
export const isOldestEditor = vscode.version.startsWith("1.105.");

/** Our models as another extension finds them. */
export async function findModels(selector: vscode.LanguageModelChatSelector = {}): Promise<readonly Model[]> {
  const { languageModels } = await companionStores();
  return languageModels.selectChatModels({ vendor: "inference", ...selector });
}

/** Resolves once the models are as wanted; the editor tells of each change, the oldest of most. */
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

/** A model of a connection, as soon as the editor lists it. */
export async function findModel(connectionName: string, family = "service-core"): Promise<Model> {
  const id = `${connectionName}/${family}`;
  const models = await waitForModels((listed) => listed.some((each) => each.id === id));
  const model = models.find((each) => each.id === id);
  assert.ok(model !== undefined);
  return model;
}

/** What the editor tells extensions of a model beyond the stable API. */
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

/** The stable types of the floor version know fewer parts than the editors that the tests run in. */
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

/** Bytes of a type, by the class that came to the API after the floor version. */
export function dataPart(mediaType: string, bytes: Uint8Array): unknown {
  const found: unknown = Reflect.get(vscode, "LanguageModelDataPart");
  assert.ok(typeof found === "function");
  return Reflect.construct(found, [bytes, mediaType]);
}

/** Asks and reads the whole answer. */
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

/** What a request fails with. */
export async function failureOf(asking: Promise<unknown>): Promise<vscode.LanguageModelError | Error> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Error, "The request did not fail.");
  return error;
}
