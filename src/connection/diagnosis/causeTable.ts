import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../text/translate.ts";
import type { DiagnosisActionId } from "./diagnosisActions.ts";
import {
  describeAddress,
  describeHeader,
  describeMends,
  describeProblem,
  explainEmpty,
  explainHost,
  explainInvalid,
  explainMovedVariable,
  explainNetwork,
  explainPage,
  explainRejection,
  explainReplaced,
  explainServerError,
  explainStore,
  explainTimeout,
  explainTls,
  explainUnknown,
  withExpiry,
} from "./explanations.ts";
import { durationText, type Facts } from "./diagnosisFacts.ts";

/** The words for a cause, the suggested actions, and further properties. */
interface CauseRow {
  /** A few words, for tables. */
  readonly name: (t: Translate) => string;
  /** Title and explanation of a diagnosis. */
  readonly words: (facts: Facts, t: Translate) => { readonly title: string; readonly explanation: string };
  /** The most promising action first. `diagnose` adds a link to the page about the cause at the end. */
  readonly actions: readonly DiagnosisActionId[];
  /** Whether the cause alone says little, so that the service's own words are needed. */
  readonly isVague: boolean;
  /** Whether the failure concerns a single request. Any other failure ends a verification. */
  readonly isOfOneRequest: boolean;
  /** Whether only the check's request may have failed, so that a chat may still work. */
  readonly mayStillChat: boolean;
}

