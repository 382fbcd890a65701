import * as vscode from "vscode";
import type { ProbeInputs } from "./contract.ts";

/** Reads an answer like any extension does. Returns the number of text parts and the milliseconds until the end. */
export async function askModel({ vendor, id, parts: asked }: ProbeInputs["askModel"]) {
  const model = await findModel(vendor, id);
  const message = vscode.LanguageModelChatMessage.User(String(asked));
  const start = performance.now();
  const response = await model.sendRequest([message]);
  let parts = 0;
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) parts += 1;
  }
  return { parts, milliseconds: performance.now() - start };
}

/** Waits until VS Code lists the model. */
async function findModel(vendor: string, id: string): Promise<vscode.LanguageModelChat> {
  const { promise, resolve, reject } = Promise.withResolvers<vscode.LanguageModelChat>();
  const look = (): void => {
    vscode.lm.selectChatModels({ vendor }).then((models) => {
      const found = models.find((each) => each.id === id);
      return found === undefined ? undefined : resolve(found);
    }, reject);
  };
  const subscription = vscode.lm.onDidChangeChatModels(look);
  look();
  try {
    return await promise;
  } finally {
    subscription.dispose();
  }
}
