import type { AnswerTools, ToolRun } from "../../src/chat/agent/answerTools.ts";
import { describeTool } from "../../src/chat/agent/toolParameters.ts";
import type { CallResult } from "../../src/chat/transcript/steps.ts";
import type { Tool, ToolCall } from "../../src/protocol/conversation/conversation.ts";

const path = { path: { type: "string", description: "Path" } } as const;

/** Tools of an answer for tests without VS Code: the test decides on their results. */
export class TestTools implements AnswerTools {
  readonly mode = "plan";
  readonly offered: readonly Tool[] = [
    describeTool("read_file", "Reads a file.", path),
    describeTool("list_folder", "Lists a folder.", path),
    describeTool("search_text", "Searches.", { query: { type: "string", description: "Query" } }),
    describeTool("ask_user", "Asks.", { question: { type: "string", description: "Question" } }),
  ];
  readonly instructions = "You are in Plan mode.";
  maxRequests = 25;
  /** The calls that were run, oldest first. */
  readonly calls: ToolCall[] = [];
  /** The result of the next question about a cap. */
  maySendNext = true;
  result: (call: ToolCall, run: ToolRun) => Promise<CallResult> = (call) =>
    Promise.resolve({ outcome: "done", text: `contents of ${JSON.stringify(call.arguments)}` });

  run(call: ToolCall, run: ToolRun): Promise<CallResult> {
    this.calls.push(call);
    return this.result(call, run);
  }

  maySend(): Promise<boolean> {
    return Promise.resolve(this.maySendNext);
  }
}
