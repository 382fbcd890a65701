import { Refusal } from "./errorAnswers.ts";
import { firstMark } from "./promptCache.ts";
import type { Style } from "./style.ts";

/** Request parts that a server may accept but then ignore, and answer parts that it may leave out. */
type Unheeded =
  | "system"
  | "history"
  | "tools"
  | "images"
  | "pdfs"
  | "stream"
  | "usage"
  | "stop-reason"
  | "max-tokens"
  | "effort";

/** Differences between servers that the specification allows. */
export interface Quirks {
  /** The offered styles. Requests of another style get a 404. */
  readonly styles: readonly Style[];
  /**
   * Names of refused request fields. `system` also means the role, `cache_control` any mark, and `images` and `pdfs` any
   * file of the kind. `blocks` means a list in `system`. `name=value` refuses only this value, and `name.part` a part of
   * it. If Chat Completions refuses `max_tokens`, the refusal suggests `max_completion_tokens`.
   */
  readonly refuse: readonly string[];
  readonly ignore: readonly Unheeded[];
  /** The model reasons if tools are offered, and wants its reasoning returned with its tool calls. */
  readonly demandsReasoning: boolean;
  /**
   * Repeats pieces of the key, in every spelling of `saidBack.ts`. They appear in headers, refusals, model names
   * and the ends of answers. A `/cut` answer ends in an error instead of a broken connection.
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

/** Throws a `Refusal` if the body has a refused field. */
export function checkFields(body: unknown, style: Style, { refuse }: Quirks): void {
  if (refuse.length === 0 || typeof body !== "object" || body === null) return;
  for (const name of refuse) {
    if (isIn(body, name))
      throw new Refusal("unsupported-field", sentenceFor(name, style, firstMark(body)), name.split("=")[0]);
  }
}

function isIn(body: object, name: string): boolean {
  if (name in body) return true;
  const [field, value] = name.split("=");
  if (value !== undefined) return Object.entries(body).some(([key, sent]) => key === field && sent === value);
  const [whole, part] = name.split(".");
  if (part !== undefined)
    return Object.entries(body).some(([key, sent]) => key === whole && Object.hasOwn(Object(sent), part));
  if (name === "cache_control") return firstMark(body) !== undefined;
  if (name === "blocks") return "system" in body && Array.isArray(body.system);
  const messages = "messages" in body ? JSON.stringify(body.messages) : "";
  if (name === "system") return messages.includes('"role":"system"');
  if (name === "reasoning_content") return messages.includes('"reasoning_content":');
  if (name === "pdfs") return /"type":"(?:document|file)"/u.test(messages);
  return name === "images" && /"type":"image(?:_url)?"/u.test(messages);
}

function sentenceFor(name: string, style: Style, mark: string | undefined): string {
  const [field, value] = name.split("=");
  if (value !== undefined)
    return `Unsupported value: '${field}' does not support '${value}' with this model. Supported values are: 'low'.`;
  if (name === "images") return "Image input is not supported by this model.";
  if (name === "pdfs") return "PDF input is not supported by this model.";
  if (name === "blocks") return "system: Input should be a valid string";
  if (name === "cache_control" && mark !== undefined) return `${mark}: Extra inputs are not permitted`;
  if (style === "messages") return `${name}: Extra inputs are not permitted`;
  if (name === "system")
    return "Unsupported value: 'messages[0].role' does not support 'system' with this model.";
  const instead = name === "max_tokens" ? " Use 'max_completion_tokens' instead." : "";
  return `Unsupported parameter: '${name}' is not supported with this model.${instead}`;
}
