import { type Failure, InferenceError } from "./failure.ts";

/** No connection came about. Nothing of the request went out, so it may be sent by another way. */
export class NotConnectedError extends InferenceError {
  constructor(failure: Failure) {
    super(failure);
    this.name = "NotConnectedError";
  }
}
