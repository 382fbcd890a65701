import type { Message, ToolCall } from "../../protocol/conversation/conversation.ts";
import { describeInvalidArguments } from "../../protocol/conversation/toolCalls.ts";
import type { AnswerTools } from "../agent/answerTools.ts";
import { LoopGuard } from "../agent/loopGuard.ts";
import { hasWrittenCall } from "../agent/loopGuard.ts";
import type { CallReply, CallRequest, CallResult, QueuedMessage } from "../transcript/steps.ts";
import type { AnswerEvent, AnswerTurn, PauseReason, SettledState } from "../transcript/transcript.ts";
import { convertStep, type TakenKinds } from "./buildMessages.ts";
import { clearOldResults, type ResultLimit } from "./clearedResults.ts";
import type { RequestEnd } from "./streamingAnswer.ts";

interface AgentLoopOptions {
  readonly tools: AnswerTools;
  readonly signal: AbortSignal;
  /** Sends one request. */
  readonly receive: (messages: readonly Message[]) => Promise<RequestEnd>;
  readonly apply: (events: readonly AnswerEvent[]) => void;
  /** The answer as it is now. */
  readonly answer: () => AnswerTurn | null;
  /** The kinds of files that the model is known to take now. */
  readonly taken: () => TakenKinds;
  /** From how many tokens on old results are cleared. Absent if the context window is unknown. */
  readonly resultLimit: ResultLimit | undefined;
}

interface RunningCall {
  readonly call: number;
  readonly background: AbortController;
}

interface Queued {
  readonly message: QueuedMessage;
  readonly settle: (isTaken: boolean) => void;
}

/** Calls of one step that are run; a service may send any number. */
const maxCallsPerStep = 32;

const writtenCallNote =
  "You wrote a tool call as text, so nothing was called. Use the tool interface of this API to call a tool.";

