import type { Cause } from "./cause.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";

/** Why a text is not a valid base URL. */
export type AddressProblem =
  | "empty"
  /** `suggestion` is the base URL with the required scheme. */
  | "no-scheme"
  | "other-scheme"
  | "not-an-address"
  | "credentials"
  | "query"
  | "insecure";

/**
 * The kind of a body.
 * - `event`: a stream with an event that is not JSON
 * - `malformed`: violates HTTP or its content coding
 * - `other-style`: an answer in another client style than the request
 */
export type BodyKind =
  | "json"
  | "html"
  | "empty"
  | "text"
  | "too-large"
  | "large-headers"
  | "event"
  | "malformed"
  | "other-style";

/**
 * Why a request failed: facts only, no display text and no key. `causeOf.ts` finds the cause,
 * `connection/diagnosis/diagnosis.ts` describes it. Texts in it are the service's own, not redacted.
 */
export type Failure =
  /** The service rejected the request by its status or body. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly error: ErrorBody;
      readonly bodyKind: BodyKind;
      /** Start of a body that is not JSON, at most 2,048 characters. */
      readonly bodyStart?: string;
      readonly requestId?: string;
      /** Milliseconds to wait before a retry, from header or body. */
      readonly retryAfterMs?: number;
      /** Whether the service allows a retry (`x-should-retry`), if it says so. */
      readonly shouldRetry?: boolean;
      /** The server that answered, by the `server` header or similar. */
      readonly server?: string;
    }
  /** A 3xx status; `location` is the target, absolute if it could be parsed. */
  | {
      readonly kind: "redirect";
      readonly status: number;
      readonly location?: string;
      /** The requested origin, to distinguish redirects within the origin from those to another. */
      readonly origin?: string;
      readonly requestId?: string;
    }
  /** An answer that cannot be read: an unexpected body with a success status, or a violation of HTTP or of a limit. */
  | {
      readonly kind: "unreadable";
      /** May be absent if the HTTP client or a limit ended the answer. */
      readonly status?: number;
      readonly bodyKind: BodyKind;
      readonly bodyStart?: string;
      readonly requestId?: string;
    }
  /** An error inside an answer with a success status. */
  | { readonly kind: "stream-error"; readonly error: ErrorBody; readonly requestId?: string }
  /** The service's content filter ended the answer. `explanation` is its own text, not redacted. */
  | {
      readonly kind: "filtered";
      readonly wireReason: string;
      readonly explanation?: string;
      readonly requestId?: string;
    }
  /** A stream that ended or broke before the end of the answer. */
  | { readonly kind: "interrupted"; readonly code?: string; readonly requestId?: string }
  /** The request failed before a status arrived. `code` is from Node or the HTTP client. */
  | {
      readonly kind: "network";
      readonly code: string;
      readonly host?: string;
      readonly detail?: string;
      /**
       * Milliseconds from a request for an answer to the break of its connection; absent if there was no connection.
       */
      readonly brokeAfterMs?: number;
    }
  | { readonly kind: "tls"; readonly code: string; readonly host?: string; readonly detail?: string }
  | { readonly kind: "proxy"; readonly code: string; readonly status?: number; readonly detail?: string }
  | {
      readonly kind: "timeout";
      readonly phase: "connect" | "headers" | "idle" | "total";
      readonly requestId?: string;
    }
  /** Rejected locally, before anything was sent. `keyHygiene.ts` finds `problem` and `mends`. */
  | {
      readonly kind: "key";
      readonly cause: "empty-key" | "malformed-key" | "not-a-key";
      /** The environment variable with the key, if any. */
      readonly variable?: string;
      readonly problem?: KeyProblem;
      readonly mends?: readonly KeyMend[];
      readonly store?: KeyStoreProblem;
      /** The connection of the answer, if another connection has taken its name since. */
      readonly replaced?: string;
    }
  /** The key is sealed to another origin. Both texts are from `client/key/keySeal.ts`. */
  | {
      readonly kind: "key-seal";
      readonly sealedTo: string;
      readonly refusedTo: string;
      /** The environment variable of the secret, if it is for another header than the key. */
      readonly variable?: string;
    }
  /** A header of the connection can't be sent. Rejected locally, before anything was sent. */
  | {
      readonly kind: "header";
      /** The header's name, or a position such as `#2`. */
      readonly header: string;
      readonly problem: HeaderProblem;
      /** The environment variable with its value, if any. */
      readonly variable?: string;
    }
  | {
      readonly kind: "address";
      readonly problem: AddressProblem;
      /** The base URL that the user probably meant, such as the same one with `https://`. */
      readonly suggestion?: string;
    }
  | { readonly kind: "cancelled" }
  | { readonly kind: "unknown"; readonly detail: string };

