import type { ErrorBody } from "../../protocol/conversation/conversation.ts";

/** Types and codes that refuse a field as such, or the only value that we have for it. */
const refusingCodes =
  /^(?:extra_forbidden|(?:unsupported|unknown|unrecognized|unexpected|invalid|deprecated)_(?:param\w*|argument|field|key|property)|unsupported_(?:value|feature|operation)|not_supported\w*|value_error\.extra|additional_?properties)$/i;

/** Sentences that refuse something as such. What they say of a value (too large, of another type) is none. */
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

export function saysNo({ type, code, message }: ErrorBody): boolean {
  return [type, code].some((word) => refusingCodes.test(word ?? "")) || refusingWords.test(message ?? "");
}

/** The sentence without what the server would take instead, which names fields too. */
export function withoutOffers(message: string): string {
  return message
    .slice(0, 4000)
    .replace(
      /(?:,? (?:expected(?! never)|expecting)(?: one of)?\b|\b(?:supported|allowed|valid|known|available|permitted) (?:\w+ ){0,2}(?:are|is|include)\b|\(\d+ known propert|\bmust be one of\b|(?:[.,;:!] |\()(?:please )?(?:use|try)\b).*/is,
      "",
    );
}

/** Words by which sentences speak of a field without its name. */
export const fieldAliases: Readonly<Record<string, readonly string[]>> = {
  stream: [
    String.raw`\bstreaming\b`,
    String.raw`\bstream\b (?:is|are|mode)\b`,
    String.raw`\b(?:support|allow|accept)\w* (?:\w+ )?stream(?:s|ing)?\b`,
  ],
  stream_options: [String.raw`\bstream options?\b|\binclude_usage\b`],
  tools: [
    String.raw`\btools? (?:use|usage|call(?:s|ing)?|support)\b`,
    String.raw`\bfunction[- ]call(?:s|ing)?\b`,
    String.raw`\b(?:support|allow|accept|permit|enable|with)\w* (?:\w+ )?(?:tools?|functions?)\b`,
    String.raw`\btools? (?:is|are)\b`,
    // vLLM, where it was started without a parser of tool calls.
    String.raw`tool choice requires|--(?:enable-auto-tool-choice|tool-call-parser|jinja)\b`,
  ],
};

/** Words by which sentences speak of the marks for a cache. */
export const cacheWords =
  /\bcache[_ ]?(?:control|points?)\b|\b(?:prompt|explicit|context|ephemeral)[- _]cach(?:e|es|ing)\b|\bcache (?:mark(?:er)?s?|(?:break|check)points?)\b|\bcaching (?:is|was) not\b|\bcached content\b/i;

/** A string is wanted in the place of what was sent. Lengths of a string are none of it. */
export const stringWords =
  /\b(?:valid|be|an?|expect(?:s|ed|ing)|type|of|not|to):? (?:type:? )?[`'"]?(?:java\.lang\.|system\.)?str(?:ing)?\b(?! (?:with|of (?:at|length|max)|shorter|longer|no longer|at (?:least|most)|between|up to|less))|\bstr(?:ing)? (?:type )?(?:expected|required)\b|\bstring_type\b|\bno attribute '(?:strip|split|lower|replace|encode|startswith)'/i;

/** A list is what was sent, and not wanted. */
export const listWords =
  /\b(?:got|received|given|found|from|unmarshal|unexpected|sent|was|invalid type:?|type|not(?: be)?):? (?:an? )?[`'"]?(?:json)?(?:array|list|sequence|object\[\])\b|\bstart_array\b|'list' object\b|\b(?:dict|list) found\b|\b(?:array|list|sequence)s? (?:content |values? )?(?:is|are) not\b/i;

/** Sentences that refuse instructions of their own, or the role that carries them. */
export const systemRefused = new RegExp(
  [
    String.raw`\b(?:system|developer)['"\`]?[ _-]?(?:roles?|messages?|prompts?|instructions?)\b.{0,60}?(?:not|n't|un)[ -]?\w{0,12} ?(?:supported|allowed|permitted|accepted|enabled|available|valid)`,
    String.raw`(?:unsupported|invalid|unexpected|unknown|unrecogni[sz]ed|not supported|no such)(?: message)? roles?\b.{0,20}?\bsystem\b`,
    String.raw`(?:does|do)(?: not|n't) (?:support|accept|allow|have)(?: an?| the| any)? ['"\`]?(?:system|developer)\b`,
    String.raw`\broles? ['"\`]?system['"\`]?.{0,40}(?:not|n't|un|invalid)`,
    String.raw`\bonly (?:the )?['"\`]?user['"\`]? and ['"\`]?assistant['"\`]? roles?\b`,
  ].join("|"),
  "i",
);
