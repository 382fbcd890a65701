/** Chats whose answers end in every possible way. */
import type { Transcript, SettledState } from "../../src/chat/transcript/transcript.ts";
import { WrittenChat, type WrittenTurn, writtenAttachment } from "../support/page/writtenChat.ts";

export const longConnection = "Client-with-a-long-name";
const detail = `src/${"a-folder-with-a-long-name/".repeat(4)}notes.md`;

const failedAtOnce: SettledState = {
  kind: "failed",
  diagnosis: {
    cause: "context-length",
    title: "The question is too long",
    explanation: "It does not fit the model's window.",
    evidence: [],
    actions: [{ id: "new-chat", label: "New Chat" }],
  },
};

class LongNamedChat extends WrittenChat {
  override add(text: string, end: SettledState, rest: WrittenTurn = {}): this {
    return super.add(text, end, { connection: longConnection, ...rest });
  }
}

export function everyEnding(): Transcript {
  return new LongNamedChat()
    .add(
      "Every way an answer can end",
      { kind: "complete", reason: "stop" },
      {
        reasoning: `First I think.\n\n- of \`one\` thing\n- of another\n\n${"Then on and on. ".repeat(20)}`,
        usage: { inputTokens: 12_345, outputTokens: 678, totalTokens: 13_023 },
        price: { input: 3, output: 15, currency: "EUR" },
        leftOut: { turns: 12, attachments: 1 },
        attachments: [
          writtenAttachment("notes.md", { detail }),
          writtenAttachment("a-screenshot-of-the-page.png", { kind: "image", characters: 0, detail }),
          writtenAttachment("trimmed.log", { kind: "terminal", trimmedFrom: 400_000, detail }),
        ],
        prompt: {
          name: "review",
          text: `Review this. ${"Look at every line. ".repeat(10)}`,
          place: { path: ".github/prompts/review.prompt.md" },
          ignored: ["mode", "tools"],
        },
        instructions: [writtenAttachment("AGENTS.md", { kind: "instructions", detail })],
      },
    )
    .add("Stopped by hand", { kind: "stopped" })
    .add("Cut by a filter", { kind: "complete", reason: "content-filter" })
    .add("Failed with every remedy", {
      kind: "failed",
      diagnosis: {
        cause: "network",
        title: "The connection was broken while the answer was arriving",
        explanation: "What had arrived is kept. Check the network, then try again.",
        evidence: [`Host: ${"long-".repeat(20)}host.example`, "Error code: ECONNRESET"],
        actions: [
          { id: "retry", label: "Retry" },
          { id: "set-api-key", label: "Set API Key" },
          { id: "select-model", label: "Select Model" },
          { id: "check-connection", label: "Check Connection" },
          { id: "edit-connection", label: "Edit Connection" },
          { id: "show-log", label: "Show Log" },
          { id: "new-chat", label: "New Chat" },
        ],
        requestId: `req_${"0123456789abcdef".repeat(3)}`,
      },
    })
    .add(
      "Cut by its limit",
      { kind: "complete", reason: "length" },
      { usage: { inputTokens: 12_345, cacheReadTokens: 10_000, cacheWriteTokens: 2345, outputTokens: 678 } },
    ).transcript;
}

export function failedAndIncluded(): Transcript {
  return new LongNamedChat()
    .add("Failed without a word", failedAtOnce, { text: "" })
    .add("And included all the same, although no word of an answer came", failedAtOnce, {
      text: "",
      included: true,
    }).transcript;
}

export function cutWhileReasoning(): Transcript {
  return new LongNamedChat().add(
    "Cut while the model was still reasoning",
    { kind: "complete", reason: "length" },
    {
      text: "",
      reasoning: "First I think of one thing.",
      usage: { inputTokens: 12, outputTokens: 4096 },
    },
  ).transcript;
}

export function cutByClosing(): Transcript {
  return new LongNamedChat().add("Cut by the editor's end", { kind: "interrupted" }).transcript;
}
