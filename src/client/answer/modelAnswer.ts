import { isErrorBody } from "../../protocol/decode/errorBody.ts";
import { parseJson } from "../../protocol/conversation/json.ts";
import { readModelList } from "../../protocol/decode/modelList.ts";
import type { ModelPage } from "../../protocol/decode/modelList.ts";
import { readBreak } from "./answer.ts";
import type { AnswerHead } from "./answer.ts";
import { decodeText, isCutJson, kindOfText, maxJsonBytes, readBody, startOf } from "../http/body.ts";
import type { BoundedBody } from "../http/body.ts";
import { FailureError } from "../failure/failure.ts";
import type { BodyKind } from "../failure/failure.ts";
import { readRefusal } from "../http/refusal.ts";
import { readRequestId } from "../http/requestId.ts";

/**
 * Reads one page of the answer to a request for models (specification, section 4.1).
 * @param answer a head with a success status, and its body
 * @param nowMs the current time, for dates in headers
 * @throws FailureError `refused`, `unreadable`, `interrupted` or `timeout`; rethrows an abort
 */
export async function readModelAnswer(
  answer: AnswerHead & { readonly body: AsyncIterable<Uint8Array> },
  nowMs: number = Date.now(),
): Promise<ModelPage> {
  const { bytes, truncated } = await readWhole(answer);
  if (truncated) throw unreadable(answer, "too-large", "");
  const text = decodeText(bytes);
  const body = parseJson(text);
  if (isErrorBody(body)) throw new FailureError(readRefusal(answer.status, answer.headers, bytes, nowMs));
  const page = readModelList(body);
  if (page !== null) return page;
  if (body === undefined && isCutJson(text)) {
    const requestId = readRequestId(answer.headers);
    throw new FailureError({ kind: "interrupted", ...(requestId === undefined ? {} : { requestId }) });
  }
  const kind = kindOfText(text);
  // An invalid list may contain anything, even a key, so only text other than JSON is stored.
  throw kind === "json"
    ? unreadable(answer, body === undefined ? "text" : kind, "")
    : unreadable(answer, kind, text);
}

async function readWhole(
  answer: AnswerHead & { readonly body: AsyncIterable<Uint8Array> },
): Promise<BoundedBody> {
  try {
    return await readBody(answer.body, maxJsonBytes);
  } catch (error) {
    throw new FailureError(readBreak(error, answer.headers));
  }
}

function unreadable(answer: AnswerHead, bodyKind: BodyKind, text: string): FailureError {
  const requestId = readRequestId(answer.headers);
  return new FailureError({
    kind: "unreadable",
    status: answer.status,
    bodyKind,
    ...startOf(text),
    ...(requestId === undefined ? {} : { requestId }),
  });
}
