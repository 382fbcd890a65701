import type { ToolRun } from "../../chat/agent/answerTools.ts";
import {
  type ArgumentsOf,
  describeTool,
  type Parameters,
  readArguments,
} from "../../chat/agent/toolParameters.ts";
import type { CallFacts, CallResult } from "../../chat/transcript/steps.ts";
import type { Tool, ToolArguments } from "../../protocol/conversation/conversation.ts";

/** The answer that a tool of the extension runs for. */
export interface AgentRun extends ToolRun {
  /** Takes keys out of a text. A tool that cuts a text cleans it first: a cut key would not be found later. */
  readonly clean: (text: string) => Promise<string>;
}

/** A tool of the extension. */
export interface AgentTool {
  readonly offered: Tool;
  /** @throws ToolArgumentError, ToolError, and whatever VS Code throws */
  readonly run: (given: ToolArguments, run: AgentRun) => Promise<CallResult>;
}

interface ToolDefinition<Given extends Parameters> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Given;
  readonly run: (given: ArgumentsOf<Given>, run: AgentRun) => Promise<CallResult>;
}

export function defineTool<const Given extends Parameters>(definition: ToolDefinition<Given>): AgentTool {
  const { name, description, parameters } = definition;
  return {
    offered: describeTool(name, description, parameters),
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
  constructor(why: string) {
    super(why === "" ? "The user denied this call." : `The user denied this call and said: ${why}`);
    this.name = "DeniedError";
  }
}

export function done(text: string, facts?: CallFacts): CallResult {
  return { outcome: "done", text, ...(facts === undefined ? {} : { facts }) };
}
