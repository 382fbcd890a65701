import { Refusal } from "./errorAnswers.ts";
import { firstMark } from "./promptCache.ts";
import type { Style } from "./style.ts";

/** What a server may accept and then not heed. */
type Unheeded = "system" | "history" | "tools" | "images" | "stream" | "usage" | "stop-reason" | "max-tokens";

/** Ways in which servers differ where the specification says nothing. */
export interface Quirks {
  /** The styles that are offered; calls of another find no such path. */
  readonly styles: readonly Style[];
  /**
   * Request fields that are refused by name. `system` is the role as well, `images` any image, `cache_control` any
   * mark, `blocks` a list in the place of a text, and `max_tokens` of chat completions is wanted under its newer name.
   */
  readonly refuse: readonly string[];
  readonly ignore: readonly Unheeded[];
  /** Where tools are offered the model thinks, and wants what it thought back beside the calls it made. */
  readonly demandsReasoning: boolean;
  /**
   * Pieces of the key are said back, in every way of `saidBack.ts`, wherever the service speaks of itself: in headers,
   * refusals, names of models, and the ends of answers. An answer that is told to be cut ends in an error.
   */
  readonly saysKey: boolean;
}

export const noQuirks: Quirks = {
  styles: ["chat-completions", "messages"],
  refuse: [],
  ignore: [],
  demandsReasoning: false,
  saysKey: false,
};

/** Throws a refusal where the body has a field that is refused. */
export function checkFields(body: unknown, style: Style, { refuse }: Quirks): void {
  if (refuse.length === 0 || typeof body !== "object" || body === null) return;
  for (const name of refuse) {
    if (isIn(body, name))
      throw new Refusal("unsupported-field", sentenceFor(name, style, firstMark(body)), name);
  }
}

function isIn(body: object, name: string): boolean {
  if (name in body) return true;
  if (name === "cache_control") return firstMark(body) !== undefined;
  if (name === "blocks") return "system" in body && Array.isArray(body.system);
  const messages = "messages" in body ? JSON.stringify(body.messages) : "";
  if (name === "system") return messages.includes('"role":"system"');
  if (name === "reasoning_content") return messages.includes('"reasoning_content":');
  return name === "images" && /"type":"image(?:_url)?"/u.test(messages);
}

function sentenceFor(name: string, style: Style, mark: string | undefined): string {
  if (name === "images") return "Image input is not supported by this model.";
  if (name === "blocks") return "system: Input should be a valid string";
  if (name === "cache_control" && mark !== undefined) return `${mark}: Extra inputs are not permitted`;
  if (style === "messages") return `${name}: Extra inputs are not permitted`;
  if (name === "system")
    return "Unsupported value: 'messages[0].role' does not support 'system' with this model.";
  const instead = name === "max_tokens" ? " Use 'max_completion_tokens' instead." : "";
  return `Unsupported parameter: '${name}' is not supported with this model.${instead}`;
}
