/** The two ways a client may speak to the service (specification, section 1). */
export type Style = "chat-completions" | "messages";

/**
 * The style a refusal is written in, for a call that may have matched no endpoint. A client of the
 * messages style is known by its path, or by the version header it sends with every call.
 */
export function styleOf(path: string, headers: Readonly<Record<string, unknown>>): Style {
  return /\/messages\b/u.test(path) || headers["anthropic-version"] !== undefined
    ? "messages"
    : "chat-completions";
}
