import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import type { ApiKey } from "./apiKey.ts";
import type { Failure } from "../failure/failure.ts";

/** The failure with the key and its pieces taken out of every text of the server's, should it have said them back. */
export function redactKey(failure: Failure, key: ApiKey): Failure {
  const clean = (text: string): string => key.redactServiceText(text);
  const cleaned = cleanTexts(failure, clean);
  return "requestId" in cleaned
    ? { ...cleaned, ...cleanField("requestId", cleaned.requestId, clean) }
    : cleaned;
}

function cleanTexts(failure: Failure, clean: (text: string) => string): Failure {
  switch (failure.kind) {
    case "refused":
      return {
        ...failure,
        error: cleanError(failure.error, clean),
        ...cleanField("bodyStart", failure.bodyStart, clean),
        ...cleanField("server", failure.server, clean),
      };
    case "stream-error":
      return { ...failure, error: cleanError(failure.error, clean) };
    case "unreadable":
      return { ...failure, ...cleanField("bodyStart", failure.bodyStart, clean) };
    case "filtered":
      return {
        ...failure,
        wireReason: clean(failure.wireReason),
        ...cleanField("explanation", failure.explanation, clean),
      };
    case "redirect":
      return { ...failure, ...cleanField("location", failure.location, clean) };
    case "interrupted":
    case "network":
    case "tls":
    case "proxy":
    case "timeout":
    case "key":
    case "key-origin":
    case "address":
    case "cancelled":
    case "unknown":
      // Made here, from codes and names of the network's; no text of a server is in them.
      return failure;
  }
}

function cleanError(error: ErrorBody, clean: (text: string) => string): ErrorBody {
  return {
    ...error,
    ...cleanField("type", error.type, clean),
    ...cleanField("code", error.code, clean),
    ...cleanField("message", error.message, clean),
    ...cleanField("param", error.param, clean),
    ...cleanField("requestId", error.requestId, clean),
  };
}

function cleanField<Name extends string>(
  name: Name,
  text: string | undefined,
  clean: (text: string) => string,
): Partial<Record<Name, string>> {
  const field: Partial<Record<string, string>> = text === undefined ? {} : { [name]: clean(text) };
  return field;
}
