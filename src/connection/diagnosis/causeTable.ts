import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../text/translate.ts";
import type { DiagnosisActionId } from "./diagnosisActions.ts";
import {
  describeAddress,
  describeMends,
  describeProblem,
  explainEmpty,
  explainHost,
  explainInvalid,
  explainMovedVariable,
  explainNetwork,
  explainPage,
  explainRejection,
  explainServerError,
  explainStore,
  explainTimeout,
  explainTls,
  explainUnknown,
  withExpiry,
} from "./explanations.ts";
import { durationText, type Facts } from "./diagnosisFacts.ts";

/** What a cause means to a person: its words, what to do about it, and what follows from it. */
interface CauseRow {
  /** A few words, for tables. */
  readonly name: (t: Translate) => string;
  /** Title and explanation of a diagnosis. */
  readonly words: (facts: Facts, t: Translate) => { readonly title: string; readonly explanation: string };
  /** The most promising first; behind them all comes the page about the cause. */
  readonly actions: readonly DiagnosisActionId[];
  /** It says little without the service's own words. */
  readonly isVague: boolean;
  /** It speaks of one request only; any other ends the probing of a model. */
  readonly isOfOneRequest: boolean;
  /** It may lie in the request that the check made, so that a chat may get an answer nevertheless. */
  readonly mayStillChat: boolean;
}

/** All that is said and done about each cause. A new one gets a row here, and a page in `docs/causes`. */
export const causeTable: Readonly<Record<Cause, CauseRow>> = {
  "empty-key": {
    name: (t) => t("no key"),
    words: (facts, t) => ({
      title: t("No API key"),
      explanation: explainStore(facts, t) ?? explainEmpty(facts, t),
    }),
    actions: ["set-api-key", "edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "malformed-key": {
    name: (t) => t("key is malformed"),
    words: (facts, t) => ({
      title: t("The API key has the wrong form"),
      explanation:
        describeMends(facts, t) ??
        describeProblem(facts, t) ??
        t(
          "The service expects a key of another form, or the key has characters in it that do not belong. Copy the whole key again.",
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
          "Account logins and session tokens of a console are not accepted as API keys. Create a key at the service and set it here.",
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
      title: t("The service does not accept the API key"),
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
      explanation: t(
        "The service knows this key and no longer takes it. Ask for a replacement and set it here.",
      ),
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
        "The service no longer takes this key. Create a new one, or have its expiry moved, and set it here.",
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
        "The budget of this key, or the credit of its account, is spent, so trying again does not help. Have it raised, or set another key.",
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
      title: t("The API key may not use this model"),
      explanation: withExpiry(
        facts,
        facts.context.model === undefined
          ? t(
              "The model is not on the key's list of allowed models. Select another model, or have it added to the key.",
            )
          : t(
              "{0} is not on the key's list of allowed models. Select another model, or have it added to the key.",
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
    name: (t) => t("model does not exist"),
    words: (facts, t) => ({
      title: t("The model does not exist"),
      explanation:
        facts.context.model === undefined
          ? t("The service has no model of this name. Select one from its list.")
          : t("The service has no model named {0}. Select one from its list.", facts.context.model),
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
          ? t("The service limits how much may be asked in a time. Wait a moment and try again.")
          : t(
              "The service limits how much may be asked in a time. It asks to wait {0}; then try again.",
              durationText(facts.waitSeconds, t),
            ),
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
          ? t(
              "The service, or the model, has no room for this request right now. Try again in a moment, or select another model.",
            )
          : t(
              "The service, or the model, has no room for this request right now. It asks to wait {0}; then try again, or select another model.",
              durationText(facts.waitSeconds, t),
            ),
    }),
    actions: ["retry", "select-model", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "server-error": {
    name: (t) => t("service failed"),
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
        "Question, history and answer together exceed what the model can take in. Start a new chat, shorten the message, lower inference.maxTokens, or select another model.",
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
        "A content filter of the service, or the model itself, refused this request. Put it differently, or select another model.",
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
      title: t("The address leads to another host"),
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
      title: t("The API is not at this address"),
      explanation:
        facts.host === undefined
          ? t(
              "The server has no such endpoint. Check the base address and the client style of the connection.",
            )
          : t(
              "{0} answers, but has no such endpoint. Check the base address and the client style of the connection.",
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
              "It took the request, and answered as the other client style does. Select the other client style for this connection.",
            ),
          }
        : { title: t("This is not an inference API"), explanation: explainPage(facts, t) },
    actions: ["edit-connection", "check-connection", "show-log"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "insecure-address": {
    name: (t) => t("address is not secure"),
    words: (facts, t) => ({
      title: t("The address is not secure"),
      explanation:
        describeAddress(facts, t) ??
        t("With http the key could be read on the way, so nothing was sent. Use https."),
    }),
    actions: ["edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  "key-origin-mismatch": {
    name: (t) => t("key is for another address"),
    words: (facts, t) => ({
      title: t("The API key belongs to another address"),
      explanation:
        explainMovedVariable(facts, t) ??
        (facts.failure.kind === "key-seal"
          ? t(
              "The key was stored for {0} and was not sent to {1}. If the service has moved, set the key again.",
              facts.failure.sealedTo,
              facts.failure.refusedTo,
            )
          : t(
              "The key was stored for another address and was not sent. If the service has moved, set the key again.",
            )),
    }),
    actions: ["set-api-key", "edit-connection"],
    isVague: false,
    isOfOneRequest: false,
    mayStillChat: false,
  },
  network: {
    name: (t) => t("host cannot be reached"),
    words: (facts, t) => ({
      title: t("The service cannot be reached"),
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
      title: t("The proxy did not let the call through"),
      explanation:
        facts.status === 407
          ? t(
              "The proxy asks for a login. Set it in the editor's setting http.proxyAuthorization, or in http.proxy as http://user:password@host, or ask your administrator.",
            )
          : t(
              "A proxy between here and the service refused or failed. Check the editor's setting http.proxy, or ask your administrator.",
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
    name: (t) => t("answer broke off"),
    words: (_facts, t) => ({
      title: t("The answer broke off"),
      explanation: t(
        "The connection ended before the answer did, so what is shown is incomplete. Retry to ask again.",
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
      title: t("The call failed"),
      explanation: explainUnknown(facts, t),
    }),
    actions: ["retry", "check-connection", "show-log"],
    isVague: true,
    isOfOneRequest: true,
    mayStillChat: true,
  },
};
