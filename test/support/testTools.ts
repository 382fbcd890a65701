import type { AnswerTools, ToolRun } from "../../src/chat/agent/answerTools.ts";
import { describeTool } from "../../src/chat/agent/toolParameters.ts";
import type {
  CallFacts,
  CallReply,
  CallRequest,
  CallResult,
  ToolMode,
} from "../../src/chat/transcript/steps.ts";
import type { Tool, ToolCall } from "../../src/protocol/conversation/conversation.ts";

const path = { path: { type: "string", description: "Path" } } as const;

const readingTools: readonly Tool[] = [
  describeTool("read_file", "Reads a file.", path),
  describeTool("list_folder", "Lists a folder.", path),
  describeTool("search_text", "Searches.", { query: { type: "string", description: "Query" } }),
  describeTool("ask_user", "Asks.", { question: { type: "string", description: "Question" } }),
];
const writingTools: readonly Tool[] = [
  describeTool("edit_file", "Edits a file.", path),
  describeTool("create_file", "Creates a file.", path),
  describeTool("run_command", "Runs a command.", { command: { type: "string", description: "Command" } }),
];

/** A request to edit a file, with one changed line. */
export function editRequest(
  changes: Partial<Extract<CallRequest, { type: "edit" }>> = {},
): Extract<CallRequest, { type: "edit" }> {
  return {
    type: "edit",
    path: "src/sum.ts",
    isNew: false,
    diff: "@@ -1,3 +1,3 @@\n export function sum(a, b) {\n-  return a - b;\n+  return a + b;\n }\n",
    cautions: [],
    canAllowForAnswer: true,
    ...changes,
  };
}

/** A request to run `npm test`. */
export function commandRequest(
  changes: Partial<Extract<CallRequest, { type: "command" }>> = {},
): Extract<CallRequest, { type: "command" }> {
  return {
    type: "command",
    command: "npm test",
    purpose: "Run the tests",
    folder: "app",
    timeoutSeconds: 120,
    isAllowedBefore: false,
    isTask: false,
    ...changes,
  };
}

/** A request to use a tool of an MCP server. */
export function toolRequest(
  changes: Partial<Extract<CallRequest, { type: "tool" }>> = {},
): Extract<CallRequest, { type: "tool" }> {
  return {
    type: "tool",
    title: "mcp_notes_add",
    source: "MCP server 'notes'",
    arguments: JSON.stringify({ text: "Buy milk\u200b", tags: ["home"] }, null, 2),
    canAllowForSession: true,
    ...changes,
  };
}

/** A request to read a website. */
export function websiteRequest(
  changes: Partial<Extract<CallRequest, { type: "website" }>> = {},
): Extract<CallRequest, { type: "website" }> {
  return {
    type: "website",
    url: "https://docs.example/guide?page=1",
    host: "docs.example",
    asksAgain: false,
    ...changes,
  };
}

/** Tools of an answer for tests without VS Code: the test decides on their results. */
export class TestTools implements AnswerTools {
  readonly mode: ToolMode;
  readonly offered: readonly Tool[];
  readonly instructions: string;
  maxRequests = 25;
  /** The calls that were run, oldest first. */
  readonly calls: ToolCall[] = [];
  /** The result of the next question about a cap. */
  maySendNext = true;
  /** The replies to the cards of `askFirst`, oldest first. */
  readonly replies: CallReply[] = [];
  result: (call: ToolCall, run: ToolRun) => Promise<CallResult> = (call) =>
    Promise.resolve({ outcome: "done", text: `contents of ${JSON.stringify(call.arguments)}` });

  constructor(mode: ToolMode = "plan") {
    this.mode = mode;
    this.instructions = `You are in ${mode === "plan" ? "Plan" : "Agent"} mode.`;
    this.offered = mode === "agent" ? [...readingTools, ...writingTools] : readingTools;
  }

  /** From now on, every call shows this card. An allowed call ends with these facts. */
  askFirst(request: CallRequest, facts: CallFacts = {}): void {
    this.result = async (_call, { ask }) => {
      const reply = await ask(request);
      this.replies.push(reply);
      return reply.type === "allow"
        ? { outcome: "done", text: "It is done.", facts }
        : { outcome: "denied", text: "The user denied this call." };
    };
  }

  run(call: ToolCall, run: ToolRun): Promise<CallResult> {
    this.calls.push(call);
    return this.result(call, run);
  }

  maySend(): Promise<boolean> {
    return Promise.resolve(this.maySendNext);
  }
}
