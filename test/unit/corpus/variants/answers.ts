import type { Cause } from "../../../../src/client/failure/cause.ts";

/** An answer with a success status and the expected result. */
export interface AnswerVariant {
  readonly what: string;
  readonly style: "chat" | "messages" | "models";
  readonly body: string;
  readonly text?: string;
  readonly models?: readonly string[];
  /** Accepted causes if the answer fails. */
  readonly causes?: readonly Cause[];
}

const lines = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");
const say = (content: unknown, more: object = {}): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }],
});
const stop = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
const block = (delta: object): object => ({ type: "content_block_delta", index: 0, delta });
const text = (word: string): object => block({ type: "text_delta", text: word });
const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } };
const named = (...events: readonly (readonly [string, unknown])[]): string =>
  events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");

const chatStreams: readonly AnswerVariant[] = [
  {
    what: "deltas and an end",
    style: "chat",
    body: lines(say("Hel"), say("lo"), stop, "[DONE]"),
    text: "Hello",
  },
  { what: "an end without a marker", style: "chat", body: lines(say("Hello"), stop), text: "Hello" },
  { what: "a marker without a reason", style: "chat", body: lines(say("Hello"), "[DONE]"), text: "Hello" },
  { what: "a marker alone", style: "chat", body: lines("[DONE]"), text: "", causes: ["not-an-api"] },
  {
    what: "events of the other style",
    style: "chat",
    body: named(
      ["message_start", { type: "message_start", message: {} }],
      ["content_block_delta", text("Hi")],
    ),
    text: "",
    causes: ["not-an-api"],
  },
  {
    what: "a whole answer of the other style",
    style: "chat",
    body: '{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}',
    causes: ["not-an-api"],
  },
  {
    what: "the objects of a stream, one a line",
    style: "chat",
    body: [say("Hel"), say("lo"), stop].map((each) => `${JSON.stringify(each)}\n`).join(""),
    text: "Hello",
  },
  {
    what: "the objects of a stream that does not end",
    style: "chat",
    body: [say("Hel"), say("lo")].map((each) => `${JSON.stringify(each)}\n`).join(""),
    text: "Hello",
    causes: ["interrupted"],
  },
  {
    what: "the objects of another API, one a line",
    style: "chat",
    body: [1, 2].map((n) => `${JSON.stringify({ message: { content: `${n}` }, done: n === 2 })}\n`).join(""),
    causes: ["not-an-api"],
  },
  {
    what: "events of another API",
    style: "chat",
    body: lines({ type: "response.created" }, { type: "response.output_text.delta", delta: "Hi" }),
    text: "",
    causes: ["not-an-api"],
  },
  {
    what: "events of an API with candidates",
    style: "chat",
    body: lines({ candidates: [{ content: { parts: [{ text: "Hi" }] } }] }),
    text: "",
    causes: ["not-an-api"],
  },
  {
    what: "why it stopped in a group",
    style: "chat",
    body: lines(say("Hi"), { choices: [], x_groq: { id: "req_1", error: "over capacity" } }),
    text: "Hi",
    causes: ["overloaded"],
  },
  {
    what: "an event of the server's state",
    style: "chat",
    body: lines({ type: "status", message: "loading", status: "ok" }, say("Hi"), stop, "[DONE]"),
    text: "Hi",
  },
  {
    what: "JSON with a comment behind it",
    style: "chat",
    body: '{"choices":[{"message":{"content":"Hi"}}]} served by x',
    causes: ["not-an-api"],
  },
  {
    what: "a code and a word that say it went well, and nothing else",
    style: "chat",
    body: '{"code":0,"msg":"success"}',
    causes: ["not-an-api"],
  },
  {
    what: "other names of the end and of the text",
    style: "chat",
    body: lines({ choices: [{ text: "Hi" }] }, { choices: [{ text: "", finishReason: "stop" }] }),
    text: "Hi",
  },
  {
    what: "a group that says it went well",
    style: "chat",
    body: lines({ ...say("Hi"), base_resp: { status_code: 0, status_msg: "" } }, stop),
    text: "Hi",
  },
  { what: "no end", style: "chat", body: lines(say("Hel")), text: "Hel", causes: ["interrupted"] },
  {
    what: "the last line cut",
    style: "chat",
    body: `${lines(say("Hel"))}data: {"choices":[{"del`,
    text: "Hel",
    causes: ["interrupted"],
  },
  {
    what: "usage before and after",
    style: "chat",
    body: lines(
      { choices: [], usage: { prompt_tokens: 1 } },
      say("Hi"),
      stop,
      { choices: [], usage: { completion_tokens: 1 } },
      "[DONE]",
    ),
    text: "Hi",
  },
  {
    what: "a role first, null content, a null reason",
    style: "chat",
    body: lines({ choices: [{ delta: { role: "assistant", content: null } }] }, say("Hi"), stop),
    text: "Hi",
  },
  {
    what: "reasoning beside text",
    style: "chat",
    body: lines(
      { choices: [{ delta: { reasoning_content: "hm" } }] },
      { choices: [{ delta: { reasoning: "hm" } }] },
      say("Hi"),
      stop,
    ),
    text: "Hi",
  },
  {
    what: "content in parts",
    style: "chat",
    body: lines(
      say([
        { type: "text", text: "H" },
        { type: "thinking", thinking: [{ type: "text", text: "x" }] },
      ]),
      say("i"),
      stop,
    ),
    text: "Hi",
  },
  {
    what: "keep-alive comments, also as data",
    style: "chat",
    body: `: keep-alive\n\n:\n\ndata: : ping\n\n${lines(say("Hi"), stop)}`,
    text: "Hi",
  },
  {
    what: "an error in the middle, then the marker",
    style: "chat",
    body: lines(say("Hi"), { error: { message: "Rate limit exceeded", code: 429 } }, "[DONE]"),
    text: "Hi",
    causes: ["rate-limited"],
  },
  {
    what: "an error event",
    style: "chat",
    body: `${lines(say("Hi"))}event: error\ndata: {"message":"Overloaded","type":"overloaded_error"}\n\n`,
    text: "Hi",
    causes: ["overloaded"],
  },
  {
    what: "an error as the reason",
    style: "chat",
    body: lines(say("Hi"), {
      choices: [{ delta: {}, finish_reason: "error", error: { message: "Upstream failed", code: 502 } }],
    }),
    text: "Hi",
    causes: ["server-error"],
  },
  {
    what: "a budget that ends in the middle",
    style: "chat",
    body: lines(say("Hi"), {
      error: { message: "Budget has been exceeded! Current cost: 2, Max budget: 1", type: "budget_exceeded" },
    }),
    text: "Hi",
    causes: ["budget-exhausted"],
  },
  {
    what: "an error in another language",
    style: "chat",
    body: lines({ error: { message: "Der API-Schlüssel ist abgelaufen." } }),
    text: "",
    causes: ["expired-key"],
  },
  {
    what: "FastChat's error",
    style: "chat",
    body: lines({ text: "**NETWORK ERROR**", error_code: 50001 }),
    text: "",
    causes: ["server-error"],
  },
  {
    what: "a filter's end",
    style: "chat",
    body: lines(say("Hi"), { choices: [{ delta: {}, finish_reason: "content_filter" }] }, "[DONE]"),
    text: "Hi",
    causes: ["content-filtered"],
  },
  {
    what: "line ends of Windows and no last one",
    style: "chat",
    body: lines(say("Hi"), stop, "[DONE]").replaceAll("\n", "\r\n").trimEnd(),
    text: "Hi",
  },
  { what: "bare CR", style: "chat", body: lines(say("Hi"), stop).replaceAll("\n", "\r"), text: "Hi" },
  {
    what: "a messages error for a chat question",
    style: "chat",
    body: named(["error", { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]),
    text: "",
    causes: ["overloaded"],
  },
  { what: "a page", style: "chat", body: "\n<!doctype html><title>x</title>", causes: ["not-an-api"] },
  { what: "nothing at all", style: "chat", body: "", causes: ["not-an-api", "interrupted"] },
  {
    what: "whole JSON behind blank lines",
    style: "chat",
    body: `\n\n  ${JSON.stringify({ choices: [{ message: { content: "Hi" } }] })}\n`,
    text: "Hi",
  },
  {
    what: "a refusal in whole JSON",
    style: "chat",
    body: JSON.stringify({
      choices: [{ message: { content: null, refusal: "No." }, finish_reason: "stop" }],
    }),
    causes: ["content-filtered"],
  },
  {
    what: "an error list in JSON",
    style: "chat",
    body: JSON.stringify([
      { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } },
    ]),
    causes: ["overloaded"],
  },
];

