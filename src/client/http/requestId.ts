/** Names of the header that carries the request ID, the most specific first (wire.md, "Request IDs"). */
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

/** Visible ASCII only, so that it can be shown, logged and copied as it is. */
const readable = /^[\w.:/=+@-]{1,200}$/;

/**
 * The request ID of an answer: from its headers, else the one its body named, else the ID of the
 * network in front of the service, which support can use as a last resort.
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
