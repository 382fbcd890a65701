import type { Translate } from "../../text/translate.ts";
import type {
  ChatRequest,
  ContentPart,
  Message,
  ToolCall,
} from "../../protocol/conversation/conversation.ts";
import type { ProbeId, SeenState } from "./compatibility.ts";
import type { ProbeResponse } from "./probeResponse.ts";
import { minBudgetTokens } from "../../protocol/encode/effort.ts";
import { quote } from "./compatibility.ts";
import { writeWordPdf } from "./wordPdf.ts";
import type { Cause } from "../../client/failure/cause.ts";
import type { Failure } from "../../client/failure/failure.ts";
import { causeTable } from "../diagnosis/causeTable.ts";
import { styleFacts } from "../../protocol/conversation/wireStyle.ts";

/** A PNG of 64 by 64 pixels: the upper half is yellow, the lower half is blue. */
export const picture = {
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PMQkAAAwDsPo33WnoOQjEQNLmtQgICAgICAgICAgICAgICAgICAgICAgIzIGkzwkICAgICAgICAgICAgICAgICAgICAgIjA4ffOlaPoMwkAAAAABJRU5ErkJggg==",
} as const;

/** The conclusion from an answer. */
export interface Verdict {
  readonly state: SeenState;
  readonly evidence: string;
}

/** A test of one feature: a request, and the evidence to look for in the answer. */
export interface Probe {
  /** Without the model, which all probes share. */
  readonly request: Omit<ChatRequest, "model">;
  /** Matches the message of a refusal that concerns this feature. */
  readonly refusedBy: RegExp;
  readonly judge: (response: ProbeResponse, t: Translate) => Verdict;
  readonly followUp?: FollowUp;
}

/** The second request of a probe, based on the first answer. */
interface FollowUp {
  /** Returns undefined if the first answer does not allow a second request. Only the first answer is then judged. */
  readonly request: (first: ProbeResponse) => Probe["request"] | undefined;
  readonly judge: (first: ProbeResponse, second: ProbeResponse, t: Translate) => Verdict;
  /** Returns the evidence if the second request is refused, including which request failed. */
  readonly refused: (first: ProbeResponse, evidence: string, t: Translate) => string;
}

const none = /(?!)/;
const toolName = "look_up_word";
const toolNumber = 7;
/** Only the tool's result contains this word. */
const toolWord = "MARIGOLD";

/** Only the PDF file contains this word. */
const pdfWord = "PELICAN";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const requestOf = (text: string, maxTokens: number): Probe["request"] => ({
  messages: [user(text)],
  maxTokens,
  stream: false,
});

const toolRequest: Probe["request"] = {
  ...requestOf(
    `Call the tool ${toolName} with the number ${toolNumber}, then tell me in one sentence what it came to.`,
    256,
  ),
  tools: [
    {
      name: toolName,
      description: "Looks up what belongs to a number.",
      schema: {
        type: "object",
        properties: { number: { type: "integer" } },
        required: ["number"],
      },
    },
  ],
  required: ["tools"],
};

/** Matches yellow before blue. A single pattern would search the rest of a long text after each `yellow`. */
const yellowThenBlue: Pick<RegExp, "test"> = {
  test: (text) => {
    const yellow = text.search(/\byellow\b/i);
    return yellow >= 0 && /\bblue\b/i.test(text.slice(yellow));
  },
};

