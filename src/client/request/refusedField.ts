import type { Adaptation } from "../../protocol/encode/adaptation.ts";
import { cacheField, hasCacheMarks } from "../../protocol/encode/cacheMarks.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { isFields } from "../../protocol/conversation/json.ts";
import type { Fields } from "../../protocol/conversation/json.ts";
import type { Cause } from "../failure/cause.ts";
import type { Failure, InferenceError } from "../failure/failure.ts";
import { lacksReasoning, reasoningIn } from "../../protocol/encode/reasoningAdaptation.ts";
import type { ReasoningFieldName } from "../../protocol/encode/reasoningAdaptation.ts";
import { effortLevels, thinkingField } from "../../protocol/encode/effort.ts";

/** Field of Chat Completions with the level of the effort. */
const levelField = "reasoning_effort";

/** Fields that every request needs. */
const essential: ReadonlySet<string> = new Set(["model", "messages", "max_tokens", "max_completion_tokens"]);

/**
 * Optional extras. If the error for a bad request names one, the request is sent without it. This also applies if only
 * its value is wrong.
 */
const dispensable: ReadonlySet<string> = new Set(["stream_options", "tool_choice", "parallel_tool_calls"]);

/**
 * Returns a change to the request that may avoid the rejection. Returns undefined if no change would help, such as for
 * errors about the key, the budget or the model.
 * @param sent the body of the rejected request
 * @param own its fields of the user's settings. They are left out whole, even if only a part of their value is refused
 */
export function readRefusedField(
  { failure, cause }: InferenceError,
  sent: Fields,
  own: Fields = {},
): Adaptation | undefined {
  if (failure.kind !== "refused" || failure.status >= 500) return undefined;
  const { error } = failure;
  if (hasCacheMarks(sent) && areMarksRefused(failure, cause)) return { kind: "omit", field: cacheField };
  if (cause !== "bad-request") return undefined;
  if (isThinkingRefused(error, sent)) return { kind: "omit-thinking" };
  const reasoning = readRefusedReasoning(error, sent);
  if (reasoning !== undefined) return reasoning;
  if (isSystemRefused(error, sent)) return { kind: "system-as-user" };
  if (isCapRefused(error, sent)) return { kind: "rename-cap" };
  const optional = Object.keys(sent).filter((name) => !essential.has(name));
  const field = fieldByParam(error, optional, own) ?? fieldByMessage(error, optional, own);
  if (field === levelField && isLevelRefused(error, sent)) return { kind: "omit-value", field };
  return field === undefined ? undefined : toAdaptation(field);
}

/** Whether the service refuses this level of the effort, but names another level or none at all. */
function isLevelRefused({ message = "", code }: ErrorBody, sent: Fields): boolean {
  const names = (level: unknown): boolean => new RegExp(String.raw`\b${String(level)}\b`, "i").test(message);
  if (effortLevels.some((level) => level !== sent[levelField] && names(level))) return true;
  const isOfValue =
    /\b(?:unsupported|invalid) value\b/i.test(message) || /^(?:unsupported|invalid)_value$/i.test(code ?? "");
  return isOfValue && withoutOffers(message) === message;
}

function toAdaptation(field: string): Adaptation {
  return field === "system" ? { kind: "system-as-user" } : { kind: "omit", field };
}

/** Statuses of keys, budgets and limits, which no change to the request can fix. */
const aboutTheKey: ReadonlySet<number> = new Set([401, 402, 429]);

/**
 * Whether the service rejected cache marks, or the blocks that carry them. Apart from `aboutTheKey`, any reason counts,
 * even a missing right to use the cache: the answer is more important.
 */
function areMarksRefused(failure: Extract<Failure, { kind: "refused" }>, cause: Cause): boolean {
  if (aboutTheKey.has(failure.status)) return false;
  const { message = "", param } = failure.error;
  if (stepsOf(param).includes(cacheField) || cacheWords.test(withoutOffers(message))) return true;
  if (cause !== "bad-request") return false;
  const wantsString = stringWords.test(message);
  const refusesList = listWords.test(message);
  const isNamed = /\b(?:system|content)\b/i.test(`${param ?? ""} ${message}`);
  return isNamed ? wantsString || refusesList : wantsString && refusesList;
}

