import type { ToolRun } from "../../chat/agent/answerTools.ts";
import {
  type ArgumentsOf,
  describeTool,
  type Parameters,
  readArguments,
} from "../../chat/agent/toolParameters.ts";
import type { AllowScope, CallFacts, CallReply, CallResult } from "../../chat/transcript/steps.ts";
import type { AgentServices } from "./agentServices.ts";
import type { AnswerApprovals } from "./approvals.ts";
import type { Tool, ToolArguments } from "../../protocol/conversation/conversation.ts";

/** The answer that a tool of the extension runs for. */
export interface AgentRun extends ToolRun {
  /** Takes keys out of a text. A tool that cuts a text cleans it first: a cut key would not be found later. */
  readonly clean: (text: string) => Promise<string>;
  /** Like `clean`, for a text that goes on later. Leaves out its end if that could be the start of a key. */
  readonly cleanArriving: (text: string) => Promise<string>;
  readonly chatId: string;
  /** Permissions for the rest of the answer. */
  readonly allowed: AnswerApprovals;
  readonly services: AgentServices;
}

/** A tool of the extension. */
export interface AgentTool {
  readonly offered: Tool;
  /** The tool ends by itself, so the usual timeout does not apply. */
  readonly endsItself: boolean;
  /** Replaces the usual timeout. */
  readonly timeoutMs?: number;
  /** @throws ToolArgumentError, ToolError, and whatever VS Code throws */
  readonly run: (given: ToolArguments, run: AgentRun) => Promise<CallResult>;
}

interface ToolDefinition<Given extends Parameters> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Given;
  readonly endsItself?: true;
  readonly run: (given: ArgumentsOf<Given>, run: AgentRun) => Promise<CallResult>;
}

export function defineTool<const Given extends Parameters>(definition: ToolDefinition<Given>): AgentTool {
  const { name, description, parameters, endsItself = false } = definition;
  return {
    offered: describeTool(name, description, parameters),
    endsItself,
    run: async (given, run) => definition.run(readArguments(parameters, given), run),
  };
}

/** A failure of a tool; the message is for the model, and says what was and was not done. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ToolError";
  }
}

/** Thrown if the user denies a call. */
export class DeniedError extends Error {
  constructor(why: string, text = "The user denied this call.") {
    super(why === "" ? text : `The user denied this call and said: ${why}`);
    this.name = "DeniedError";
  }
}

/**
 * Resolves with how far the user's permission reaches.
 * @throws DeniedError
 */
export async function requireAllowed(asked: Promise<CallReply>): Promise<AllowScope> {
  const reply = await asked;
  if (reply.type === "allow") return reply.scope;
  throw new DeniedError(reply.type === "deny" ? reply.why : "");
}

export function done(text: string, facts?: CallFacts): CallResult {
  return { outcome: "done", text, ...(facts === undefined ? {} : { facts }) };
}
