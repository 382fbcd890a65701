import * as vscode from "vscode";
import type { ChatRequest, StreamPart, ToolCall, Usage } from "../../protocol/conversation.ts";
import { toolArgumentsText } from "../../protocol/toolCalls.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;
/** Who has set how long an answer may be: the user, what the model gives or has room for, or who asked. */
export type Cap = "setting" | "model" | "caller";
type ThinkingPart = new (text: string) => object;

/** The parts of one answer on their way to the editor, and what has to be known of them at its end. */
export class ReportedAnswer {
  finish: FinishPart | undefined;
  usage: Usage | undefined;
  requestId: string | undefined;
  /** UTF-16 units of all that came. */
  characters = 0;
  readonly #request: ChatRequest;
  readonly #report: (part: object) => void;
  readonly #cap: Cap;
  readonly #thinkingPart = findThinkingPart();
  #unreadable: ToolCall | undefined;
  #hasCalls = false;

  /** @param cap whose the cap on tokens is */
  constructor(request: ChatRequest, cap: Cap, report: (part: object) => void) {
    this.#request = request;
    this.#cap = cap;
    this.#report = report;
  }

  take(parts: readonly StreamPart[]): void {
    for (const part of parts) this.#take(part);
  }

  /** @throws Error where a tool was to be called with what cannot be read: nobody may run it with less */
  requireReadableCalls(): void {
    if (this.#unreadable === undefined) return;
    const { name } = this.#unreadable;
    const wasCut = this.finish?.reason === "length";
    if (wasCut) throw new Error(this.#cutCall(name));
    throw new Error(
      vscode.l10n.t(
        "The model called the tool {0} with arguments that are no JSON object, so it was not run. Try again, or choose another model.",
        name,
      ),
    );
  }

  #cutCall(name: string): string {
    const { maxTokens } = this.#request;
    return this.#cap === "setting"
      ? vscode.l10n.t(
          "The answer was cut at {0} tokens while it called the tool {1}, which was not run. Raise inference.maxTokens, or ask for less at once.",
          maxTokens,
          name,
        )
      : vscode.l10n.t(
          "The answer was cut at {0} tokens while it called the tool {1}, which was not run. Ask for less at once.",
          maxTokens,
          name,
        );
  }

  /** Says of a text that was cut that it was, unless the caller has wanted it so: nobody else would. */
  tellCut(): void {
    if (this.finish?.reason !== "length" || this.#hasCalls || this.#cap === "caller") return;
    const sentence =
      this.#cap === "model"
        ? vscode.l10n.t("The answer was cut at its token limit.")
        : vscode.l10n.t(
            "The answer was cut at {0} tokens. Raise inference.maxTokens, or ask for less at once.",
            this.#request.maxTokens,
          );
    this.#report(new vscode.LanguageModelTextPart(`\n\n${sentence}`));
  }

  #take(part: StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.characters += part.text.length;
        this.#report(new vscode.LanguageModelTextPart(part.text));
        break;
      case "reasoning-delta":
        this.characters += part.text.length;
        if (this.#thinkingPart !== undefined) this.#report(new this.#thinkingPart(part.text));
        break;
      case "tool-call":
        this.#takeCall(part);
        break;
      case "usage":
        this.usage = part.usage;
        break;
      case "request-id":
        this.requestId ??= part.requestId;
        break;
      case "finish":
        this.finish = part;
        break;
      case "error":
        break;
    }
  }

  #takeCall(call: ToolCall): void {
    this.#hasCalls = true;
    this.characters += call.name.length + toolArgumentsText(call.arguments).length;
    if (call.arguments.kind === "invalid") this.#unreadable ??= call;
    else this.#report(new vscode.LanguageModelToolCallPart(call.id, call.name, call.arguments.value));
  }
}

/** Editors that show what a model thinks have a part for it, which the stable types do not know. */
function findThinkingPart(): ThinkingPart | undefined {
  const found: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
  return isConstructor(found) ? found : undefined;
}

function isConstructor(value: unknown): value is ThinkingPart {
  return typeof value === "function";
}
