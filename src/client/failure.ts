import type { ErrorBody } from "../protocol/conversation.ts";

/** What a body is, when it is not the JSON of an API. */
export type BodyKind = "json" | "html" | "empty" | "text" | "too-large";

/**
 * Why a call failed: facts only, no words for people and no key. `cause.ts` names the cause,
 * `connection/diagnosis.ts` says it in words. Texts in it are the server's, unredacted.
 */
export type Failure =
  /** The service answered, and its status or body says no. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly error: ErrorBody;
      readonly bodyKind: BodyKind;
      /** First characters of a body that is not JSON, at most 2 KiB. */
      readonly bodyStart?: string;
      readonly requestId?: string;
      /** Milliseconds the server asks to wait, from header or body. */
      readonly retryAfterMs?: number;
      /** The `server` header and the like: who answered. */
      readonly server?: string;
    }
  /** A 3xx; `location` is where it wanted to go, as an absolute URL where it could be read. */
  | {
      readonly kind: "redirect";
      readonly status: number;
      readonly location?: string;
      readonly requestId?: string;
    }
  /** A success status whose body is not what the endpoint promises. */
  | {
      readonly kind: "unreadable";
      readonly status: number;
      readonly bodyKind: BodyKind;
      readonly bodyStart?: string;
      readonly requestId?: string;
    }
  /** An error inside an answer that had begun with a success status. */
  | { readonly kind: "stream-error"; readonly error: ErrorBody; readonly requestId?: string }
  /** A stream that ended, or broke, without its end. */
  | { readonly kind: "interrupted"; readonly code?: string; readonly requestId?: string }
  /** No answer: the call failed before a status. `code` as Node or the client names it. */
  | { readonly kind: "network"; readonly code: string; readonly host?: string; readonly detail?: string }
  | { readonly kind: "tls"; readonly code: string; readonly host?: string; readonly detail?: string }
  | { readonly kind: "proxy"; readonly code: string; readonly status?: number; readonly detail?: string }
  | { readonly kind: "timeout"; readonly phase: "connect" | "headers" | "idle"; readonly requestId?: string }
  /** Refused here, before anything was sent. */
  | {
      readonly kind: "key";
      readonly cause: "empty-key" | "malformed-key" | "not-a-key";
      readonly variable?: string;
    }
  | { readonly kind: "key-origin"; readonly sealedOrigin: string; readonly origin: string }
  | { readonly kind: "address"; readonly cause: "insecure-address" | "wrong-host"; readonly address: string }
  | { readonly kind: "cancelled" }
  | { readonly kind: "unknown"; readonly detail: string };

/** Carries a `Failure` through throw and catch. Its message holds no text of a server and no key. */
export class InferenceError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`The inference service call failed (${failure.kind}).`, options);
    this.name = "InferenceError";
    this.failure = failure;
  }
}