/** A failure whose cause is known without reading texts of the service. */
export type PlainFailure = Exclude<Failure, { kind: "refused" | "redirect" | "unreadable" | "stream-error" }>;

/** An error that carries a `Failure`. Its message contains no text of the service and no key. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The inference service call failed (${failure.kind}).`);
    this.name = "FailureError";
    this.failure = failure;
  }
}

/** The error of a request to a service: its failure without the key, and its cause. */
export class InferenceError extends FailureError {
  override readonly cause: Cause;

  constructor(failure: PlainFailure);
  constructor(failure: Failure, cause: Cause);
  constructor(failure: PlainFailure, cause: Cause = causeOfPlain(failure)) {
    super(failure);
    this.name = "InferenceError";
    this.cause = cause;
  }
}

/** Returns the cause of a failure without reading texts of the service. */
export function causeOfPlain(failure: PlainFailure): Cause {
  switch (failure.kind) {
    case "key":
      return failure.cause;
    case "key-seal":
      return "key-origin-mismatch";
    case "header":
      return "invalid-header";
    case "address":
      return failure.problem === "insecure" ? "insecure-address" : "wrong-host";
    case "filtered":
      return "content-filtered";
    case "interrupted":
    case "network":
    case "tls":
    case "proxy":
    case "timeout":
    case "cancelled":
    case "unknown":
      return failure.kind;
  }
}

/** Problems of a key before it is sent; `connection/setup/keyHygiene.ts` detects them. */

/** A correction made to a pasted key. */
export type KeyMend =
  | "blank-around"
  | "blank-inside"
  | "line-break"
  | "quotes"
  | "bearer"
  | "header-name"
  | "variable-name"
  | "json"
  | "invisible"
  | "label"
  | "markup"
  /** Text, a command or code around the key. */
  | "surroundings";

/** Why a pasted key cannot be used. */
export type KeyProblem =
  | "empty"
  /** Characters that headers do not allow, without a more specific problem. */
  | "not-ascii"
  | "url"
  /** An email address, with or without a password. */
  | "login"
  /** A JSON web token or session cookie, which is for a web console, not the API. */
  | "session-token"
  /** Dots, stars or an ellipsis replace characters. */
  | "masked"
  /** A user name with password, as in `Authorization: Basic`. */
  | "password"
  /** Two or more keys, none of them preferred. */
  | "several"
  /** A text without a clearly recognizable key. */
  | "prose";

/** Why a header of a connection can't be sent; `connection/setup/connectionHeaders.ts` detects it. */
export type HeaderProblem =
  /** The property `headers` has another type. */
  | "not-an-object"
  | "too-many"
  | "name"
  /** Requests set the header themselves, or HTTP or a login needs it. */
  | "reserved"
  | "duplicate"
  /** The value has a type that headers don't have. */
  | "value"
  | "characters"
  | "too-long"
  /** The settings would show the value, which looks like a secret. */
  | "secret"
  | "variable-name"
  | "variable-empty"
  | "variable-value"
  /** Too short to be removed from texts. */
  | "variable-short";

/** Why VS Code's secret storage did not return an expected key. */
export type KeyStoreProblem =
  /** Reading failed. */
  | "failing"
  /** The stored key no longer exists: the storage lost it or was cleared. */
  | "lost"
  /** The content differs from the stored key. */
  | "garbled";
