import { type Failure, InferenceError } from "./failure.ts";

/** No connection came about. Nothing of the request went out, so it may be sent by another way. */
export class NotConnectedError extends InferenceError {
  constructor(failure: Failure) {
    super(failure);
    this.name = "NotConnectedError";
  }
}

/** Node's and Chromium's words for a connection that did not come about. */
const unconnected =
  /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|ERR_NAME_(?:NOT_RESOLVED|RESOLUTION_FAILED)|ERR_CONNECTION_(?:REFUSED|FAILED)|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED)$/;

/** Whether a transport that has no error of its own for it says that no connection came about; else something may have gone out. */
export function isUnconnected(failure: Failure): boolean {
  if (failure.kind === "network") return unconnected.test(failure.code);
  if (failure.kind === "timeout") return failure.phase === "connect";
  return failure.kind === "tls" || failure.kind === "proxy";
}
