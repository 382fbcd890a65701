/** What it takes to ask a service and to say why it failed, in one piece; the transport comes beside it. */
export { causeOf } from "../client/causeOf.ts";
export { ConnectionRecorder } from "../client/connectionRecorder.ts";
export { InferenceClient } from "../client/inferenceClient.ts";
export { withRetries } from "../client/retrying.ts";
export { nameOfCause } from "../connection/causeNames.ts";
export { diagnose } from "../connection/diagnosis.ts";
