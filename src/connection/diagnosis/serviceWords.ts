import type { Translate } from "../../l10n.ts";
import type { Facts } from "./diagnosisFacts.ts";
import { durationText } from "./durationText.ts";

/** Words for causes that lie in the service, the model or the request. */
export const serviceWords = {
  "model-not-allowed": (facts: Facts, t: Translate) => ({
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
  "model-not-found": (facts: Facts, t: Translate) => ({
    title: t("The model does not exist"),
    explanation:
      facts.context.model === undefined
        ? t("The service has no model of this name. Select one from its list.")
        : t("The service has no model named {0}. Select one from its list.", facts.context.model),
  }),
  "rate-limited": (facts: Facts, t: Translate) => ({
    title: t("Too many requests"),
    explanation:
      facts.waitSeconds === undefined
        ? t("The service limits how much may be asked in a time. Wait a moment and try again.")
        : t(
            "The service limits how much may be asked in a time. It asks to wait {0}; then try again.",
            durationText(facts.waitSeconds, t),
          ),
  }),
  overloaded: (facts: Facts, t: Translate) => ({
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
  "server-error": (facts: Facts, t: Translate) => ({
    title: t("The service failed"),
    explanation: explainServerError(facts, t),
  }),
  "bad-request": (facts: Facts, t: Translate) => ({
    title: t("The service rejected the request"),
    explanation: explainRejection(facts, t),
  }),
  "context-length": (_facts: Facts, t: Translate) => ({
    title: t("The conversation is too long for the model"),
    explanation: t(
      "Question, history and answer together exceed what the model can take in. Start a new chat, shorten the message, lower inference.maxTokens, or select another model.",
    ),
  }),
  "content-filtered": (_facts: Facts, t: Translate) => ({
    title: t("The service declined to answer"),
    explanation: t(
      "A content filter of the service, or the model itself, refused this request. Put it differently, or select another model.",
    ),
  }),
  timeout: (facts: Facts, t: Translate) => ({
    title: t("No answer in time"),
    explanation: explainTimeout(facts, t),
  }),
  interrupted: (_facts: Facts, t: Translate) => ({
    title: t("The answer broke off"),
    explanation: t(
      "The connection ended before the answer did, so what is shown is incomplete. Retry to ask again.",
    ),
  }),
  cancelled: (_facts: Facts, t: Translate) => ({
    title: t("Stopped"),
    explanation: t("You stopped the answer."),
  }),
  unknown: (facts: Facts, t: Translate) => ({
    title: t("The call failed"),
    explanation: explainUnknown(facts, t),
  }),
};

function explainUnknown({ failure, line, status }: Facts, t: Translate): string {
  if (failure.kind === "refused" && line !== undefined)
    return t("The service refused the call for a reason of its own. Ask whoever runs it.");
  return status === 403
    ? t(
        "The service refused the call and did not say why. Check the key, the model and the address, or ask whoever runs the service.",
      )
    : t(
        "The service answered in a way that cannot be read further. Try again; Check Connection shows which step fails.",
      );
}

function explainRejection({ isCapRefused, capLimit }: Facts, t: Translate): string {
  if (!isCapRefused)
    return t("The service does not take the request in this form. Another model may take it.");
  return capLimit === undefined
    ? t("The model does not write answers of this length. Lower inference.maxTokens.")
    : t("The model writes at most {0} tokens. Set inference.maxTokens to that or less.", capLimit);
}

/** A gateway looks at the model before the expiry, so a denial can hide an expired key. */
function withExpiry(facts: Facts, explanation: string, t: Translate): string {
  return facts.expired === undefined
    ? explanation
    : `${explanation} ${t("The key's expiry date {0} is past as well.", facts.expired)}`;
}

function explainServerError(facts: Facts, t: Translate): string {
  const tooLarge = facts.failure.kind === "unreadable" ? facts.failure.bodyKind : undefined;
  if (tooLarge === "large-headers") {
    return t(
      "The headers of its answer are larger than any API's, so the answer was not read. Check the base address, or tell whoever runs the service.",
    );
  }
  if (tooLarge === "too-large") {
    return t(
      "It sent more than an answer can hold, so the rest was not read. Try again; if it stays so, report it with the time, the model and the request ID.",
    );
  }
  return namesProviderKey(facts)
    ? t(
        "The gateway could not sign in to the model's provider with its own key. Yours is not the cause; tell whoever runs the service.",
      )
    : t(
        "Something went wrong at the service, not here. Try again; if it stays so, report it with the time, the model and the request ID.",
      );
}

function namesProviderKey(facts: Facts): boolean {
  return /\bkey\b|authentication|credential|unauthori[sz]ed/i.test(facts.error.message ?? "");
}

function explainTimeout(facts: Facts, t: Translate): string {
  const host = facts.host ?? t("the service");
  const phase = facts.failure.kind === "timeout" ? facts.failure.phase : "headers";
  switch (phase) {
    case "connect":
      return t("No connection to {0} came about in time. Check the network, the VPN and the address.", host);
    case "headers":
      return t(
        "The request was sent, but no answer came from {0} in time. Try again, or select a faster model.",
        host,
      );
    case "total":
      return t(
        "{0} kept the connection open but did not finish in time. Try again, or select a faster model.",
        host,
      );
    case "idle":
      return t("The answer from {0} stopped arriving. What came is kept; retry to ask again.", host);
  }
}
