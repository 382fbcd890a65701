import type { StreamPart } from "../../protocol/conversation/conversation.ts";
import type { Failure } from "../failure/failure.ts";

/** The failure in the end of an answer that the service would not give; undefined for any other end. */
export function readFiltered(
  finish: Extract<StreamPart, { type: "finish" }>,
  requestId?: string,
): Failure | undefined {
  if (finish.reason !== "content-filter") return undefined;
  return {
    kind: "filtered",
    wireReason: finish.wireReason,
    ...(finish.explanation === undefined ? {} : { explanation: finish.explanation }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
