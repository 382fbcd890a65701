import type { ChatRequest } from "../protocol/conversation.ts";
import type { Failure } from "./failure.ts";
import { normaliseMessage } from "./causeRules.ts";

/** Sentences that refuse images as such. What they say of one image (too large, of another format) is none. */
export const imageRefused =
  /\b(?:images?|vision|multi-?modal)\b(?: \w+){0,4} (?:is|are) (?:not|un)[ -]?(?:currently |yet )?(?:supported|allowed|accepted|enabled|available)|\b(?:do|does|did|can|will)(?: not|not) (?:currently )?(?:support|accept|take|allow|process|handle|have) (?:\w+ ){0,4}(?:images?|vision|multi-?modal|image_url)|\b(?:not a|no) (?:vision|multi-?modal)\b|\bimage_url\b.{0,40}(?:not supported|unsupported|unknown variant|only supported by)/i;

/** Whether a request with an image was refused since the model takes none. */
export function isImageRefused(failure: Failure, { messages }: ChatRequest): boolean {
  if (failure.kind !== "refused") return false;
  const hasImage = messages.some(({ content }) =>
    content.some((part) => part.type === "image" || part.type === "tool-result"),
  );
  return hasImage && imageRefused.test(normaliseMessage(failure.error.message ?? "").message);
}
