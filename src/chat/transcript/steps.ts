import type { ToolArguments, ToolCall, Usage } from "../../protocol/conversation/conversation.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import type { AnswerOutline } from "./answerOutline.ts";
import { type Attachment, attachmentTraits } from "./attachments.ts";

/**
 * In Ask mode the model only answers. In Plan mode it also reads the workspace with tools. In Agent mode it also edits
 * files and runs commands.
 */
export const chatModes = ["ask", "plan", "agent"] as const;
export type ChatMode = (typeof chatModes)[number];
export const [defaultChatMode, ...toolModes] = chatModes;
/** A mode in which the model has tools. */
export type ToolMode = (typeof toolModes)[number];

/** How a tool call ended. `invalid`: its arguments cannot be read, or no such tool exists. */
export const callOutcomes = ["done", "failed", "denied", "stopped", "interrupted", "invalid"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** Facts that the line of a call shows beside its arguments. */
export interface CallFacts {
  /** Lines that were read, counted from 1. */
  readonly firstLine?: number;
  readonly lastLine?: number;
  /** Files, entries, matches or problems that were found. */
  readonly count?: number;
  /** The result was cut at a limit. */
  readonly isCut?: boolean;
  /** The file that was written, as the user sees its path. */
  readonly path?: string;
  /** Lines that were written and lines that were taken away. */
  readonly added?: number;
  readonly removed?: number;
  /** The file did not exist before. */
  readonly isNew?: boolean;
  /** Exit code of a command. Absent if it is unknown. */
  readonly exitCode?: number;
  /** The command goes on in the background. */
  readonly isInBackground?: boolean;
  /** The result can hold instructions of strangers: it comes from outside the workspace, or from an ignored file. */
  readonly isFromOutside?: boolean;
}

/** The end of a call. */
export interface CallResult {
  readonly outcome: CallOutcome;
  /** The text for the model. */
  readonly text: string;
  /** Sent after the results of the step. Absent if there are none. */
  readonly images?: readonly ResultImage[];
  readonly facts?: CallFacts;
}

export interface ResultImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** A decision of the user that a call waits for. */
export type CallRequest =
  /** The model asks something. `options` may be empty. */
  | { readonly type: "question"; readonly question: string; readonly options: readonly string[] }
  /** The call would read a file that is usually not read. */
  | {
      readonly type: "approval";
      readonly reason: "outside-workspace" | "sensitive-file" | "excluded-file" | "faulty-pattern";
      /** The path as the model wrote it, resolved. */
      readonly path: string;
      /** The setting that excludes the file, or the pattern that cannot be read and might match it. */
      readonly rule?: string;
    }
  /** The call would write a file. */
  | {
      readonly type: "edit";
      readonly path: string;
      readonly isNew: boolean;
      /** A unified diff of the whole change, without file names. */
      readonly diff: string;
      readonly cautions: readonly EditCaution[];
      /** Whether edits can be allowed for the rest of the answer. */
      readonly canAllowForAnswer: boolean;
    }
  /** The call would use a tool of an MCP server or of another extension. */
  | {
      readonly type: "tool";
      /** The name that the tool shows to people. */
      readonly title: string;
      /** The server or extension, as far as VS Code names it. */
      readonly source: string;
      /** All arguments, as indented JSON. */
      readonly arguments: string;
      /** Whether the tool can be allowed until the window is reloaded. */
      readonly canAllowForSession: boolean;
      /** The reason to ask despite a permission for the session: content that the answer has read, or a focused text box. */
      readonly asksAgain?: "outside-content" | "typing";
    }
  /** The call would read a website. */
  | {
      readonly type: "website";
      /** As it is requested. */
      readonly url: string;
      /** With its port, if it is not the usual one. */
      readonly host: string;
      /** The user has allowed the host for this answer, which has read content from elsewhere since. */
      readonly asksAgain: boolean;
    }
  /** The call would run a command. */
  | {
      readonly type: "command";
      readonly command: string;
      /** The model's words. */
      readonly purpose: string;
      /** The folder in which the command runs, as the user sees its path. */
      readonly folder: string;
      readonly timeoutSeconds: number;
      /** The user has allowed this command before. It asks because the answer has read content from outside. */
      readonly isAllowedBefore: boolean;
      /** The folder is not the first one of the workspace, so the command can be allowed for this call only. */
      readonly isElsewhere?: true;
      /** The command runs as a task, since the terminal does not report when a command ends. */
      readonly isTask: boolean;
    };

/** Facts that the user must know before a file is written. */
export const editCautions = [
  /** VS Code or another program runs what the file says. Such a file always asks. */
  "acting-file",
  /** The file has text that is not saved. Saving writes it too. */
  "unsaved-text",
  /** Saving runs formatters or other actions, which may change more. */
  "save-actions",
  /** No copy of the file can be stored, so this change cannot be undone. */
  "no-undo",
  /** The answer has read content from outside the workspace. */
  "outside-content",
] as const;
export type EditCaution = (typeof editCautions)[number];

/** The reach of a permission. */
export const allowScopes = [
  "call",
  /** Edits of files, or one website, until the answer ends. */
  "answer",
  /** A tool of others until the window is reloaded. */
  "session",
  /** Every run of this command in this workspace. */
  "workspace",
] as const;
export type AllowScope = (typeof allowScopes)[number];

/** The user's decision. A denial may say why; an answer to a question is its text. */
export type CallReply =
  | { readonly type: "allow"; readonly scope: AllowScope }
  | { readonly type: "deny"; readonly why: string }
  | { readonly type: "answer"; readonly text: string }
  /** The running command goes on, and the answer does not wait for it. */
  | { readonly type: "continue-in-background" };

type CallState =
  /** Waits for the calls before it. */
  | { readonly kind: "pending" }
  | {
      readonly kind: "running";
      /** The end of its output so far. Absent without output. */
      readonly output?: string;
    }
  | { readonly kind: "asking"; readonly request: CallRequest }
  | { readonly kind: "settled"; readonly result: CallResult };

/** A tool call of an answer. */
export interface AnswerCall {
  /** The service's id, which it may use for several calls. */
  readonly id: string;
  readonly name: string;
  readonly arguments: ToolArguments;
  readonly state: CallState;
}

export const messageSources = ["user", "written-call", "resumed", "undone"] as const;

/** A text for the model after the results of a step. */
export interface StepMessage {
  /**
   * `user`: typed while the answer streamed. `written-call`: the model wrote a call as text. `resumed`: the answer
   * goes on after an interruption. `undone`: before it goes on, its changes to files were undone.
   */
  readonly by: (typeof messageSources)[number];
  readonly text: string;
  /** Absent if nothing was attached. */
  readonly attachments?: readonly Attachment[];
}

/** A message of the user that waits for the next request of the answer. */
export type QueuedMessage = Omit<StepMessage, "by">;

/** One request of an answer that went on with a further request. */
export interface AnswerStep {
  /** Ends of its text and reasoning in those of the answer; UTF-16 units. */
  readonly textEnd: number;
  readonly reasoningEnd: number;
  /** The usage of this request alone. Absent if the service reported nothing. */
  readonly usage?: Usage;
  /** Finds the reasoning that goes back to the service. */
  readonly outline: AnswerOutline;
  /** Empty if only a message made the answer go on. */
  readonly calls: readonly AnswerCall[];
  readonly messages?: readonly StepMessage[];
}

/** The events of steps. Calls are counted from 0 within the last step. */
export type StepEvent =
  | { readonly type: "step-ended"; readonly calls: readonly ToolCall[]; readonly outline: AnswerOutline }
  | { readonly type: "call-started"; readonly call: number }
  | { readonly type: "call-asks"; readonly call: number; readonly request: CallRequest }
  /** The end of the output of the running call. */
  | { readonly type: "call-output"; readonly call: number; readonly output: string }
  | { readonly type: "call-settled"; readonly call: number; readonly result: CallResult }
  | { readonly type: "message-added"; readonly message: StepMessage };

type UnfinishedOutcome = "stopped" | "interrupted";

/** Result texts of calls that ended without a result. They go to the model. */
const unfinishedResults: Readonly<Record<UnfinishedOutcome, string>> = {
  stopped: "Stopped by the user before it was done.",
  interrupted: "Interrupted before it was done. Nothing of it is known.",
};
/** Result texts of commands without an end. A command can outlive the window. */
const unfinishedCommands: Readonly<Record<UnfinishedOutcome, string>> = {
  stopped: "Stopped by the user before the command ended. What it had done by then is not undone.",
  interrupted:
    "Interrupted. If the command had begun, it may still be running. Look before you run it again.",
};

export const commandToolName = "run_command";

interface SteppedAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly steps?: readonly AnswerStep[];
}

