import { causeOf } from "../../src/client/failure/causeOf.ts";
import { type Failure, InferenceError } from "../../src/client/failure/failure.ts";

/** Returns the error of a request that ends with this failure. */
export function failed(failure: Failure): InferenceError {
  return new InferenceError(failure, causeOf(failure));
}