/** The probes by ID. Each needs few tokens, but most token limits leave room for reasoning first. */
export const probes: Readonly<Record<ProbeId, Probe>> = {
  "whole-answer": {
    request: requestOf("Answer with the word READY.", 64),
    refusedBy: none,
    judge: (response, t) =>
      response.text.trim() === ""
        ? noText(response, t)
        : { state: "yes", evidence: t("Answered: {0}", quote(response.text)) },
  },
  streaming: {
    request: { ...requestOf("Count from 1 to 20, in digits.", 96), stream: true, required: ["stream"] },
    refusedBy: /\bstream/i,
    judge: judgeStreaming,
  },
  usage: {
    request: { ...requestOf("Answer with the word READY.", 64), stream: true },
    refusedBy: none,
    judge: judgeUsage,
  },
  system: {
    request: {
      ...requestOf("Good morning. Which day is it?", 64),
      messages: [
        {
          role: "system",
          content: [{ type: "text", text: "Whatever is said, answer with the single word HERON." }],
        },
        user("Good morning. How are you?"),
      ],
      required: ["system"],
    },
    refusedBy: /\bsystem\b|\bdeveloper\b|\broles?\b/i,
    judge: (response, t) => judgeWord(response, /\bheron\b/i, t),
  },
  turns: {
    request: {
      ...requestOf("", 64),
      messages: [
        user("Remember this: the word is LANTERN."),
        { role: "assistant", content: [{ type: "text", text: "I will remember it." }] },
        user("Which word did I name? Answer with that word only."),
      ],
    },
    refusedBy: /\bassistant\b|\bturns?\b|\broles?\b/i,
    judge: (response, t) => judgeWord(response, /\blantern\b/i, t),
  },
  tools: {
    request: toolRequest,
    refusedBy: /\btools?\b|\bfunctions?\b/i,
    judge: judgeCall,
    followUp: { request: requestWithResult, judge: judgeResult, refused: refusedResult },
  },
  image: {
    request: {
      ...requestOf("", 64),
      messages: [
        {
          role: "user",
          content: [
            { type: "image", ...picture },
            {
              type: "text",
              text: "The picture has two colours. Name the upper one, then the lower one, and nothing else.",
            },
          ],
        },
      ],
    },
    refusedBy: /\bimages?\b|image_url|\bvision\b|\bmulti-?modal|\bcontent\b/i,
    judge: (response, t) => judgeWord(response, yellowThenBlue, t),
  },
  pdf: {
    request: {
      ...requestOf("", 64),
      messages: [
        {
          role: "user",
          content: [
            { type: "pdf", name: "word.pdf", data: writeWordPdf(pdfWord) },
            {
              type: "text",
              text: "The PDF file has one page with one word on it. Answer with that word only.",
            },
          ],
        },
      ],
    },
    refusedBy: /\bpdfs?\b|\bdocuments?\b|\bfiles?\b|file_data|\bmulti-?modal|\bcontent\b/i,
    judge: (response, t) => judgeWord(response, new RegExp(`\\b${pdfWord}\\b`, "i"), t, unreadText),
  },
  "stop-reason": {
    request: requestOf("Count from 1 to 100, in words.", 8),
    refusedBy: none,
    judge: judgeStopReason,
  },
  "max-tokens": {
    request: requestOf("Count from 1 to 100, in words.", 1),
    refusedBy: /max_(?:completion_)?tokens/i,
    judge: judgeCap,
  },
  effort: {
    request: {
      // The token limit must exceed the budget.
      ...requestOf(
        "How many numbers from 1 to 60 are divisible by 3 or by 5? Answer with the number only.",
        minBudgetTokens + 256,
      ),
      effort: { level: "low", budgetTokens: minBudgetTokens },
      required: Object.values(styleFacts).map(({ effort }) => effort.field),
    },
    refusedBy: /\breasoning\b|\bthinking\b|\beffort\b/i,
    judge: judgeEffort,
  },
};

function noText(response: ProbeResponse, t: Translate): Verdict {
  const evidence =
    response.finish?.reason === "length"
      ? t("The token limit was reached before any text arrived")
      : t("An answer arrived, but it was empty");
  return { state: "unclear", evidence };
}

/** The evidence is a word that the model can only know if it read the whole request. */
function judgeWord(
  response: ProbeResponse,
  word: Pick<RegExp, "test">,
  t: Translate,
  otherwise = withoutEffectText,
): Verdict {
  if (response.text.trim() === "") return noText(response, t);
  return word.test(response.text)
    ? { state: "yes", evidence: t("Answered: {0}", quote(response.text)) }
    : { state: "unclear", evidence: otherwise(quote(response.text), t) };
}

function withoutEffectText(answer: string, t: Translate): string {
  return t("Accepted, but without effect. Answer: {0}", answer);
}

function unreadText(answer: string, t: Translate): string {
  return t("Accepted, but the model answered without reading the file. Answer: {0}", answer);
}

function judgeStreaming(response: ProbeResponse, t: Translate): Verdict {
  if (response.pieces === 0) return noText(response, t);
  return response.pieces === 1
    ? { state: "unclear", evidence: t("Accepted, but the answer arrived in one piece (not streamed)") }
    : {
        state: "yes",
        evidence: t("The text arrived in {0} pieces (network reads: {1})", response.pieces, response.reads),
      };
}

function judgeUsage({ usage }: ProbeResponse, t: Translate): Verdict {
  if (usage === undefined) return { state: "no", evidence: t("The answer reported no token counts") };
  const { inputTokens, outputTokens, totalTokens } = usage;
  if (inputTokens !== undefined && outputTokens !== undefined)
    return { state: "yes", evidence: t("{0} tokens in, {1} out", inputTokens, outputTokens) };
  const known = totalTokens ?? inputTokens ?? outputTokens ?? 0;
  return { state: "unclear", evidence: t("Only one token count was reported: {0}", known) };
}

function judgeCall(response: ProbeResponse, t: Translate): Verdict {
  const [call] = response.calls;
  if (call === undefined)
    return {
      state: "unclear",
      evidence: t("Accepted, but the model didn't call the tool. Answer: {0}", quote(response.text)),
    };
  if (call.arguments.kind === "invalid")
    return {
      state: "unclear",
      evidence: t("The model called {0} with arguments that aren't valid JSON", quote(call.name)),
    };
  return call.name === toolName
    ? { state: "unclear", evidence: t("The model called {0} with {1}", call.name, quote(argumentsOf(call))) }
    : { state: "unclear", evidence: t("The model called a different tool: {0}", quote(call.name)) };
}

function argumentsOf({ arguments: given }: ToolCall): string {
  return given.kind === "object" ? JSON.stringify(given.value) : given.text;
}

