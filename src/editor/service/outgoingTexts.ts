import * as vscode from "vscode";
import { withoutExposedKeys } from "../../connection/exposedKeys/exposedKeys.ts";
import type { ChatRequest, ContentPart, Message, Tool } from "../../protocol/conversation/conversation.ts";
import { isFields, parseJson } from "../../protocol/conversation/json.ts";
import { cleanReasoning } from "../../protocol/conversation/reasoning.ts";
import { readToolArguments, toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import { showWarning } from "../shared/notices.ts";
import type { SearchedKeys } from "./searchedKeys.ts";

/** Removes all stored keys from texts before they are sent, and tells the user. */
export class OutgoingTexts {
  readonly #searchedKeys: SearchedKeys;

  constructor(searchedKeys: SearchedKeys) {
    this.#searchedKeys = searchedKeys;
  }

  /**
   * Returns the question without keys, to be shown and sent. Tells the user about removed keys unless `tells` is false.
   */
  async cleanQuestion(question: string, tells = true): Promise<string> {
    const { text, connectionNames } = withoutExposedKeys(question, await this.#searchedKeys.list());
    if (tells) showRedacted(connectionNames);
    return text;
  }

  /** Replaces keys with `[API key]` in the request's messages, tools, and stop sequences. */
  async cleanRequest(request: ChatRequest): Promise<ChatRequest> {
    const keys = await this.#searchedKeys.list();
    const clean = (text: string): string => withoutExposedKeys(text, keys).text;
    const { tools, sampling } = request;
    return {
      ...request,
      messages: await this.clean(request.messages),
      ...(tools === undefined ? {} : { tools: tools.map((tool) => cleanTool(tool, clean)) }),
      ...(sampling?.stop === undefined ? {} : { sampling: { ...sampling, stop: sampling.stop.map(clean) } }),
    };
  }

  /** Replaces keys with `[API key]` in the result of a tool. */
  async cleanText(text: string): Promise<string> {
    return withoutExposedKeys(text, await this.#searchedKeys.listRecent()).text;
  }

  /** Like `cleanText`, for a text that goes on later. Leaves out its end if that could be the start of a key. */
  async cleanArrivingText(text: string): Promise<string> {
    const keys = await this.#searchedKeys.listRecent();
    const started = Math.max(0, ...keys.map(({ key }) => key.startAtEndOf(text)));
    return withoutExposedKeys(text.slice(0, text.length - started), keys).text;
  }

  /**
   * Replaces keys with `[API key]` in the conversation. Tells the user about keys in the newest message.
   *
   * @param sent messages that were sent before, with their cleaned form; searching them again would change nothing
   */
  async clean(
    messages: readonly Message[],
    sent = new WeakMap<Message, Message>(),
  ): Promise<readonly Message[]> {
    const keys = await this.#searchedKeys.list();
    return messages.map((message, index) => {
      const known = sent.get(message);
      if (known !== undefined) return known;
      const { role, content } = message;
      const found: string[] = [];
      const clean = (text: string): string => {
        const cleaned = withoutExposedKeys(text, keys);
        found.push(...cleaned.connectionNames);
        return cleaned.text;
      };
      const parts = content.flatMap((part) => cleanPart(part, clean) ?? []);
      if (index === messages.length - 1) showRedacted(found);
      const cleaned = { role, content: parts };
      sent.set(message, cleaned);
      return cleaned;
    });
  }
}

/** Returns undefined for reasoning that can no longer be sent once a key is removed from it. */
function cleanPart(part: ContentPart, clean: (text: string) => string): ContentPart | undefined {
  switch (part.type) {
    case "text":
    case "tool-result":
      return { ...part, text: clean(part.text) };
    case "tool-call":
      return { ...part, arguments: readToolArguments(clean(toolArgumentsText(part.arguments))) };
    case "image":
      return part;
    // The content of the file is not searched.
    case "pdf":
      return { ...part, name: clean(part.name) };
    case "reasoning":
      return cleanReasoning(part, clean);
  }
}

function cleanTool(tool: Tool, clean: (text: string) => string): Tool {
  const schema = parseJson(clean(JSON.stringify(tool.schema)));
  return {
    name: clean(tool.name),
    description: clean(tool.description),
    schema: isFields(schema) ? schema : {},
  };
}

function showRedacted(connectionNames: readonly string[]): void {
  if (connectionNames.length === 0) return;
  const names = [...new Set(connectionNames)].join(", ");
  void showWarning(
    vscode.l10n.t("Removed the API key for '{0}' from your message before the message was sent.", names),
  );
}
