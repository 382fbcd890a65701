import * as vscode from "vscode";
import { type AnswerOutline, OutlineBuilder } from "../../chat/transcript/answerOutline.ts";
import type { ChatRequest, StreamPart, ToolCall, Usage } from "../../protocol/conversation/conversation.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;
/** Source of the token limit: the user's setting, the model and its context window, or the caller. */
export type Cap = "setting" | "model" | "caller";
type ThinkingPart = new (text: string, id?: string, metadata?: object) => object;

/** Callbacks for the parts of an answer. */
export interface AnswerReceiver {
  readonly report: (part: object) => void;
  /** Called for each tool call, up to `maxRememberedCalls` per answer. The outline may grow afterwards. */
  readonly remember: (call: ToolCall, outline: AnswerOutline) => void;
  /** Returns the metadata that VS Code sends back with the reasoning. */
  readonly toMetadata: (outline: AnswerOutline) => object;
}

/** Maximum number of tool calls per answer whose reasoning is remembered. No model makes more at once. */
const maxRememberedCalls = 256;

/** Reports the parts of one answer to VS Code, and collects what is needed at its end. */
export class ReportedAnswer {
  finish: FinishPart | undefined;
  usage: Usage | undefined;
  requestId: string | undefined;
  /** UTF-16 code units received so far. */
  characters = 0;
  readonly #request: ChatRequest;
  readonly #report: (part: object) => void;
  readonly #cap: Cap;
  readonly #thinkingPart = findThinkingPart();
  readonly #receiver: AnswerReceiver;
  readonly #outline = new OutlineBuilder();
  #hasNewReasoning = false;
  #unreadable: ToolCall | undefined;
  #calls = 0;

  /** @param cap source of the token limit */
  constructor(request: ChatRequest, cap: Cap, receiver: AnswerReceiver) {
    this.#request = request;
    this.#cap = cap;
    this.#receiver = receiver;
    this.#report = receiver.report;
  }

  take(parts: readonly StreamPart[]): void {
    for (const part of parts) this.#take(part);
  }

  /** @throws Error if the arguments of a tool call can't be read: the tool must not run with incomplete arguments */
  requireReadableCalls(): void {
    if (this.#unreadable === undefined) return;
    const { name } = this.#unreadable;
    const wasCut = this.finish?.reason === "length";
    if (wasCut) throw new Error(this.#cutCall(name));
    throw new Error(
      vscode.l10n.t(
        "The model called tool '{0}' with invalid JSON arguments, so the tool was not run. Try again, or select another model.",
        name,
      ),
    );
  }

  #cutCall(name: string): string {
    const { maxTokens } = this.#request;
    if (!this.#isCapReached)
      return vscode.l10n.t(
        "The answer reached its token limit while calling tool '{0}', so the tool was not run. Split the task into smaller parts.",
        name,
      );
    return this.#cap === "setting"
      ? vscode.l10n.t(
          "The answer reached its limit of {0} tokens while calling tool '{1}', so the tool was not run. Increase inference.maxTokens, or split the task into smaller parts.",
          maxTokens,
          name,
        )
      : vscode.l10n.t(
          "The answer reached its limit of {0} tokens while calling tool '{1}', so the tool was not run. Split the task into smaller parts.",
          maxTokens,
          name,
        );
  }

  /**
   * Whether a truncated answer has reached the token limit. If not, something else truncated it, such as the context
   * window.
   */
  get #isCapReached(): boolean {
    const { outputTokens } = this.usage ?? {};
    return outputTokens === undefined || outputTokens >= this.#request.maxTokens;
  }

  /**
   * Adds a notice to a truncated answer, because nothing else would report it. Skipped if the caller set the limit or
   * the answer calls tools.
   */
  reportCut(): void {
    if (this.finish?.reason !== "length" || this.#calls > 0 || this.#cap === "caller") return;
    const sentence =
      this.#cap === "model" || !this.#isCapReached
        ? vscode.l10n.t("The answer reached its token limit.")
        : vscode.l10n.t(
            "The answer reached its limit of {0} tokens. Increase inference.maxTokens, or ask for a shorter answer.",
            this.#request.maxTokens,
          );
    this.#report(new vscode.LanguageModelTextPart(`\n\n${sentence}`));
  }

  #take(part: StreamPart): void {
    switch (part.type) {
      case "text-delta":
        this.characters += part.text.length;
        this.#outline.take(part);
        this.#report(new vscode.LanguageModelTextPart(part.text));
        break;
      case "reasoning-delta":
        this.characters += part.text.length;
        if (this.#thinkingPart !== undefined) this.#report(new this.#thinkingPart(part.text));
        break;
      case "reasoning":
        this.#outline.take(part);
        this.#hasNewReasoning = true;
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
      default:
        return part satisfies never;
    }
  }

  #takeCall(call: ToolCall): void {
    this.#calls += 1;
    this.characters += call.name.length + toolArgumentsText(call.arguments).length;
    if (call.arguments.kind === "invalid") {
      this.#unreadable ??= call;
      return;
    }
    this.#outline.take(call);
    if (this.#calls <= maxRememberedCalls) this.#reportReasoning(call);
    this.#report(new vscode.LanguageModelToolCallPart(call.id, call.name, call.arguments.value));
  }

  /** VS Code joins thinking parts and uses only the last metadata, so each metadata has the whole outline so far. */
  #reportReasoning(call: ToolCall): void {
    this.#receiver.remember(call, this.#outline.parts);
    if (!this.#hasNewReasoning || this.#thinkingPart === undefined) return;
    this.#hasNewReasoning = false;
    const metadata = this.#receiver.toMetadata([...this.#outline.parts]);
    this.#report(new this.#thinkingPart("", undefined, metadata));
  }
}

/** Versions of VS Code that show reasoning have a class for it, which the stable types lack. */
function findThinkingPart(): ThinkingPart | undefined {
  const found: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
  return isConstructor(found) ? found : undefined;
}

function isConstructor(value: unknown): value is ThinkingPart {
  return typeof value === "function";
}
