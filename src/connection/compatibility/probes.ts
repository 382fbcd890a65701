import type { Translate } from "../../l10n.ts";
import type {
  ChatRequest,
  ContentPart,
  Message,
  ToolCall,
} from "../../protocol/conversation/conversation.ts";
import type { ProbeId, SeenState } from "./compatibility.ts";
import { picture } from "./probePicture.ts";
import type { Sight } from "./probeSight.ts";
import { quote } from "./probeWords.ts";

/** What an answer proves. */
export interface Verdict {
  readonly state: SeenState;
  readonly evidence: string;
}

/** One thing to try out: a request, and what in its answer is proof. */
export interface Probe {
  /** Without a model, which all share. */
  readonly request: Omit<ChatRequest, "model">;
  /** Words by which a refusal is told to be one of this feature. */
  readonly refusedBy: RegExp;
  readonly judge: (sight: Sight, t: Translate) => Verdict;
  readonly followUp?: FollowUp;
}

/** The second request of a probe, which goes on from the first answer. */
interface FollowUp {
  /** Undefined where the first answer gives nothing to go on with: then it alone is judged. */
  readonly request: (first: Sight) => Probe["request"] | undefined;
  readonly judge: (first: Sight, second: Sight, t: Translate) => Verdict;
  /** Evidence for a refusal of the second request, which names the step that failed. */
  readonly refused: (first: Sight, evidence: string, t: Translate) => string;
}

const none = /(?!)/;
const toolName = "look_up_word";
const toolNumber = 7;
/** Only the tool's result holds it. */
const toolWord = "MARIGOLD";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const ask = (text: string, maxTokens: number): Probe["request"] => ({
  messages: [user(text)],
  maxTokens,
  stream: false,
});

