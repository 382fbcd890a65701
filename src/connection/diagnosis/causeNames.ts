import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../l10n.ts";

/** A cause in a few words, for tables; what it means and what to do is the diagnosis's. */
const names: Readonly<Record<Cause, (t: Translate) => string>> = {
  "empty-key": (t) => t("no key"),
  "malformed-key": (t) => t("key is malformed"),
  "not-a-key": (t) => t("not an API key"),
  "invalid-key": (t) => t("key is not accepted"),
  "revoked-key": (t) => t("key is revoked"),
  "expired-key": (t) => t("key has expired"),
  "budget-exhausted": (t) => t("budget is used up"),
  "model-not-allowed": (t) => t("model is not allowed"),
  "model-not-found": (t) => t("model does not exist"),
  "rate-limited": (t) => t("too many requests"),
  overloaded: (t) => t("service is overloaded"),
  "server-error": (t) => t("service failed"),
  "bad-request": (t) => t("request was rejected"),
  "context-length": (t) => t("conversation is too long"),
  "content-filtered": (t) => t("service declined to answer"),
  "wrong-host": (t) => t("wrong host"),
  "wrong-path": (t) => t("wrong path"),
  "not-an-api": (t) => t("not an inference API"),
  "insecure-address": (t) => t("address is not secure"),
  "key-origin-mismatch": (t) => t("key is for another address"),
  network: (t) => t("host cannot be reached"),
  proxy: (t) => t("proxy failed"),
  tls: (t) => t("no secure connection"),
  timeout: (t) => t("no answer in time"),
  interrupted: (t) => t("answer broke off"),
  cancelled: (t) => t("stopped"),
  unknown: (t) => t("unknown"),
};

export function nameOfCause(cause: Cause, t: Translate): string {
  return names[cause](t);
}
