import type { Adaptation } from "../protocol/adaptation.ts";
import type { ErrorBody } from "../protocol/conversation.ts";
import type { Fields } from "../protocol/fields.ts";
import { lacksReasoning, type ReasoningFieldName, reasoningIn } from "../protocol/reasoningAdaptation.ts";
import { saysNo, withoutOffers } from "./refusedFieldWords.ts";

/** What sentences call reasoning. */
const subject = String.raw`(?:reasoning(?:[_ -]?(?:content|details?))?|thinking(?:[_ -]?blocks?)?)`;

/** Sentences that want reasoning which is not there. */
const demands = new RegExp(
  [
    String.raw`\b(?:missing|lacks?|without|no|needs?|requires?|expected|expects|include|provide|supply|pass(?:ed)?(?: back)?)\b[^.]{0,40}?\b${subject}\b`,
    String.raw`\b${subject}\b[^.]{0,80}?\b(?:missing|required|absent|not (?:found|present|provided|passed|included)|must|needs? to|should|has to|have to|cannot be (?:empty|null|blank))\b`,
    String.raw`\bmust (?:start|begin) with an? ${subject}\b`,
    String.raw`${subject}.{0,20}(?:不能为空|缺失|缺少|必须)|(?:缺少|缺失).{0,20}${subject}`,
  ].join("|"),
  "i",
);

/** Sentences that do not take the reasoning as it was sent, though they take reasoning. */
const distrusts = new RegExp(
  [
    String.raw`\b(?:invalid|corrupt\w*|malformed|expired|bad|mismatch\w*|unverifiable)\b[^.]{0,40}?\b(?:signature|thinking|thought|encrypted|reasoning)`,
    String.raw`\b(?:signature|thinking|encrypted content|reasoning)\b[^.]{0,80}?\b(?:invalid|cannot be modified|can't be modified|modified|does ?n[o']t match|mismatch|not valid|expired|could ?n[o']t be (?:verified|decrypted|validated|parsed)|failed (?:verification|validation))`,
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
  const field = present.find((name) => isNamed(name, error)) ?? present.find((name) => isSaid(name, message));
  if (field !== undefined && saysUnknown(error)) return { kind: "omit", field };
  if (present.length > 0 && distrusts.test(message)) return { kind: "omit-reasoning" };
  return lacksReasoning(sent) && demands.test(message) ? { kind: "fill-reasoning" } : undefined;
}

/** A path such as `messages.1.assistant.reasoning_content`. */
function isNamed(name: ReasoningFieldName, { param }: ErrorBody): boolean {
  return (param ?? "").split(/[^\w]+/).includes(name);
}

function isSaid(name: ReasoningFieldName, message: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(withoutOffers(message));
}

/** A block's type that is not known is told by the types that are. */
function saysUnknown(error: ErrorBody): boolean {
  return (
    saysNo(error) ||
    /does not match any of the expected tags|no matching discriminator/i.test(error.message ?? "")
  );
}
