import { isFields } from "../conversation/fields.ts";
import type { Fields } from "../conversation/fields.ts";

const messageEvent = /^(?:message|content_block)_(?:start|delta|stop)$/;

/** Whether an object is a chat completion, or a chunk of one. */
export function isCompletion(fields: Fields): boolean {
  const choices = fields["choices"];
  return Array.isArray(choices) && choices.length > 0;
}

/** Whether an object is a message of the other style, or an event of one. */
export function isMessage(fields: Fields): boolean {
  const { type } = fields;
  if (type === "message") return Array.isArray(fields["content"]);
  return typeof type === "string" && messageEvent.test(type);
}

/** Whether an object is an event of an API that is none of the client styles. */
export function isForeign({ type, candidates, done }: Fields): boolean {
  if (typeof type === "string") return type.startsWith("response.");
  return Array.isArray(candidates) || typeof done === "boolean";
}

/** Whether a body is an answer in any client style. */
export function isAnswer(body: unknown): boolean {
  return isFields(body) && (isCompletion(body) || isMessage(body));
}
