import type { Adaptation } from "../../protocol/encode/adaptation.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import type { Fields } from "../../protocol/conversation/json.ts";
import {
  lacksReasoning,
  type ReasoningFieldName,
  reasoningIn,
} from "../../protocol/encode/reasoningAdaptation.ts";
import { saysNo, withoutOffers } from "./refusedFieldWords.ts";

/** What sentences say of the mode, in which a server thinks or does not. */
const mode = String.raw`['"\x60]? (?:(?:is|are|was|be|to be|being|may not be|cannot be|turned) )?(?:enabled|disabled|on|off|active|effort|tokens?|budget|models?|modes?)\b`;

/** What sentences call reasoning, without the mode. */
const subject = String.raw`(?:\b(?:redacted_)?(?:reasoning(?:[_ -]?(?:content|details?))?|thinking(?:[_ -]?blocks?)?)\b(?!${mode}))`;

/** Up to so many characters of the same sentence. A dot within a path ends none. */
const within = (most: number): string => String.raw`(?:[^.]|\.(?=\S)){0,${most}}?`;

/** Sentences that want reasoning which is not there. */
const demands = new RegExp(
  [
    String.raw`\b(?:missing|lacks?|without|no|needs?|requires?|field required|expected|expects|have|has|contain|include|provide|supply|(?:pass|send|return|give)(?:ed|s)?(?: back)?)\b${within(40)}${subject}`,
    String.raw`${subject}${within(80)}\b(?:missing|required|absent|not (?:found|present|provided|passed|included|returned)|must|needs? to|should|has to|have to|cannot be (?:empty|null|blank))\b`,
    String.raw`\bmust (?:start|begin) with an? ${subject}`,
    String.raw`${subject}.{0,20}(?:不能为空|缺失|缺少|必须|必填|必需|回传|传回)|(?:缺少|缺失|必须|回传|传回).{0,20}${subject}`,
  ].join("|"),
  "i",
);

/** What proves reasoning, and reasoning itself, in sentences about their being genuine. */
const proof = String.raw`(?:\w*signatures?|redacted_thinking|thinking|thought|encrypted[ _]content|reasoning)\b`;

/** Sentences that do not take the reasoning as it was sent, though they take reasoning. */
const distrusts = new RegExp(
  [
    String.raw`\b(?:invalid|corrupt\w*|malformed|expired|bad|mismatch\w*|unverifiable|(?:verify|validate|decrypt|decode|parse)(?: of)?)\b${within(40)}\b${proof}`,
    String.raw`\b${proof}${within(80)}\b(?:invalid|modified|does ?n[o']t match|mismatch|not valid|expired|could ?n[o']t be (?:verified|decrypted|validated|parsed)|(?:verification|validation|decryption) failed|failed (?:verification|validation|decryption))`,
    String.raw`\bsignature of\b.{0,40}\bfailed\b|\bsignature failed\b`,
  ].join("|"),
  "i",
);

/** Sentences that want a signature on blocks which came without one. */
const wantsSignature = new RegExp(
  [
    String.raw`\b(?:missing|requires?|needs?|contain|include|have)\b${within(40)}\bsignature\b`,
    String.raw`\bsignature\b${within(40)}\b(?:required|missing|empty|blank|null|at least|must|not (?:found|present|provided))\b`,
  ].join("|"),
  "i",
);
/**
 * The way to write a request whose reasoning the server refused, or which it refused for lack of reasoning;
 * undefined for every other failure.
 *
 * @param sent the body of the refused request
 */
export function readRefusedReasoning(error: ErrorBody, sent: Fields): Adaptation | undefined {
  const message = (error.message ?? "").slice(0, 4000);
  const present = reasoningIn(sent);
  const field = refusedIn(present, error, message);
  if (field !== undefined) return { kind: "omit", field };
  if (present.length > 0 && distrusts.test(message)) return { kind: "omit-reasoning" };
  const told = `${(error.param ?? "").slice(0, 200)} ${message}`;
  const signs = present.includes("thinking") || present.includes("thinking_blocks");
  if (signs && wantsSignature.test(told)) return { kind: "omit-reasoning" };
  return lacksReasoning(sent) && demands.test(told) ? { kind: "fill-reasoning" } : undefined;
}

/** The kind of reasoning that the server does not know. */
function refusedIn(
  present: readonly ReasoningFieldName[],
  error: ErrorBody,
  message: string,
): ReasoningFieldName | undefined {
  const field = present.find((name) => isNamed(name, error)) ?? present.find((name) => isSaid(name, message));
  if (field !== undefined && saysUnknown(error)) return field;
  return present.find((name) => name === "thinking" && otherBlocks.test(message));
}

/** A path such as `messages.1.assistant.reasoning_content`. */
function isNamed(name: ReasoningFieldName, { param }: ErrorBody): boolean {
  return (param ?? "").split(/[^\w]+/).includes(name);
}

/** Plain words are names only where they stand like one. */
function isSaid(name: ReasoningFieldName, message: string): boolean {
  const kinds = "(?:types?|tag|variant|blocks?|part|field|property|parameter|argument|member|key)";
  const patterns = name.includes("_")
    ? [String.raw`\b${name}\b`]
    : [
        String.raw`['"\x60\[.‘“]${name}\b(?!${mode})(?!\.)`,
        String.raw`\b${kinds}:? ${name}\b(?!${mode})`,
        String.raw`\b${name}[_ -](?:content|blocks?)\b`,
      ];
  return new RegExp(patterns.join("|"), "i").test(withoutOffers(message));
}

/** Blocks that are taken, listed without thinking, or thinking as what came in their place. */
const otherBlocks =
  /\b(?:should|must) be (?:one of )?(?!.*\bthinking\b)[^.]*\btool_use\b|\b(?:got|received|given)\b:? [`'"]?thinking\b/i;

/** A block's type that is not known is told by the types that are. */
const unknownWords =
  /does not match any of the expected tags|no matching discriminator|\binvalid (?:\w+ ){0,3}type\b|\b(?:should|must) not (?:contain|include|have|be (?:included|sent|present))\b|\bremove\b/i;

function saysUnknown(error: ErrorBody): boolean {
  return saysNo(error) || unknownWords.test(error.message ?? "");
}
