import { isFields } from "./fields.ts";
import type { Fields } from "./fields.ts";
import type { ClientStyle } from "./wireStyle.ts";

const messagesEvent = /^(?:message|content_block)_(?:start|delta|stop)$/;

/** Whether an object is an answer, or an event of one, of the other client style. */
export function isOtherStyle(fields: Fields, style: ClientStyle): boolean {
  if (style === "messages") return Array.isArray(fields["choices"]);
  const { type } = fields;
  if (type === "message") return Array.isArray(fields["content"]);
  return typeof type === "string" && messagesEvent.test(type);
}

/** The same for a body of any kind. */
export function isOtherAnswer(body: unknown, style: ClientStyle): boolean {
  return isFields(body) && isOtherStyle(body, style);
}
