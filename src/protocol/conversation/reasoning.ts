import type { ReasoningPart } from "./conversation.ts";
import { isFields } from "./json.ts";

/** Returns the length of the reasoning as sent, in UTF-16 units. The signature of a thinking block does not count. */
export function reasoningLength(part: ReasoningPart): number {
  switch (part.form) {
    case "text":
    case "thinking":
      return part.text.length;
    case "list":
      return JSON.stringify(part.items).length;
    case "call":
      return JSON.stringify(part.extra).length;
    case "redacted":
      return part.data.length;
  }
}

/**
 * Returns the part with its texts cleaned. Returns undefined if cleaning would change signed or encrypted content: such
 * a part must not be sent.
 */
export function cleanReasoning(
  part: ReasoningPart,
  clean: (text: string) => string,
): ReasoningPart | undefined {
  switch (part.form) {
    case "text":
      return { ...part, text: clean(part.text) };
    case "thinking": {
      const text = clean(part.text);
      const { signature = "" } = part;
      return text === part.text && clean(signature) === signature
        ? part
        : signature === ""
          ? { ...part, text }
          : undefined;
    }
    case "list":
      return part.items.every((item) => isClean(item, clean)) ? part : undefined;
    case "call":
      return isClean(part.extra, clean) ? part : undefined;
    case "redacted":
      return clean(part.data) === part.data ? part : undefined;
  }
}

/**
 * Whether cleaning would change nothing. Compares each string, because cleaning a JSON text may format it differently.
 */
function isClean(value: unknown, clean: (text: string) => string): boolean {
  if (typeof value === "string") return clean(value) === value;
  if (Array.isArray(value)) return value.every((each) => isClean(each, clean));
  if (!isFields(value)) return true;
  return Object.entries(value).every(([name, each]) => clean(name) === name && isClean(each, clean));
}