/** Splits the path of a parameter, such as `messages.0.role` or `tools[0].type`, into steps. */
function stepsOf(param: string | undefined): readonly string[] {
  return (param ?? "").split(/[.[\]'"`\s]+/).filter((step) => step !== "" && step !== "body");
}

/**
 * Returns the field that the parameter path names: an optional extra at any step, or the last step of a short path. A
 * longer path concerns a part of a value. That only matters for an own field, at the first step.
 */
function fieldByParam(error: ErrorBody, optional: readonly string[], own: Fields): string | undefined {
  const steps = stepsOf(error.param);
  const [top = ""] = steps;
  const isInOwn = steps.length > 1 && Object.hasOwn(own, top) && optional.includes(top);
  if (isInOwn && isRefusal(error)) return top;
  const first = steps.find((step) => dispensable.has(step));
  if (first !== undefined && optional.includes(first)) return first;
  const last = steps.at(-1);
  const isField = steps.length <= 2 && last !== undefined && optional.includes(last);
  return isField && isRefusal(error) ? last : undefined;
}

/** Returns the field that the message names first. Fields named later are usually suggestions. */
function fieldByMessage(error: ErrorBody, optional: readonly string[], own: Fields): string | undefined {
  const message = withoutOffers(error.message ?? "");
  const named = optional
    .filter((name) => dispensable.has(name) || isRefusal(error))
    .map((name) => ({ name, at: positionOf(name, message, Object.hasOwn(own, name)) }))
    .filter(({ at }) => at !== -1);
  named.sort((one, other) => one.at - other.at);
  return named[0]?.name;
}

/**
 * Returns where the message mentions the field: quoted, called a field, or with a name that is not a plain word.
 * Returns -1 if it does not.
 * @param hasPath whether a path into the value, such as `provider.order`, counts as well
 */
function positionOf(name: string, message: string, hasPath = false): number {
  const text = `${name.replaceAll(/[^\w]/g, String.raw`\$&`)}${hasPath ? String.raw`(?:[.[][\w.[\]-]*)?` : ""}`;
  const kinds =
    "(?:request |body |input )?(?:parameter|param|argument|field|property|option|input|key|attribute)s?";
  const patterns = [
    String.raw`['"\`\[‘“]${text}['"\`\]’”]`,
    String.raw`\b${kinds}(?: supplied| name)?\s*[:=]?\s*\(?${text}\b`,
    String.raw`\b${text}\b (?:${kinds}\b)`,
    String.raw`^${text}\b(?:\s*:| (?:is|are) )`,
    ...(name.includes("_") || name === "temperature" ? [String.raw`(?<![\w.])${text}(?!\w)`] : []),
    ...(fieldAliases[name] ?? []),
  ];
  const found = patterns
    .map((pattern) => message.search(new RegExp(pattern, "i")))
    .filter((position) => position !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/**
 * Whether the service rejects `max_tokens`. Only Chat Completions has another name for it. The token limit is never
 * omitted.
 */
function isCapRefused(error: ErrorBody, sent: Fields): boolean {
  if (sent["max_tokens"] === undefined) return false;
  const message = error.message ?? "";
  if (/max_completion_tokens/i.test(message) && /\bmax_tokens\b/i.test(message)) return isRefusal(error);
  const isNamed =
    stepsOf(error.param).at(-1) === "max_tokens" || positionOf("max_tokens", withoutOffers(message)) !== -1;
  return isNamed && sent["system"] === undefined && refusesAsUnknown(error);
}

/** Whether the field itself is unknown, not just its value wrong. */
function refusesAsUnknown({ code, type, message }: ErrorBody): boolean {
  return (
    /extra_forbidden|(?:unsupported|unknown|unrecognized)_param/i.test(`${code} ${type}`) ||
    /unrecogni[sz]ed|unknown|extra (?:inputs|fields)|unexpected|unsupported param/i.test(message ?? "")
  );
}

function isSystemRefused(error: ErrorBody, sent: Fields): boolean {
  const listed = sent["messages"];
  const all = Array.isArray(listed) ? listed.filter((message) => isFields(message)) : [];
  const hasRole = all.some(({ role }) => role === "system");
  if (!hasRole && sent["system"] === undefined) return false;
  const message = withoutOffers(error.message ?? "");
  if (systemRefused.test(message)) return true;
  const [list, index, member] = stepsOf(error.param);
  return hasRole && list === "messages" && member === "role" && all[Number(index)]?.["role"] === "system";
}

/** Matches thinking as a feature of the request, not as content of a message. */
const thinkingFeature =
  /(?<![\w.])(?:extended[ _-])?thinking(?:\.[\w.]+)?(?!\w|\.\w|[ _-]?(?:blocks?|content|part))/i;
/** Matches places inside the conversation. */
const inMessages = /\bmessages\b|\b(?:assistant|redacted|signature|tool_use)\b/i;

/** Whether the service refuses the thinking budget itself, not just its value. */
function isThinkingRefused(error: ErrorBody, sent: Fields): boolean {
  if (sent[thinkingField] === undefined || !isRefusal(error)) return false;
  const [first] = stepsOf(error.param);
  if (first === thinkingField) return true;
  const message = withoutOffers(error.message ?? "");
  return first === undefined && !inMessages.test(message) && thinkingFeature.test(message);
}

/** Words after "thinking" that mean the reasoning mode, not reasoning content. */
const mode = String.raw`['"\x60]? (?:(?:is|are|was|be|to be|being|may not be|cannot be|turned) )?(?:enabled|disabled|on|off|active|effort|tokens?|budget|models?|modes?)\b`;

/** Words for reasoning content, excluding the mode. */
const subject = String.raw`(?:\b(?:redacted_)?(?:reasoning(?:[_ -]?(?:content|details?))?|thinking(?:[_ -]?blocks?)?)\b(?!${mode}))`;

/** Matches up to `most` characters of the same sentence. A dot inside a path does not end the sentence. */
const within = (most: number): string => String.raw`(?:[^.]|\.(?=\S)){0,${most}}?`;

/** Matches messages about missing reasoning. */
const demands = new RegExp(
  [
    String.raw`\b(?:missing|lacks?|without|no|needs?|requires?|field required|expected|expects|have|has|contain|include|provide|supply|(?:pass|send|return|give)(?:ed|s)?(?: back)?)\b${within(40)}${subject}`,
    String.raw`${subject}${within(80)}\b(?:missing|required|absent|not (?:found|present|provided|passed|included|returned)|must|needs? to|should|has to|have to|cannot be (?:empty|null|blank))\b`,
    String.raw`\bmust (?:start|begin) with an? ${subject}`,
    String.raw`${subject}.{0,20}(?:不能为空|缺失|缺少|必须|必填|必需|回传|传回)|(?:缺少|缺失|必须|回传|传回).{0,20}${subject}`,
  ].join("|"),
  "i",
);

/** Words for signatures and reasoning in messages about their validity. */
const proof = String.raw`(?:\w*signatures?|redacted_thinking|thinking|thought|encrypted[ _]content|reasoning)\b`;

/** Matches messages that reject this reasoning as invalid, although reasoning is supported. */
const distrusts = new RegExp(
  [
    String.raw`\b(?:invalid|corrupt\w*|malformed|expired|bad|mismatch\w*|unverifiable|(?:verify|validate|decrypt|decode|parse)(?: of)?)\b${within(40)}\b${proof}`,
    String.raw`\b${proof}${within(80)}\b(?:invalid|modified|does ?n[o']t match|mismatch|not valid|expired|could ?n[o']t be (?:verified|decrypted|validated|parsed)|(?:verification|validation|decryption) failed|failed (?:verification|validation|decryption))`,
    String.raw`\bsignature of\b.{0,40}\bfailed\b|\bsignature failed\b`,
  ].join("|"),
  "i",
);

/** Matches messages that require a signature on blocks that have none. */
const wantsSignature = new RegExp(
  [
    String.raw`\b(?:missing|requires?|needs?|contain|include|have)\b${within(40)}\bsignature\b`,
    String.raw`\bsignature\b${within(40)}\b(?:required|missing|empty|blank|null|at least|must|not (?:found|present|provided))\b`,
  ].join("|"),
  "i",
);
/**
 * Returns a change to the request if the service rejected its reasoning or misses reasoning. Returns undefined for
 * every other failure.
 * @param sent the body of the rejected request
 */
function readRefusedReasoning(error: ErrorBody, sent: Fields): Adaptation | undefined {
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

/** Returns the kind of reasoning that the service does not support. */
function refusedIn(
  present: readonly ReasoningFieldName[],
  error: ErrorBody,
  message: string,
): ReasoningFieldName | undefined {
  const field =
    present.find((name) => namesReasoning(name, error)) ?? present.find((name) => isMentioned(name, message));
  if (field !== undefined && refusesReasoning(error)) return field;
  return present.find((name) => name === "thinking" && blocksWithoutThinking.test(message));
}

/** Whether the parameter path contains the name, such as `messages.1.assistant.reasoning_content`. */
function namesReasoning(name: ReasoningFieldName, { param }: ErrorBody): boolean {
  return (param ?? "").split(/[^\w]+/).includes(name);
}

/** Whether the message mentions the name. A plain word only counts in the position of a name. */
function isMentioned(name: ReasoningFieldName, message: string): boolean {
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

/** Matches lists of accepted block types without thinking, or thinking as the type that was received. */
const blocksWithoutThinking =
  /\b(?:should|must) be (?:one of )?(?!.*\bthinking\b)[^.]*\btool_use\b|\b(?:got|received|given)\b:? [`'"]?thinking\b/i;

/** Matches messages that reject a type of block, or ask to remove something. */
const unknownWords =
  /does not match any of the expected tags|no matching discriminator|\binvalid (?:\w+ ){0,3}type\b|\b(?:should|must) not (?:contain|include|have|be (?:included|sent|present))\b|\bremove\b/i;

function refusesReasoning(error: ErrorBody): boolean {
  return isRefusal(error) || unknownWords.test(error.message ?? "");
}

/** Matches types and codes that reject a field itself, or the only value that we send for it. */
const refusingCodes =
  /^(?:extra_forbidden|(?:unsupported|unknown|unrecognized|unexpected|invalid|deprecated)_(?:param\w*|argument|field|key|property)|unsupported_(?:value|feature|operation)|not_supported\w*|value_error\.extra|additional_?properties)$/i;

/** Matches messages that reject something itself. Messages about a value (too large, wrong type) do not match. */
const refusingWords = new RegExp(
  [
    String.raw`\b(?:un(?:supported|recogni[sz]ed|known|expected|permitted))\b|\bextraneous\b`,
    String.raw`\b(?:is|are|was|were) ?n[o']t (?:\w+ )?(?:supported|permitted|allowed|accepted|available|implemented|enabled|recogni[sz]ed|known|a (?:valid|known) (?:field|param\w*|property|option))`,
    String.raw`\bnot (?:currently |yet )?(?:supported|permitted|implemented|allowed)\b|\bno longer supported\b`,
    String.raw`\b(?:does|do|did|can|will)(?: not|n't)(?: currently| yet)? (?:support|accept|allow|permit|take)\b|\bcannot (?:be )?(?:used|set|specified|accept|find field)`,
    String.raw`\bexpected never\b|\bextra (?:inputs?|fields?|keys?|arguments?|param\w*)\b|\badditional propert\w+ (?:\w+ )?not\b|\bnot have additional propert|\bshould not exist\b`,
    String.raw`\bcould not be mapped\b|\bforbidden field\b|\bonly (?:the default|supports?)\b|\bdeprecated\b|\bdisabled\b|\brequires? --`,
    "不支持|未知|不允许|无法识别",
  ].join("|"),
  "i",
);

function isRefusal({ type, code, message }: ErrorBody): boolean {
  return [type, code].some((word) => refusingCodes.test(word ?? "")) || refusingWords.test(message ?? "");
}

/** Removes the alternatives that the service suggests, because they also name fields. */
function withoutOffers(message: string): string {
  return message
    .slice(0, 4000)
    .replace(
      /(?:,? (?:expected(?! never)|expecting)(?: one of)?\b|\b(?:supported|allowed|valid|known|available|permitted) (?:\w+ ){0,2}(?:are|is|include)\b|\(\d+ known propert|\bmust be one of\b|(?:[.,;:!] |\()(?:please )?(?:use|try)\b).*/is,
      "",
    );
}

/** Patterns for messages that describe a field without its name. */
const fieldAliases: Readonly<Record<string, readonly string[]>> = {
  stream: [
    String.raw`\bstreaming\b`,
    String.raw`\bstream\b (?:is|are|mode)\b`,
    String.raw`\b(?:support|allow|accept)\w* (?:\w+ )?stream(?:s|ing)?\b`,
  ],
  reasoning_effort: [String.raw`\breasoning[ .]effort\b`],
  stream_options: [String.raw`\bstream options?\b|\binclude_usage\b`],
  tools: [
    String.raw`\btools? (?:use|usage|call(?:s|ing)?|support)\b`,
    String.raw`\bfunction[- ]call(?:s|ing)?\b`,
    String.raw`\b(?:support|allow|accept|permit|enable|with)\w* (?:\w+ )?(?:tools?|functions?)\b`,
    String.raw`\btools? (?:is|are)\b`,
    // vLLM started without a tool-call parser.
    String.raw`tool choice requires|--(?:enable-auto-tool-choice|tool-call-parser|jinja)\b`,
  ],
};

/** Matches words for cache marks. */
const cacheWords =
  /\bcache[_ ]?(?:control|points?)\b|\b(?:prompt|explicit|context|ephemeral)[- _]cach(?:e|es|ing)\b|\bcache (?:mark(?:er)?s?|(?:break|check)points?)\b|\bcaching (?:is|was) not\b|\bcached content\b/i;

/** Matches messages that expect a string instead of the sent value. Messages about string length do not match. */
const stringWords =
  /\b(?:valid|be|an?|expect(?:s|ed|ing)|type|of|not|to):? (?:type:? )?[`'"]?(?:java\.lang\.|system\.)?str(?:ing)?\b(?! (?:with|of (?:at|length|max)|shorter|longer|no longer|at (?:least|most)|between|up to|less))|\bstr(?:ing)? (?:type )?(?:expected|required)\b|\bstring_type\b|\bno attribute '(?:strip|split|lower|replace|encode|startswith)'/i;

/** Matches messages that complain about a list where the service wants another type. */
const listWords =
  /\b(?:got|received|given|found|from|unmarshal|unexpected|sent|was|invalid type:?|type|not(?: be)?):? (?:an? )?[`'"]?(?:json)?(?:array|list|sequence|object\[\])\b|\bstart_array\b|'list' object\b|\b(?:dict|list) found\b|\b(?:array|list|sequence)s? (?:content |values? )?(?:is|are) not\b/i;

/** Matches messages that reject separate instructions or their role. */
const systemRefused = new RegExp(
  [
    String.raw`\b(?:system|developer)['"\`]?[ _-]?(?:roles?|messages?|prompts?|instructions?)\b.{0,60}?(?:not|n't|un)[ -]?\w{0,12} ?(?:supported|allowed|permitted|accepted|enabled|available|valid)`,
    String.raw`(?:unsupported|invalid|unexpected|unknown|unrecogni[sz]ed|not supported|no such)(?: message)? roles?\b.{0,20}?\bsystem\b`,
    String.raw`(?:does|do)(?: not|n't) (?:support|accept|allow|have)(?: an?| the| any)? ['"\`]?(?:system|developer)\b`,
    String.raw`\broles? ['"\`]?system['"\`]?.{0,40}(?:not|n't|un|invalid)`,
    String.raw`\bonly (?:the )?['"\`]?user['"\`]? and ['"\`]?assistant['"\`]? roles?\b`,
  ].join("|"),
  "i",
);
