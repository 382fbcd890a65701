/** Names of headers with a request ID, most specific first (wire.md, "Request IDs"). */
const headerNames = [
  "x-request-id",
  "request-id",
  "x-litellm-call-id",
  "x-oneapi-request-id",
  "apim-request-id",
  "x-portkey-trace-id",
  "helicone-id",
  "x-generation-id",
  "x-amzn-requestid",
  "x-correlation-id",
];

/** Only visible ASCII, so that the ID can be shown, logged and copied. */
const readable = /^[\w.:/=+@-]{1,200}$/;

/**
 * Returns the request ID of an answer: from its headers, or else its body. The last resort is the ID of the network in
 * front of the service, which the service's support can use.
 */
export function readRequestId(
  headers: Readonly<Record<string, string>>,
  fromBody?: string,
): string | undefined {
  for (const name of headerNames) {
    const id = readId(headers[name]);
    if (id !== undefined) return id;
  }
  return readId(fromBody) ?? readId(headers["cf-ray"]);
}

function readId(text: string | undefined): string | undefined {
  const id = text?.trim();
  return id !== undefined && readable.test(id) ? id : undefined;
}