const toolRequest: Probe["request"] = {
  ...ask(
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

/** Both words, in this order. One pattern for them would look for the second behind each of the first. */
const yellowThenBlue: Pick<RegExp, "test"> = {
  test: (text) => {
    const yellow = text.search(/\byellow\b/i);
    return yellow >= 0 && /\bblue\b/i.test(text.slice(yellow));
  },
};

/** The probes by name. Few tokens each; a cap leaves room for models that think before they answer. */
export const probes: Readonly<Record<ProbeId, Probe>> = {
  "whole-answer": {
    request: ask("Answer with the word READY.", 64),
    refusedBy: none,
    judge: (sight, t) =>
      sight.text.trim() === ""
        ? noText(sight, t)
        : { state: "yes", evidence: t("Answered {0}", quote(sight.text)) },
  },
  streaming: {
    request: { ...ask("Count from 1 to 20, in digits.", 96), stream: true, required: ["stream"] },
    refusedBy: /\bstream/i,
    judge: judgeStreaming,
  },
  usage: {
    request: { ...ask("Answer with the word READY.", 64), stream: true },
    refusedBy: none,
    judge: judgeUsage,
  },
  system: {
    request: {
      ...ask("Good morning. Which day is it?", 64),
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
    judge: (sight, t) => judgeWord(sight, /\bheron\b/i, t),
  },
  turns: {
    request: {
      ...ask("", 64),
      messages: [
        user("Remember this: the word is LANTERN."),
        { role: "assistant", content: [{ type: "text", text: "I will remember it." }] },
        user("Which word did I name? Answer with that word only."),
      ],
    },
    refusedBy: /\bassistant\b|\bturns?\b|\broles?\b/i,
    judge: (sight, t) => judgeWord(sight, /\blantern\b/i, t),
  },
  tools: {
    request: toolRequest,
    refusedBy: /\btools?\b|\bfunctions?\b/i,
    judge: judgeCall,
    followUp: { request: requestWithResult, judge: judgeResult, refused: refusedResult },
  },
  image: {
    request: {
      ...ask("", 64),
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
    judge: (sight, t) => judgeWord(sight, yellowThenBlue, t),
  },
  "stop-reason": {
    request: ask("Count from 1 to 100, in words.", 8),
    refusedBy: none,
    judge: judgeStopReason,
  },
  "max-tokens": {
    request: ask("Count from 1 to 100, in words.", 1),
    refusedBy: /max_(?:completion_)?tokens/i,
    judge: judgeCap,
  },
};

function noText(sight: Sight, t: Translate): Verdict {
  const evidence =
    sight.finish?.reason === "length"
      ? t("The answer was cut at its cap before any text came")
      : t("An answer came, without any text");
  return { state: "unclear", evidence };
}

/** Proof is the word that only a model which took everything in can say. */
function judgeWord(sight: Sight, word: Pick<RegExp, "test">, t: Translate): Verdict {
  if (sight.text.trim() === "") return noText(sight, t);
  return word.test(sight.text)
    ? { state: "yes", evidence: t("Answered {0}", quote(sight.text)) }
    : { state: "unclear", evidence: t("Accepted, not heeded: answered {0}", quote(sight.text)) };
}

function judgeStreaming(sight: Sight, t: Translate): Verdict {
  if (sight.pieces === 0) return noText(sight, t);
  return sight.pieces === 1
    ? { state: "unclear", evidence: t("Accepted, but the answer came in one piece") }
    : {
        state: "yes",
        evidence: t("Pieces of text: {0}, reads of the network: {1}", sight.pieces, sight.reads),
      };
}

function judgeUsage({ usage }: Sight, t: Translate): Verdict {
  if (usage === undefined) return { state: "no", evidence: t("No counts came with the answer") };
  const { inputTokens, outputTokens, totalTokens } = usage;
  if (inputTokens !== undefined && outputTokens !== undefined)
    return { state: "yes", evidence: t("{0} tokens in, {1} out", inputTokens, outputTokens) };
  const known = totalTokens ?? inputTokens ?? outputTokens ?? 0;
  return { state: "unclear", evidence: t("Only one count came: {0} tokens", known) };
}

function judgeCall(sight: Sight, t: Translate): Verdict {
  const [call] = sight.calls;
  if (call === undefined)
    return { state: "unclear", evidence: t("Accepted, no call came: answered {0}", quote(sight.text)) };
  if (call.arguments.kind === "invalid")
    return { state: "unclear", evidence: t("Called {0} with arguments that are no JSON", quote(call.name)) };
  return call.name === toolName
    ? { state: "unclear", evidence: t("Called {0} with {1}", call.name, quote(argumentsOf(call))) }
    : { state: "unclear", evidence: t("Called another tool: {0}", quote(call.name)) };
}

function argumentsOf({ arguments: given }: ToolCall): string {
  return given.kind === "object" ? JSON.stringify(given.value) : given.text;
}

/** The conversation with what the model said, reasoning included, and a result for each of its calls. */
function requestWithResult({ said, calls }: Sight): Probe["request"] | undefined {
  const isUsable = calls.every(({ name, arguments: given }) => name === toolName && given.kind === "object");
  if (calls.length === 0 || !isUsable) return undefined;
  const results = calls.map(({ id }): ContentPart => ({
    type: "tool-result",
    callId: id,
    text: `To the number ${toolNumber} belongs ${toolWord}.`,
  }));
  return {
    ...toolRequest,
    messages: [
      ...toolRequest.messages,
      { role: "assistant", content: said },
      { role: "user", content: results },
    ],
  };
}

function judgeResult(first: Sight, second: Sight, t: Translate): Verdict {
  const called = calledText(first, t);
  if (new RegExp(toolWord, "i").test(second.text))
    return { state: "yes", evidence: t("{0}. The answer used its result: {1}", called, quote(second.text)) };
  if (second.text.trim() !== "")
    return {
      state: "unclear",
      evidence: t("{0}. The result was accepted, but not used: {1}", called, quote(second.text)),
    };
  return second.calls.length > 0
    ? { state: "unclear", evidence: t("{0}. The model called again instead of answering", called) }
    : { state: "unclear", evidence: t("{0}. No answer came after the result", called) };
}

function refusedResult(first: Sight, evidence: string, t: Translate): string {
  return t("{0}. The request with the result failed: {1}", calledText(first, t), evidence);
}

function calledText({ calls: [call] }: Sight, t: Translate): string {
  return call === undefined ? "" : t("Called {0} with {1}", call.name, quote(argumentsOf(call)));
}

function judgeStopReason({ finish }: Sight, t: Translate): Verdict {
  const reason = finish?.wireReason ?? "";
  if (reason === "") return { state: "no", evidence: t("The answer named no reason") };
  return finish?.reason === "length" || finish?.reason === "stop"
    ? { state: "yes", evidence: t("Ended with {0}", quote(reason)) }
    : { state: "unclear", evidence: t("Ended with {0}, a reason not known here", quote(reason)) };
}

/** The service's own count decides; without one a single word, cut, is as near as it gets. */
function judgeCap({ usage, finish, text }: Sight, t: Translate): Verdict {
  const count = usage?.outputTokens;
  if (count !== undefined) {
    return count <= 1
      ? { state: "yes", evidence: t("Generated tokens counted: {0}", count) }
      : { state: "no", evidence: t("Accepted, not heeded: {0} generated tokens were counted", count) };
  }
  if (text.length > 40)
    return { state: "no", evidence: t("Accepted, not heeded: answered {0}", quote(text)) };
  return finish?.reason === "length"
    ? { state: "yes", evidence: t("Cut at its cap: answered {0}", quote(text)) }
    : { state: "unclear", evidence: t("Accepted; nothing says whether it was heeded") };
}
