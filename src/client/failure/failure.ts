import type { Cause } from "./cause.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";

/** Why a text is no address of a service. */
export type AddressProblem =
  | "empty"
  /** `suggestion` is the address with the scheme it needs. */
  | "no-scheme"
  | "other-scheme"
  | "not-an-address"
  | "credentials"
  | "query"
  | "insecure";

/**
 * What a body is, when it is not the JSON of an API. `event`: an event of a stream that is not JSON;
 * `malformed`: what breaks the rules of HTTP, or of the coding that it says it has; `other-style`: an answer of the
 * client style that was not asked in.
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
 * Why a call failed: facts only, no words for people and no key. `causeOf.ts` names the cause,
 * `connection/diagnosis/diagnosis.ts` says it in words. Texts in it are the server's, unredacted.
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
      /** What the server says of another try (`x-should-retry`), where it does. */
      readonly shouldRetry?: boolean;
      /** The `server` header and the like: who answered. */
      readonly server?: string;
    }
  /** A 3xx; `location` is where it wanted to go, as an absolute URL where it could be read. */
  | {
      readonly kind: "redirect";
      readonly status: number;
      readonly location?: string;
      /** Origin that was asked, to tell a move within it from a move to another host. */
      readonly origin?: string;
      readonly requestId?: string;
    }
  /** A success status whose body is not what the endpoint promises. */
  | {
      readonly kind: "unreadable";
      /** Absent where the headers were too large to be read. */
      readonly status?: number;
      readonly bodyKind: BodyKind;
      readonly bodyStart?: string;
      readonly requestId?: string;
    }
  /** An error inside an answer that had begun with a success status. */
  | { readonly kind: "stream-error"; readonly error: ErrorBody; readonly requestId?: string }
  /** The answer ended because the service would not go on; `explanation` is its own, unredacted. */
  | {
      readonly kind: "filtered";
      readonly wireReason: string;
      readonly explanation?: string;
      readonly requestId?: string;
    }
  /** A stream that ended, or broke, without its end. */
  | { readonly kind: "interrupted"; readonly code?: string; readonly requestId?: string }
  /** No answer: the call failed before a status. `code` as Node or the client names it. */
  | {
      readonly kind: "network";
      readonly code: string;
      readonly host?: string;
      readonly detail?: string;
      /** Milliseconds from a request for an answer to the break of its connection; absent where none had come about. */
      readonly brokeAfterMs?: number;
    }
  | { readonly kind: "tls"; readonly code: string; readonly host?: string; readonly detail?: string }
  | { readonly kind: "proxy"; readonly code: string; readonly status?: number; readonly detail?: string }
  | {
      readonly kind: "timeout";
      readonly phase: "connect" | "headers" | "idle" | "total";
      readonly requestId?: string;
    }
  /** Refused here, before anything was sent; `problem` and `mends` as `keyHygiene.ts` names them. */
  | {
      readonly kind: "key";
      readonly cause: "empty-key" | "malformed-key" | "not-a-key";
      /** The environment variable that holds the key, where one does. */
      readonly variable?: string;
      readonly problem?: KeyProblem;
      readonly mends?: readonly KeyMend[];
      readonly store?: KeyStoreProblem;
    }
  /** The key is sealed to another place, as `client/key/keySeal.ts` words both. */
  | { readonly kind: "key-seal"; readonly sealedTo: string; readonly refusedTo: string }
  | {
      readonly kind: "address";
      readonly problem: AddressProblem;
      /** What the user probably meant, such as the same address with `https://`. */
      readonly suggestion?: string;
    }
  | { readonly kind: "cancelled" }
  | { readonly kind: "unknown"; readonly detail: string };

/** A failure that says its cause without a word of a server. */
export type PlainFailure = Exclude<Failure, { kind: "refused" | "redirect" | "unreadable" | "stream-error" }>;

/** Carries a `Failure` through throw and catch. Its message holds no text of a server and no key. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The inference service call failed (${failure.kind}).`);
    this.name = "FailureError";
    this.failure = failure;
  }
}

/** What a call to a service throws: its failure, without the key, and the cause of it. */
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

/** The cause of a failure that no server has worded. */
export function causeOfPlain(failure: PlainFailure): Cause {
  switch (failure.kind) {
    case "key":
      return failure.cause;
    case "key-seal":
      return "key-origin-mismatch";
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

/** What can be wrong with a key before it is sent; `connection/setup/keyHygiene.ts` finds it. */

/** What was taken off a pasted key. */
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
  /** Words, a command or code before or after it. */
  | "surroundings";

/** Why nothing can be made of a pasted key. */
export type KeyProblem =
  | "empty"
  /** Characters that no header can carry, and that no rule here explains. */
  | "not-ascii"
  | "url"
  /** An e-mail address, with or without a password. */
  | "login"
  /** A JSON web token or a session cookie: a console's, not the API's. */
  | "session-token"
  /** Dots, stars or an ellipsis in the place of characters. */
  | "masked"
  /** A user name and its password, as `Authorization: Basic` carries them. */
  | "password"
  /** Two keys or more, of which none is chosen. */
  | "several"
  /** A text in which no key is certain. */
  | "prose";

/** Why the editor's secret store gave no key where there should be one. */
export type KeyStoreProblem =
  /** It could not be read. */
  | "failing"
  /** It was given a key before and has none now: it forgets, or was cleared. */
  | "lost"
  /** What it holds is not what was stored. */
  | "garbled";