/**
 * The steps of an answer after an event. An event without its step or call changes nothing.
 *
 * @param usage of the request that ends with the event
 */
export function reduceSteps(
  { text, reasoning, steps = [] }: SteppedAnswer,
  event: StepEvent,
  usage?: Usage,
): readonly AnswerStep[] {
  if (event.type === "step-ended") {
    const calls = event.calls.map(({ id, name, arguments: given }): AnswerCall => ({
      id,
      name,
      arguments: given,
      state: { kind: "pending" },
    }));
    return [
      ...steps,
      {
        textEnd: text.length,
        reasoningEnd: reasoning.length,
        ...(usage === undefined ? {} : { usage }),
        outline: event.outline,
        calls,
      },
    ];
  }
  const last = steps.at(-1);
  if (last === undefined) return steps;
  if (event.type === "message-added") {
    return steps.with(steps.length - 1, { ...last, messages: [...(last.messages ?? []), event.message] });
  }
  const call = last.calls[event.call];
  if (call === undefined) return steps;
  return steps.with(steps.length - 1, {
    ...last,
    calls: last.calls.with(event.call, { ...call, state: stateAfter(event) }),
  });
}

function stateAfter(event: Extract<StepEvent, { readonly call: number }>): CallState {
  switch (event.type) {
    case "call-started":
      return { kind: "running" };
    case "call-asks":
      return { kind: "asking", request: event.request };
    case "call-output":
      return { kind: "running", output: event.output };
    case "call-settled":
      return { kind: "settled", result: event.result };
  }
}

