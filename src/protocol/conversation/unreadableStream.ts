/** Why a stream of server-sent events cannot be read on: an event that is no JSON, or more than is held. */
export type UnreadableReason = "event" | "too-large";

/** Thrown by the event parser and the stream decoders. `excerpt` is the server's, unredacted. */
export class UnreadableStreamError extends Error {
  readonly reason: UnreadableReason;
  /** First characters of the event, at most 200. */
  readonly excerpt: string;

  constructor(reason: UnreadableReason, text: string) {
    super(`The event stream cannot be read (${reason}).`);
    this.name = "UnreadableStreamError";
    this.reason = reason;
    this.excerpt = text.slice(0, 200);
  }
}