const messagesStreams: readonly AnswerVariant[] = [
  {
    what: "events of another API",
    style: "messages",
    body: lines({ type: "response.created" }),
    text: "",
    causes: ["not-an-api"],
  },
  {
    what: "a message that says nothing",
    style: "messages",
    body: '{"type":"message","content":null,"stop_reason":"end_turn"}',
    text: "",
  },
  {
    what: "chunks of the other style",
    style: "messages",
    body: lines(say("Hi"), stop, "[DONE]"),
    text: "",
    causes: ["not-an-api"],
  },
  {
    what: "named events",
    style: "messages",
    body: named(
      ["message_start", { type: "message_start", message: { usage: { input_tokens: 3 } } }],
      ["content_block_delta", text("Hi")],
      ["message_delta", end],
      ["message_stop", { type: "message_stop" }],
    ),
    text: "Hi",
  },
  {
    what: "events without names",
    style: "messages",
    body: lines(text("Hi"), end, { type: "message_stop" }),
    text: "Hi",
  },
  { what: "a chat marker at the end", style: "messages", body: lines(text("Hi"), end, "[DONE]"), text: "Hi" },
  {
    what: "unknown events and blocks",
    style: "messages",
    body: lines(
      { type: "vendor_event", x: 1 },
      { type: "ping" },
      block({ type: "signature_delta", signature: "x" }),
      text("Hi"),
      end,
    ),
    text: "Hi",
  },
  {
    what: "thinking first",
    style: "messages",
    body: lines(block({ type: "thinking_delta", thinking: "hm" }), text("Hi"), end),
    text: "Hi",
  },
  { what: "no end", style: "messages", body: lines(text("Hi")), text: "Hi", causes: ["interrupted"] },
  {
    what: "an error in the middle",
    style: "messages",
    body: named(
      ["content_block_delta", text("Hi")],
      ["error", { type: "error", error: { type: "rate_limit_error", message: "Slow" } }],
    ),
    text: "Hi",
    causes: ["rate-limited"],
  },
  {
    what: "a chat-shaped error",
    style: "messages",
    body: lines({ error: { message: "Key is blocked", type: "auth_error", code: 401 } }),
    text: "",
    causes: ["revoked-key"],
  },
  {
    what: "a refusal",
    style: "messages",
    body: lines(text("Hi"), { type: "message_delta", delta: { stop_reason: "refusal" } }),
    text: "Hi",
    causes: ["content-filtered"],
  },
  {
    what: "whole JSON",
    style: "messages",
    body: JSON.stringify({
      type: "message",
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
    }),
    text: "Hi",
  },
  {
    what: "whole JSON with thinking and tools",
    style: "messages",
    body: JSON.stringify({
      content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: "Hi" }, { type: "odd" }],
      stop_reason: "max_tokens",
    }),
    text: "Hi",
  },
  { what: "content as a plain text", style: "messages", body: JSON.stringify({ content: "Hi" }), text: "Hi" },
];