/** Gives every call a result. Calls without one were stopped or interrupted. */
export function settleCalls(steps: readonly AnswerStep[], outcome: UnfinishedOutcome): readonly AnswerStep[] {
  return steps.map((step) =>
    step.calls.every(({ state }) => state.kind === "settled")
      ? step
      : { ...step, calls: step.calls.map((call) => ({ ...call, state: settledState(call, outcome) })) },
  );
}

function settledState({ name, state }: AnswerCall, outcome: UnfinishedOutcome): CallState {
  if (state.kind === "settled") return state;
  const texts = name === commandToolName ? unfinishedCommands : unfinishedResults;
  return { kind: "settled", result: { outcome, text: texts[outcome] } };
}

/** A file that an answer has written. */
export interface ChangedFile {
  readonly path: string;
  readonly isNew: boolean;
  /** Lines of all edits together. */
  readonly added: number;
  readonly removed: number;
}

/** The files that an answer has written, in the order of their first change. */
export function changedFiles(steps: readonly AnswerStep[]): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { state } of steps.flatMap(({ calls }) => calls)) {
    const facts = state.kind === "settled" ? state.result.facts : undefined;
    if (facts?.path === undefined) continue;
    const { path, added = 0, removed = 0, isNew = false } = facts;
    const before = files.get(path) ?? { path, isNew, added: 0, removed: 0 };
    files.set(path, { ...before, added: before.added + added, removed: before.removed + removed });
  }
  return [...files.values()];
}

/** Whether a result of these steps comes from outside. */
export function hasOutsideContent(steps: readonly AnswerStep[]): boolean {
  return steps
    .flatMap(({ calls }) => calls)
    .some(({ state }) => state.kind === "settled" && state.result.facts?.isFromOutside === true);
}

/** The texts of one request of an answer, and its step. The last request has no step. */
export interface AnswerPart {
  readonly text: string;
  readonly reasoning: string;
  readonly step?: AnswerStep;
}

/** The answer by its requests. The last part has no step; its texts may be empty. */
export function partsOf({ text, reasoning, steps = [] }: SteppedAnswer): readonly AnswerPart[] {
  let [textStart, reasoningStart] = [0, 0];
  const parts: AnswerPart[] = steps.map((step) => {
    const part = {
      text: text.slice(textStart, step.textEnd),
      reasoning: reasoning.slice(reasoningStart, step.reasoningEnd),
      step,
    };
    [textStart, reasoningStart] = [step.textEnd, step.reasoningEnd];
    return part;
  });
  return [...parts, { text: text.slice(textStart), reasoning: reasoning.slice(reasoningStart) }];
}

/** UTF-16 units that the model wrote for its calls. */
export function charactersOfCalls(steps: readonly AnswerStep[]): number {
  return sumOf(
    steps
      .flatMap(({ calls }) => calls)
      .map((call) => call.name.length + toolArgumentsText(call.arguments).length),
  );
}

/** Images of all results and messages, which later requests send again. */
export function imagesInSteps(steps: readonly AnswerStep[]): number {
  const results = steps
    .flatMap(({ calls }) => calls)
    .map(({ state }) => (state.kind === "settled" ? (state.result.images?.length ?? 0) : 0));
  return sumOf(results) + imagesInMessages(steps.flatMap(({ messages = [] }) => messages));
}

export function imagesInMessages(messages: readonly QueuedMessage[]): number {
  const attached = messages.flatMap(({ attachments = [] }) => attachments);
  return attached.filter(({ kind }) => attachmentTraits[kind].holds === "image").length;
}

/** UTF-16 units of all calls, results and messages with their attachments, which later requests send again. */
export function charactersOfSteps(steps: readonly AnswerStep[]): number {
  const results = steps
    .flatMap(({ calls }) => calls)
    .map(({ state }) => (state.kind === "settled" ? state.result.text.length : 0));
  const messages = steps.flatMap((step) => step.messages ?? []);
  return charactersOfCalls(steps) + sumOf(results) + charactersOfMessages(messages);
}

export function charactersOfMessages(messages: readonly QueuedMessage[]): number {
  const attached = messages.flatMap(({ attachments = [] }) => attachments);
  return sumOf([...messages.map(({ text }) => text.length), ...attached.map(({ characters }) => characters)]);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
