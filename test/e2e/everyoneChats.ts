/** Chats that hold what an answer can end with, put where the extension keeps them. */
import { randomUUID } from "node:crypto";
import { openStore } from "../bench/sampleHistory.ts";
import type { Attachment } from "../../src/chat/attachments.ts";
import type { AnswerTurn, QuestionTurn, SettledState, TranscriptEvent } from "../../src/chat/transcript.ts";

export const everyEnding = "Every way an answer can end";
export const cutByClosing = "Cut by the editor's end";
export const failedAndIncluded = "Failed without a word";
export const cutWhileReasoning = "Cut while the model was still reasoning";

const at = "2026-01-01T10:00:00.000Z";
const longPath = `src/${"a-folder-with-a-long-name/".repeat(4)}notes.md`;

function attachmentOf(name: string, rest: Partial<Attachment> = {}): Attachment {
  const content = { type: "text", text: "A line of notes.\n", language: "" } as const;
  return {
    id: randomUUID(),
    kind: "file",
    name,
    detail: longPath,
    characters: content.text.length,
    content,
    ...rest,
  };
}

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

/** A chat that grows by a question and its answer at a time. */
class WrittenChat {
  readonly #events: TranscriptEvent[] = [];
  #last: string | null = null;

  /** A question with an answer of reasoning alone, or of nothing. */
  addWithoutText(
    text: string,
    end: SettledState,
    rest: Partial<QuestionTurn> & Partial<AnswerTurn> = {},
  ): void {
    this.add(text, end, { ...rest, text: "" });
  }

  /** Without an end it is cut where the text ends. */
  add(text: string, end?: SettledState, rest: Partial<QuestionTurn> & Partial<AnswerTurn> = {}): void {
    const { usage, price, leftOut, reasoning, included, ...asked } = rest;
    const answered = rest.text ?? `What had arrived, and **more** in \`code\`.\n\n> ${text}\n`;
    const question = { kind: "question", id: randomUUID(), parentId: this.#last, text, at } as const;
    const answer: AnswerTurn = {
      kind: "answer",
      id: randomUUID(),
      parentId: question.id,
      text: "",
      reasoning: "",
      state: { kind: "waiting" },
      connection: "Client-with-a-long-name",
      model: "service-core",
      clientStyle: "messages",
      at,
      ...(price && { price }),
      ...(leftOut && { leftOut }),
    };
    const { attachments, prompt, instructions } = asked;
    const along = {
      ...(attachments && { attachments }),
      ...(prompt && { prompt }),
      ...(instructions && { instructions }),
      ...(included === undefined ? {} : { included }),
    };
    this.#events.push(
      { type: "question-asked", turn: { ...question, ...along } },
      { type: "answer-started", turn: answer },
    );
    if (reasoning !== undefined) this.#events.push({ type: "reasoning-delta", text: reasoning });
    if (answered !== "") this.#events.push({ type: "text-delta", text: answered });
    if (usage !== undefined) this.#events.push({ type: "usage", usage });
    if (end !== undefined) this.#events.push({ type: "answer-ended", state: end });
    this.#last = answer.id;
  }

  async write(folder: string): Promise<void> {
    const store = openStore(folder);
    const log = store.log(randomUUID());
    log.append(this.#events);
    await log.flush();
    await store.close();
  }
}

export async function writeEveryoneChats(folder: string): Promise<void> {
  const endings = new WrittenChat();
  endings.add(
    everyEnding,
    { kind: "complete", reason: "stop" },
    {
      reasoning: `First I think.\n\n- of \`one\` thing\n- of another\n\n${"Then on and on. ".repeat(20)}`,
      usage: { inputTokens: 12_345, outputTokens: 678, totalTokens: 13_023 },
      price: { input: 3, output: 15, currency: "EUR" },
      leftOut: { turns: 12, attachments: 1 },
      attachments: [
        attachmentOf("notes.md"),
        attachmentOf("a-screenshot-of-the-page.png", { kind: "image", characters: 0 }),
        attachmentOf("trimmed.log", { kind: "terminal", trimmedFrom: 400_000 }),
      ],
      prompt: {
        name: "review",
        text: `Review this. ${"Look at every line. ".repeat(10)}`,
        place: { path: ".github/prompts/review.prompt.md" },
        ignored: ["mode", "tools"],
      },
      instructions: [attachmentOf("AGENTS.md", { kind: "instructions" })],
    },
  );
  endings.add("Stopped by hand", { kind: "stopped" });
  endings.add("Cut by a filter", { kind: "complete", reason: "content-filter" });
  endings.add("Failed with every remedy", {
    kind: "failed",
    diagnosis: {
      cause: "network",
      title: "The connection was broken while the answer was arriving",
      explanation: "What had arrived is kept. Check the network, then try again.",
      evidence: [`Host: ${"long-".repeat(20)}host.example`, "Code: ECONNRESET"],
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
  });
  endings.add(
    "Cut by its limit",
    { kind: "complete", reason: "length" },
    { usage: { inputTokens: 12_345, cacheReadTokens: 10_000, cacheWriteTokens: 2345, outputTokens: 678 } },
  );
  await endings.write(folder);
  const failed = new WrittenChat();
  failed.addWithoutText(failedAndIncluded, failedAtOnce);
  failed.addWithoutText("And included all the same, although no word of an answer came", failedAtOnce, {
    included: true,
  });
  await failed.write(folder);
  const reasoned = new WrittenChat();
  reasoned.addWithoutText(
    cutWhileReasoning,
    { kind: "complete", reason: "length" },
    { reasoning: "First I think of one thing.", usage: { inputTokens: 12, outputTokens: 4096 } },
  );
  await reasoned.write(folder);
  const cut = new WrittenChat();
  cut.add(cutByClosing);
  await cut.write(folder);
}