/** Requests and tool calls in turn, until the model answers without a call, or the user ends it. */
export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #guard = new LoopGuard();
  #requests = 0;
  #allowed: number;
  #wasToldOfWrittenCall = false;
  /** The reply that the answer waits for. */
  #onCallReply: { readonly call: number; readonly resolve: (reply: CallReply) => void } | undefined;
  #onPauseReply: ((goesOn: boolean) => void) | undefined;
  /** The running call. */
  #running: RunningCall | undefined;
  #queue: readonly Queued[] = [];

  constructor(options: AgentLoopOptions) {
    this.#options = options;
    this.#allowed = options.tools.maxRequests;
  }

  /** Sends a message of the user with the next request. Resolves with whether a request has taken it. */
  enqueue(message: QueuedMessage): Promise<boolean> {
    return new Promise((settle) => {
      this.#setQueue([...this.#queue, { message, settle }]);
    });
  }

  /** Gives up the messages that no request has taken. */
  dropQueue(): void {
    for (const { settle } of this.#queue) settle(false);
    this.#queue = [];
  }

  /** Replies to the card of a call of the last step. */
  replyToCall(call: number, reply: CallReply): void {
    if (reply.type === "continue-in-background") {
      if (this.#running?.call === call) this.#running.background.abort();
    } else if (this.#onCallReply?.call === call) this.#onCallReply.resolve(reply);
  }

  replyToPause(goesOn: boolean): void {
    this.#onPauseReply?.(goesOn);
  }

  /** @param messages of the first request */
  async run(messages: readonly Message[]): Promise<SettledState> {
    let sent = messages;
    for (;;) {
      this.#requests += 1;
      const end = await this.#options.receive(sent);
      if (!(await this.#endStep(end))) return end.state;
      if (this.#options.signal.aborted || !(await this.#mayGoOn())) return { kind: "stopped" };
      this.#addQueue();
      const step = this.#options.answer()?.steps?.at(-1);
      if (step === undefined) return end.state;
      sent = clearOldResults(
        [...sent, ...convertStep(end.text, step, this.#options.taken())],
        this.#options.resultLimit,
      );
      this.#options.apply([{ type: "request-begun" }]);
    }
  }

  /** Runs the calls of a request. False if the answer is complete. */
  async #endStep({ state, text, calls, outline }: RequestEnd): Promise<boolean> {
    const { tools, apply } = this.#options;
    if (state.kind !== "complete") return false;
    if (calls.length > 0) {
      apply([{ type: "step-ended", calls: calls.map(withShortName), outline }]);
      await this.#runCalls(calls, state.reason === "length");
      return true;
    }
    const names = tools.offered.map(({ name }) => name);
    if (this.#wasToldOfWrittenCall || !hasWrittenCall(text, names)) return false;
    this.#wasToldOfWrittenCall = true;
    apply([
      { type: "step-ended", calls: [], outline },
      { type: "message-added", message: { by: "written-call", text: writtenCallNote } },
    ]);
    return true;
  }

  async #runCalls(calls: readonly ToolCall[], isCut: boolean): Promise<void> {
    const { apply, signal } = this.#options;
    for (const [index, call] of calls.entries()) {
      if (signal.aborted) return;
      const result = await this.#result(call, index, isCut && index === calls.length - 1);
      if (result === undefined) return;
      apply([{ type: "call-settled", call: index, result }]);
    }
  }

  /** Undefined if the user has stopped the answer. */
  async #result(call: ToolCall, index: number, isCut: boolean): Promise<CallResult | undefined> {
    // The model has done nothing wrong with such a call, so it counts as no failure.
    if (index >= maxCallsPerStep) return { outcome: "invalid", text: tooManyText };
    const result = refusalOf(call, isCut) ?? (await this.#run(call, index));
    return result && this.#guard.note(call, result);
  }

  /** Undefined if the user has stopped the answer. */
  async #run(call: ToolCall, index: number): Promise<CallResult | undefined> {
    const { tools, apply, signal } = this.#options;
    apply([{ type: "call-started", call: index }]);
    const running: RunningCall = { call: index, background: new AbortController() };
    this.#running = running;
    try {
      // A call that ends although the user has stopped the answer has done something, such as writing a file.
      return await tools.run(call, {
        answerId: this.#options.answer()?.id ?? "",
        signal,
        ask: (request) => this.#ask(running, request),
        showOutput: (output) => this.#showOutput(running, output),
        background: running.background.signal,
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      this.#running = undefined;
      this.#onCallReply = undefined;
    }
  }

  /** Output that comes after the call's end, or while its card is open, is not shown. */
  #showOutput(running: RunningCall, output: string): void {
    if (this.#running !== running || this.#onCallReply !== undefined) return;
    this.#options.apply([{ type: "call-output", call: running.call, output }]);
  }

  /** Rejects if the call has ended. A timeout ends a call while its tool still works. */
  async #ask(running: RunningCall, request: CallRequest): Promise<CallReply> {
    if (this.#running !== running) throw new Error("The call has ended.");
    const { call } = running;
    const { apply } = this.#options;
    apply([{ type: "call-asks", call, request }]);
    const reply = await this.#reply<CallReply>((resolve) => (this.#onCallReply = { call, resolve }));
    this.#onCallReply = undefined;
    apply([{ type: "call-started", call }]);
    return reply;
  }

  async #mayGoOn(): Promise<boolean> {
    const { tools } = this.#options;
    const pause = this.#guard.takePause();
    if (pause !== undefined && !(await this.#pause(pause))) return false;
    if (this.#requests >= this.#allowed) {
      if (!(await this.#pause({ type: "requests", count: this.#requests }))) return false;
      this.#allowed = this.#requests + tools.maxRequests;
    }
    return tools.maySend();
  }

  async #pause(reason: PauseReason): Promise<boolean> {
    this.#options.apply([{ type: "paused", reason }]);
    try {
      return await this.#reply<boolean>((resolve) => (this.#onPauseReply = resolve));
    } catch {
      return false;
    } finally {
      this.#onPauseReply = undefined;
    }
  }

  /** Resolves with the user's reply. Rejects when the user stops the answer. */
  #reply<Reply>(listen: (resolve: (reply: Reply) => void) => void): Promise<Reply> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(new Error("The answer was stopped."));
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
      listen((reply) => {
        signal.removeEventListener("abort", leave);
        resolve(reply);
      });
    });
  }

  #addQueue(): void {
    const queue = this.#queue;
    if (queue.length === 0) return;
    this.#options.apply(
      queue.map(({ message }) => ({ type: "message-added", message: { by: "user", ...message } })),
    );
    this.#setQueue([]);
    for (const { settle } of queue) settle(true);
  }

  #setQueue(queue: readonly Queued[]): void {
    this.#queue = queue;
    this.#options.apply([{ type: "messages-queued", messages: queue.map(({ message }) => message) }]);
  }
}

/** UTF-16 units. No tool has such a long name, but a service may send any. */
const maxNameLength = 200;

function withShortName(call: ToolCall): ToolCall {
  return { ...call, name: call.name.slice(0, maxNameLength) };
}

const tooManyText = `Not run: at most ${maxCallsPerStep} calls are run at once. Make this call again if you still need it.`;

/** Why a call is not run. */
function refusalOf({ arguments: given }: ToolCall, isCut: boolean): CallResult | undefined {
  if (isCut) {
    const text = "Not run: the answer reached its token limit while writing this call. Ask for less at once.";
    return { outcome: "invalid", text };
  }
  if (given.kind === "object") return undefined;
  const text = `Not run. ${describeInvalidArguments(given.text)} Received: ${given.text.slice(0, 500)}`;
  return { outcome: "invalid", text };
}