/** The words, actions and properties of each cause. A new cause needs a row here and a page in `docs/causes`. */
export const causeTable: Readonly<Record<Cause, CauseRow>> = {
  "empty-key": {
    name: (t) => t("no key"),
    words: (facts, t) => {
      const replaced = explainReplaced(facts, t);
      return replaced === undefined
        ? { title: t("No API key"), explanation: explainStore(facts, t) ?? explainEmpty(facts, t) }
        : { title: t("The connection was replaced"), explanation: replaced };
    },
    actions: ["set-api-key", "edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "malformed-key": {
    name: (t) => t("key is malformed"),
    words: (facts, t) => ({
      title: t("The API key format is invalid"),
      explanation:
        describeMends(facts, t) ??
        describeProblem(facts, t) ??
        t(
          "The API key format is wrong for this service, or the key contains extra characters. Copy the whole key again.",
        ),
    }),
    actions: ["set-api-key", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "not-a-key": {
    name: (t) => t("not an API key"),
    words: (facts, t) => ({
      title: t("This is not an API key"),
      explanation:
        describeProblem(facts, t) ??
        t(
          "Account logins and console session tokens don't work as API keys. Create an API key in the service's console, and then run Set API Key.",
        ),
    }),
    actions: ["set-api-key"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "invalid-key": {
    name: (t) => t("key is not accepted"),
    words: (facts, t) => ({
      title: t("The service doesn't accept the API key"),
      explanation: explainInvalid(facts, t),
    }),
    actions: ["set-api-key", "edit-connection", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "revoked-key": {
    name: (t) => t("key is revoked"),
    words: (_facts, t) => ({
      title: t("The API key was revoked or blocked"),
      explanation: t("This API key was revoked or blocked. Request a new key, and then run Set API Key."),
    }),
    actions: ["set-api-key", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "expired-key": {
    name: (t) => t("key has expired"),
    words: (_facts, t) => ({
      title: t("The API key has expired"),
      explanation: t(
        "This API key has expired. Create a new key and run Set API Key, or extend the expired key at the service.",
      ),
    }),
    actions: ["set-api-key", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "budget-exhausted": {
    name: (t) => t("budget is used up"),
    words: (_facts, t) => ({
      title: t("The budget is used up"),
      explanation: t(
        "The budget of this API key or account is used up, so retrying won't help. Ask for a higher budget, or set another key.",
      ),
    }),
    actions: ["set-api-key", "select-model", "retry"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "model-not-allowed": {
    name: (t) => t("model is not allowed"),
    words: (facts, t) => ({
      title: t("The API key can't use this model"),
      explanation: withExpiry(
        facts,
        facts.context.model === undefined
          ? t(
              "This API key can't use the model. Select another model, or ask for the model to be added to the key.",
            )
          : t(
              "This API key can't use {0}. Select another model, or ask for the model to be added to the key.",
              facts.context.model,
            ),
        t,
      ),
    }),
    actions: ["select-model", "set-api-key"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "model-not-found": {
    name: (t) => t("model doesn't exist"),
    words: (facts, t) => ({
      title: t("The model doesn't exist"),
      explanation:
        facts.context.model === undefined
          ? t("The service has no model with this ID. Select another model.")
          : t("The service has no model named '{0}'. Select another model.", facts.context.model),
    }),
    actions: ["select-model", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: true,
  },
  "rate-limited": {
    name: (t) => t("too many requests"),
    words: (facts, t) => ({
      title: t("Too many requests"),
      explanation:
        facts.waitSeconds === undefined
          ? t("You reached the service's rate limit. Wait a moment and try again.")
          : t("You reached the service's rate limit. Try again in {0}.", durationText(facts.waitSeconds, t)),
    }),
    actions: ["retry", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  overloaded: {
    name: (t) => t("service is overloaded"),
    words: (facts, t) => ({
      title: t("The service is overloaded"),
      explanation:
        facts.waitSeconds === undefined
          ? t("The service or model is busy. Try again in a moment, or select another model.")
          : t(
              "The service or model is busy. Try again in {0}, or select another model.",
              durationText(facts.waitSeconds, t),
            ),
    }),
    actions: ["retry", "select-model", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "server-error": {
    name: (t) => t("service error"),
    words: (facts, t) => ({
      title: t("The service failed"),
      explanation: explainServerError(facts, t),
    }),
    actions: ["retry", "check-connection", "show-log"],
    isVague: true,
    isOfOneRequest: true,
    mayStillChat: true,
  },
  "bad-request": {
    name: (t) => t("request was rejected"),
    words: (facts, t) => ({
      title: t("The service rejected the request"),
      explanation: explainRejection(facts, t),
    }),
    actions: ["select-model", "retry", "show-log"],
    isVague: true,
    isOfOneRequest: true,
    mayStillChat: true,
  },
  "context-length": {
    name: (t) => t("conversation is too long"),
    words: (_facts, t) => ({
      title: t("The conversation is too long for the model"),
      explanation: t(
        "The conversation is too long for the model. Start a new chat, shorten your message, lower inference.maxTokens, or select another model.",
      ),
    }),
    actions: ["new-chat", "select-model"],
    isVague: false,
    isOfOneRequest: true,
    mayStillChat: false,
  },
  "content-filtered": {
    name: (t) => t("service declined to answer"),
    words: (_facts, t) => ({
      title: t("The service declined to answer"),
      explanation: t(
        "The service's content filter or the model itself declined this request. Rephrase it, or select another model.",
      ),
    }),
    actions: ["new-chat", "select-model"],
    isVague: true,
    isOfOneRequest: true,
    mayStillChat: false,
  },
  "wrong-host": {
    name: (t) => t("wrong host"),
    words: (facts, t) => ({
      title: t("The base URL has the wrong host"),
      explanation: explainHost(facts, t),
    }),
    actions: ["edit-connection", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "wrong-path": {
    name: (t) => t("wrong path"),
    words: (facts, t) => ({
      title: t("API not found at this base URL"),
      explanation:
        facts.host === undefined
          ? t(
              "The server doesn't have this endpoint. Check the base URL and the client style of the connection.",
            )
          : t(
              "{0} doesn't have this endpoint. Check the base URL and the client style of the connection.",
              facts.host,
            ),
    }),
    actions: ["edit-connection", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: true,
  },
  "not-an-api": {
    name: (t) => t("not an inference API"),
    words: (facts, t) =>
      facts.failure.kind === "unreadable" && facts.failure.bodyKind === "other-style"
        ? {
            title: t("The service answers in the other client style"),
            explanation: t(
              "The service accepted the request but answered in the other client style. Select the other client style for this connection.",
            ),
          }
        : { title: t("This isn't an inference API"), explanation: explainPage(facts, t) },
    actions: ["edit-connection", "check-connection", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "insecure-address": {
    name: (t) => t("connection is not encrypted"),
    words: (facts, t) => ({
      title: t("The connection is not encrypted"),
      explanation:
        describeAddress(facts, t) ??
        t("HTTP is not encrypted and could expose your API key, so nothing was sent. Use https."),
    }),
    actions: ["edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "key-origin-mismatch": {
    name: (t) => t("key is for a different host"),
    words: (facts, t) => ({
      title: t("The API key was stored for a different host"),
      explanation:
        explainMovedVariable(facts, t) ??
        (facts.failure.kind === "key-seal"
          ? t(
              "The API key was stored for {0} and was not sent to {1}. If the service has a new host, set the key again.",
              facts.failure.sealedTo,
              facts.failure.refusedTo,
            )
          : t(
              "The API key was stored for a different host and was not sent. If the service has a new host, set the key again.",
            )),
    }),
    actions: ["set-api-key", "edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "invalid-header": {
    name: (t) => t("header can't be sent"),
    words: (facts, t) => ({
      title: t("A header of the connection is invalid"),
      explanation: describeHeader(facts, t),
    }),
    actions: ["open-connections-setting", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  network: {
    name: (t) => t("host can't be reached"),
    words: (facts, t) => ({
      title: t("The service can't be reached"),
      explanation: explainNetwork(facts, t),
    }),
    actions: ["retry", "check-connection", "edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  proxy: {
    name: (t) => t("proxy failed"),
    words: (facts, t) => ({
      title: t("The proxy blocked the request"),
      explanation:
        facts.status === 407
          ? t(
              "The proxy requires sign-in. Set http.proxyAuthorization, set http.proxy to http://user:password@host, or ask your administrator.",
            )
          : t(
              "A proxy refused the request or failed. Check the http.proxy setting, or ask your administrator.",
            ),
    }),
    actions: ["check-connection", "retry", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  tls: {
    name: (t) => t("no secure connection"),
    words: (facts, t) => ({
      title: t("No secure connection"),
      explanation: explainTls(facts, t),
    }),
    actions: ["check-connection", "edit-connection", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  timeout: {
    name: (t) => t("no answer in time"),
    words: (facts, t) => ({
      title: t("No answer in time"),
      explanation: explainTimeout(facts, t),
    }),
    actions: ["retry", "check-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  interrupted: {
    name: (t) => t("answer was cut off"),
    words: (_facts, t) => ({
      title: t("The answer was cut off"),
      explanation: t(
        "The network connection closed before the answer was complete. Select Retry to ask again.",
      ),
    }),
    actions: ["retry", "check-connection"],
    isVague: false,
    isOfOneRequest: true,
    mayStillChat: false,
  },
  cancelled: {
    name: (t) => t("stopped"),
    words: (_facts, t) => ({
      title: t("Stopped"),
      explanation: t("You stopped the answer."),
    }),
    actions: ["retry"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  unknown: {
    name: (t) => t("unknown"),
    words: (facts, t) => ({
      title: t("The request failed"),
      explanation: explainUnknown(facts, t),
    }),
    actions: ["retry", "check-connection", "show-log"],
    isVague: true,
    isOfOneRequest: true,
    mayStillChat: true,
  },
};
