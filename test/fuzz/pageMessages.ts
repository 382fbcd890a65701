import fc from "fast-check";
import type { FromWebview, PageMessage } from "../../src/chat/page/protocol.ts";
import { damagedJson } from "./damagedJson.ts";
import { jsonTextsWith } from "./hostileTexts.ts";

type Samples = { readonly [Type in FromWebview["type"]]: readonly Extract<FromWebview, { type: Type }>[] };

/** Every message that a page posts, with every member that the message can have. */
const samples: Samples = {
  ready: [{ type: "ready" }],
  focused: [{ type: "focused" }],
  blurred: [{ type: "blurred" }],
  typing: [{ type: "typing", isTyping: true }],
  send: [{ type: "send", text: "hello" }],
  stop: [{ type: "stop" }],
  "reply-call": [
    { type: "reply-call", turnId: "t1", call: 0, reply: { type: "allow", scope: "call" } },
    { type: "reply-call", turnId: "t1", call: 1, reply: { type: "deny", why: "no" } },
    { type: "reply-call", turnId: "t1", call: 2, reply: { type: "answer", text: "yes" } },
    { type: "reply-call", turnId: "t1", call: 3, reply: { type: "continue-in-background" } },
  ],
  "mend-mode": [
    { type: "mend-mode", by: "removing" },
    { type: "mend-mode", by: "asking" },
  ],
  "verify-pdf": [{ type: "verify-pdf" }],
  "reply-pause": [{ type: "reply-pause", turnId: "t1", goesOn: true }],
  resume: [{ type: "resume", turnId: "t1" }],
  changes: [
    { type: "changes", turnId: "t1", action: "undo" },
    { type: "changes", turnId: "t1", action: "review", path: "src/a.ts" },
  ],
  continue: [{ type: "continue" }],
  "retry-now": [{ type: "retry-now" }],
  "keep-waiting": [{ type: "keep-waiting" }],
  retry: [{ type: "retry", turnId: "t1" }],
  "retry-with": [{ type: "retry-with", turnId: "t1" }],
  edit: [{ type: "edit", turnId: "t1", text: "again" }],
  "select-version": [{ type: "select-version", turnId: "t1" }],
  include: [{ type: "include", turnId: "t1", included: true }],
  "open-limit": [{ type: "open-limit" }],
  "new-chat": [{ type: "new-chat" }],
  draft: [
    { type: "draft", chatId: "c1", text: "" },
    { type: "draft", chatId: "c1", turnId: "t1", text: "half a thou" },
  ],
  choose: [{ type: "choose", what: "model" }],
  context: [
    { type: "context", request: { type: "choose" } },
    { type: "context", request: { type: "attach", offerId: "file:///a" } },
    { type: "context", request: { type: "find", searchId: 1, typed: "a" } },
    { type: "context", request: { type: "stop-finding" } },
    { type: "context", request: { type: "attach-uris", uris: ["file:///a", "file:///b"] } },
    { type: "context", request: { type: "attach-data", name: "a", mediaType: "image/png", data: "AA==" } },
    { type: "context", request: { type: "refuse-data", name: "a" } },
    { type: "context", request: { type: "refuse-data", name: "a", bytes: 10 } },
    { type: "context", request: { type: "refuse-rest", count: 1 } },
    { type: "context", request: { type: "attach-text", text: "a" } },
    { type: "context", request: { type: "remove", id: "a1" } },
    { type: "context", request: { type: "trim", id: "a1" } },
    { type: "context", request: { type: "open", id: "a1" } },
    { type: "context", request: { type: "open", id: "a1", turnId: "t1" } },
  ],
  prompt: [
    { type: "prompt", request: { type: "find", searchId: 0, typed: "" } },
    { type: "prompt", request: { type: "choose", name: "form" } },
  ],
  copy: [{ type: "copy", text: "a" }],
  action: [
    { type: "action", action: "retry" },
    { type: "action", action: "retry", turnId: "t1" },
  ],
  "open-link": [{ type: "open-link", href: "https://x" }],
  "find-files": [{ type: "find-files", names: ["a.ts:1"] }],
  "open-file": [{ type: "open-file", name: "a.ts" }],
  "follow-code-colors": [{ type: "follow-code-colors" }],
  "code-action": [
    { type: "code-action", action: "run", block: { text: "ls", info: "sh", language: "sh", above: "" } },
  ],
  "apply-answer": [{ type: "apply-answer", turnId: "t1" }],
};
const allSamples: readonly FromWebview[] = Object.values(samples).flat();

const anything = jsonTextsWith(
  ["type", "text", "turnId", "chatId", "request", "block", "id", "names"],
  ['"send"', '"retry"', '"t1"', '"https://x"', "-1", "0.5", '["a"]', '{"type":"choose"}'],
);

const damaged = (message: unknown): fc.Arbitrary<string> => damagedJson(message, anything);

/** Valid messages of a page. */
export const wholePageMessages: fc.Arbitrary<PageMessage> = fc.record(
  {
    chatId: fc.constantFrom("c1", null),
    message: fc.constantFrom(...allSamples),
  },
  { noNullPrototype: true },
);

/** JSON of messages with one wrong part, or of anything else. */
export const damagedPageMessages: fc.Arbitrary<string> = fc.oneof(
  wholePageMessages
    .chain(({ message }) => damaged(message))
    .map((json) => `{"chatId":null,"message":${json}}`),
  wholePageMessages.chain(damaged),
  anything,
);
