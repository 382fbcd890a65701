/** The two client styles of the service (specification, section 1). */
export type Style = "chat-completions" | "messages";

/**
 * Returns the style of a request, even if it matches no endpoint: a refusal also has a style. A messages client has
 * `/messages` in the path, or sends a version header with every request.
 */
export function styleOf(path: string, headers: Readonly<Record<string, unknown>>): Style {
  return /\/messages\b/u.test(path) || headers["anthropic-version"] !== undefined
    ? "messages"
    : "chat-completions";
}