const modelLists: readonly AnswerVariant[] = [
  {
    what: "data",
    style: "models",
    body: '{"object":"list","data":[{"id":"a"},{"id":"x/b:free"}]}',
    models: ["a", "x/b:free"],
  },
  { what: "a bare list", style: "models", body: '[{"id":"a"},{"id":"b"}]', models: ["a", "b"] },
  {
    what: "names only",
    style: "models",
    body: '{"models":[{"name":"a:latest","model":"a:latest"}]}',
    models: ["a:latest"],
  },
  { what: "plain ids", style: "models", body: '{"data":["a","b","a"]}', models: ["a", "b"] },
  {
    what: "ids of other types",
    style: "models",
    body: '{"data":[{"id":1},{"id":null},{"id":"a"},null,"",{}]}',
    models: ["a"],
  },
  {
    what: "models by other names",
    style: "models",
    body: '{"data":[{"model":"a"},{"slug":"b"}]}',
    models: ["a", "b"],
  },
  { what: "none", style: "models", body: '{"data":null}', models: [] },
  { what: "both lists", style: "models", body: '{"data":[],"models":[{"id":"a"}]}', models: ["a"] },
  { what: "blank lines first", style: "models", body: '\n\n{"data":[{"id":"a"}]}', models: ["a"] },
  {
    what: "an empty error beside the list",
    style: "models",
    body: '{"data":[{"id":"a"}],"error":null}',
    models: ["a"],
  },
  {
    what: "a list in an envelope that says it went well",
    style: "models",
    body: '{"code":0,"message":"success","data":{"models":[{"id":"a"}]}}',
    models: ["a"],
  },
  {
    what: "an error",
    style: "models",
    body: '{"error":{"message":"API 密钥无效"}}',
    causes: ["invalid-key"],
  },
  { what: "a page", style: "models", body: "<html><title>Anmelden</title>", causes: ["not-an-api"] },
  { what: "a greeting", style: "models", body: '{"message":"Welcome"}', causes: ["not-an-api"] },
  {
    what: "cut JSON",
    style: "models",
    body: '{"data":[{"id":"a"}',
    causes: ["not-an-api", "interrupted", "unknown"],
  },
];

export const answerVariants: readonly AnswerVariant[] = [...chatStreams, ...messagesStreams, ...modelLists];
