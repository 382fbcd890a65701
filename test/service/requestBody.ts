import type { IncomingMessage } from "node:http";
import { getDotPath, safeParse, type BaseIssue, type BaseSchema } from "valibot";
import { Refusal } from "./errorAnswers.ts";

/** Reads a JSON request body of at most `limit` bytes, or rejects with a `Refusal`. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const contentType = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(?:;|$)/iu.test(contentType)) {
    request.resume();
    throw new Refusal("wrong-content-type", "Send the body as `Content-Type: application/json`.");
  }
  const bytes = await readBytes(request, limit);
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return json;
  } catch {
    throw new Refusal("malformed-json", "The body could not be read as JSON in UTF-8.");
  }
}

/** Reads past the limit without storing: a client cut off while sending would never see the refusal. */
async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > limit * 16) {
      break;
    }
    if (length <= limit) {
      chunks.push(bytes);
    }
  }
  if (length > limit) {
    throw new Refusal("body-too-large", `The body is larger than ${limit} bytes.`);
  }
  return Buffer.concat(chunks);
}

/** Parses the body with the schema. The first issue becomes a `Refusal`. */
export function readFields<Output>(
  schema: BaseSchema<unknown, Output, BaseIssue<unknown>>,
  body: unknown,
): Output {
  // The schema would accept a list as an object without fields.
  if (Array.isArray(body)) {
    throw new Refusal("wrong-type", "body: Invalid type: Expected Object but received Array");
  }
  const result = safeParse(schema, body, { abortEarly: true });
  if (result.success) {
    return result.output;
  }
  throw convertIssue(result.issues[0]);
}

function convertIssue(issue: BaseIssue<unknown>): Refusal {
  const field = getDotPath(issue) ?? "body";
  if (issue.kind === "validation") {
    return new Refusal("out-of-range", `${field}: ${issue.message}`, field);
  }
  if (issue.received === "undefined") {
    return new Refusal("missing-field", `${field}: Field required`, field);
  }
  return new Refusal("wrong-type", `${field}: ${issue.message}`, field);
}
