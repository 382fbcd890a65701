import { causeOf } from "../../src/client/failure/causeOf.ts";
import { type Failure, InferenceError } from "../../src/client/failure/failure.ts";

/** The error that a call ends in which fails so. */
export function failed(failure: Failure): InferenceError {
  return new InferenceError(failure, causeOf(failure));
}