/** Continues the conversation with the model's turn, including reasoning, and a result for each call. */
function requestWithResult({ content, calls }: ProbeResponse): Probe["request"] | undefined {
  const isUsable = calls.every(({ name, arguments: given }) => name === toolName && given.kind === "object");
  if (calls.length === 0 || !isUsable) return undefined;
  const results = calls.map(({ id }): ContentPart => ({
    type: "tool-result",
    callId: id,
    text: `To the number ${toolNumber} belongs ${toolWord}.`,
  }));
  return {
    ...toolRequest,
    messages: [...toolRequest.messages, { role: "assistant", content }, { role: "user", content: results }],
  };
}

function judgeResult(first: ProbeResponse, second: ProbeResponse, t: Translate): Verdict {
  const called = calledText(first, t);
  if (new RegExp(toolWord, "i").test(second.text))
    return {
      state: "yes",
      evidence: t("{0}. The answer used the tool result: {1}", called, quote(second.text)),
    };
  if (second.text.trim() !== "")
    return {
      state: "unclear",
      evidence: t(
        "{0}. The tool result was accepted, but the answer didn't use it: {1}",
        called,
        quote(second.text),
      ),
    };
  return second.calls.length > 0
    ? { state: "unclear", evidence: t("{0}. The model called a tool again instead of answering", called) }
    : { state: "unclear", evidence: t("{0}. No answer came after the tool result", called) };
}

function refusedResult(first: ProbeResponse, evidence: string, t: Translate): string {
  return t("{0}. The request with the tool result failed: {1}", calledText(first, t), evidence);
}

function calledText({ calls: [call] }: ProbeResponse, t: Translate): string {
  return call === undefined ? "" : t("The model called {0} with {1}", call.name, quote(argumentsOf(call)));
}

function judgeStopReason({ finish }: ProbeResponse, t: Translate): Verdict {
  const reason = finish?.wireReason ?? "";
  if (reason === "") return { state: "no", evidence: t("The answer reported no stop reason") };
  return finish?.reason === "length" || finish?.reason === "stop"
    ? { state: "yes", evidence: t("Stop reason: {0}", quote(reason)) }
    : { state: "unclear", evidence: t("Stop reason: {0} (unknown value)", quote(reason)) };
}

/** The service's token count decides. Without a count, the best evidence is a short answer that was cut off. */
function judgeCap({ usage, finish, text }: ProbeResponse, t: Translate): Verdict {
  const count = usage?.outputTokens;
  if (count !== undefined) {
    return count <= 1
      ? { state: "yes", evidence: t("Generated tokens reported: {0}", count) }
      : {
          state: "no",
          evidence: t("Accepted, but without effect: the service reported {0} generated tokens", count),
        };
  }
  if (text.length > 40)
    return { state: "no", evidence: t("Accepted, but without effect. Answer: {0}", quote(text)) };
  return finish?.reason === "length"
    ? { state: "yes", evidence: t("The answer stopped at its token limit: {0}", quote(text)) }
    : { state: "unclear", evidence: t("Accepted, but it is unclear whether the limit was applied") };
}

/** The evidence is reasoning in the answer, or a count of its tokens. Many services ignore fields they don't know. */
function judgeEffort({ text, reasoning, usage }: ProbeResponse, t: Translate): Verdict {
  const tokens = usage?.reasoningTokens;
  if (tokens !== undefined) return { state: "yes", evidence: t("Tokens of reasoning reported: {0}", tokens) };
  return reasoning.trim() === ""
    ? { state: "unclear", evidence: t("Accepted, but no reasoning arrived. Answer: {0}", quote(text)) }
    : { state: "yes", evidence: t("The model reasoned: {0}", quote(reasoning)) };
}

/** A probe's request without an answer, and the known circumstances. */
export interface ProbeRefusal {
  readonly failure: Failure;
  readonly cause: Cause;
  /** Whether the client style's path does not exist. */
  readonly isAbsent: boolean;
  /** Whether the refusal named the tested field. */
  readonly isNamed: boolean;
  /** Whether another request in this client style was answered before. */
  readonly hasAnsweredOthers: boolean;
  readonly refusedBy: RegExp;
}

/** A refusal is only evidence if it names the feature, or if other requests were accepted. */
export function judgeRefusal(refusal: ProbeRefusal, t: Translate): Verdict {
  const { failure, cause, isAbsent, isNamed, hasAnsweredOthers, refusedBy } = refusal;
  const message = ("error" in failure ? failure.error.message : undefined) ?? "";
  const said = message === "" ? "" : ` ${quote(message, 200)}`;
  if (isAbsent) return { state: "no", evidence: `${t("Not available in this client style.")}${said}` };
  if (cause !== "bad-request")
    return { state: "unclear", evidence: `${t("Failed: {0}.", causeTable[cause].name(t))}${said}` };
  const isProof = isNamed || refusedBy.test(message) || hasAnsweredOthers;
  return { state: isProof ? "no" : "unclear", evidence: `${t("Refused.")}${said}` };
}
