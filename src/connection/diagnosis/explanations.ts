import type { Translate } from "../../text/translate.ts";
import {
  describeAddressProblem,
  describeHeaderProblem,
  describeKeyMend,
  describeKeyProblem,
  describeKeyStoreProblem,
} from "../setup/inputTexts.ts";
import type { Facts } from "./diagnosisFacts.ts";

export function explainMovedVariable({ failure, context }: Facts, t: Translate): string | undefined {
  if (failure.kind !== "key-seal") return undefined;
  const variable = failure.variable ?? context.keyVariable;
  if (variable === undefined) return undefined;
  return t(
    "Until now, the key in the environment variable {0} was sent to {1}. The base URL now points to {2}, so nothing was sent. If the service has a new host, run Set API Key to allow that host.",
    variable,
    failure.sealedTo,
    failure.refusedTo,
  );
}

export function describeHeader({ failure }: Facts, t: Translate): string {
  if (failure.kind !== "header") return t("A header of the connection can't be sent, so nothing was sent.");
  const { problem, header, variable } = failure;
  return `${describeHeaderProblem(problem, header, variable, t)} ${t("Nothing was sent.")}`;
}

export function describeProblem(facts: Facts, t: Translate): string | undefined {
  const problem = facts.failure.kind === "key" ? facts.failure.problem : undefined;
  return problem === undefined ? undefined : describeKeyProblem(problem, t);
}

export function explainStore({ failure }: Facts, t: Translate): string | undefined {
  const store = failure.kind === "key" ? failure.store : undefined;
  return store === undefined ? undefined : describeKeyStoreProblem(store, t);
}

/** Explains that another connection has taken the name of the answer's connection. Undefined for other failures. */
export function explainReplaced({ failure }: Facts, t: Translate): string | undefined {
  return failure.kind !== "key" || failure.replaced === undefined
    ? undefined
    : t(
        "The answer ended because another connection now has the name '{0}'. To ask this connection, retry the answer.",
        failure.replaced,
      );
}

export function explainEmpty(facts: Facts, t: Translate): string {
  const { failure, context } = facts;
  const variable = (failure.kind === "key" ? failure.variable : undefined) ?? context.keyVariable;
  if (failure.kind === "key") {
    return variable === undefined
      ? t("No API key is stored for this connection, so nothing was sent. Set the API key.")
      : t(
          "The environment variable {0} was empty or not set when VS Code started, so nothing was sent. Set the variable and restart VS Code.",
          variable,
        );
  }
  return variable === undefined
    ? t(
        "The service received no API key. Set the API key again and check that the base URL has the right host.",
      )
    : t(
        "The service received no API key. Check the environment variable {0} and that the base URL has the right host.",
        variable,
      );
}

/** Matches messages that refuse without a reason. */
const justNo =
  /^\W*(?:40[13]\W*)?(?:unauthori[sz]ed|not authori[sz]ed|forbidden|access denied|denied|authentication (?:failed|error|required)|permission denied)\W*$/i;

/** A deleted key looks like a key that never existed. A refusal without a reason has five possible causes. */
export function explainInvalid(facts: Facts, t: Translate): string {
  if (facts.line === undefined || justNo.test(facts.line)) {
    const suspicions = rankKeySuspicions(facts, t).join("; ");
    return t(
      "The service refused the API key and gave no reason. Possible causes, most likely first: {0}.",
      suspicions,
    );
  }
  if (facts.expired !== undefined) {
    return t(
      "The service doesn't recognize this API key, which expired on {0}. Create a new key, and then run Set API Key.",
      facts.expired,
    );
  }
  const host = facts.host ?? t("The service");
  if (facts.context.keyHistory === "accepted") {
    return t(
      "{0} no longer accepts this API key. It was revoked or has expired. Get a new key, and then run Set API Key.",
      host,
    );
  }
  if (facts.context.keyHistory === "new") {
    return t(
      "{0} doesn't recognize this API key. Check that you copied all of it and that it is for this host.",
      host,
    );
  }
  return facts.host === undefined
    ? t("The service doesn't recognize this API key. It may be revoked, mistyped, or for a different host.")
    : t(
        "{0} doesn't recognize this API key. It may be revoked, mistyped, or for a different host. Set the right key.",
        facts.host,
      );
}

/** Describes extra text in the key's environment variable. Pasted keys are corrected when they are entered. */
export function describeMends({ failure }: Facts, t: Translate): string | undefined {
  if (failure.kind !== "key" || failure.mends === undefined || failure.variable === undefined)
    return undefined;
  const list = failure.mends.map((mend) => describeKeyMend(mend, t)).join(", ");
  return t(
    "The environment variable {0} contains more than the API key: {1}. Nothing was sent. Correct the variable.",
    failure.variable,
    list,
  );
}

export function describeAddress(facts: Facts, t: Translate): string | undefined {
  if (facts.failure.kind !== "address") return undefined;
  return describeAddressProblem(facts.failure.problem, facts.failure.suggestion, t);
}

export function explainHost(facts: Facts, t: Translate): string {
  const described = describeAddress(facts, t);
  if (described !== undefined) return described;
  const target =
    facts.failure.kind === "redirect" ? URL.parse(facts.failure.location ?? "")?.host : undefined;
  return target === undefined
    ? t("To protect your key, the server's redirect was not followed. Check the base URL.")
    : t(
        "To protect your key, the redirect to {0} was not followed. If this host belongs to your service, use it in the base URL.",
        target,
      );
}

/** Explains the page by its kind, if the kind is known. */
export function explainPage(facts: Facts, t: Translate): string {
  switch (facts.pageKind) {
    case "sign-in":
      return t(
        "The server returned a sign-in page instead of an API response. Sign in to your proxy or network, or check the base URL.",
      );
    case "blocked":
      return t(
        "A web firewall in front of the server blocked the request. Retrying won't help. Check the base URL, or contact the service's support.",
      );
    case "gateway-error":
      return t(
        "The web server returned its own error page, so the request didn't reach the API. Check the base URL.",
      );
    case "web-site":
      return t(
        "This base URL is a website, not the API. Check the base URL. The API might be on a different host.",
      );
    case undefined:
      return t(
        "The response isn't from an inference API. Check the base URL and the client style of the connection.",
      );
  }
}

export function explainNetwork(facts: Facts, t: Translate): string {
  const host =
    facts.host ?? (facts.failure.kind === "network" ? facts.failure.host : undefined) ?? t("the service");
  switch (facts.failure.kind === "network" ? facts.failure.code : "") {
    case "ENOTFOUND":
    case "ERR_NAME_NOT_RESOLVED":
      return t(
        "The host {0} was not found. Check the spelling of the base URL, your network, and your VPN.",
        host,
      );
    case "EAI_AGAIN":
    case "ERR_INTERNET_DISCONNECTED":
      return t("Couldn't look up {0}. Check that you are online and that your VPN is connected.", host);
    case "ECONNREFUSED":
    case "ERR_CONNECTION_REFUSED":
      return t("{0} refused the connection. Check the port and that the server is running.", host);
    default:
      return t(
        "The connection to {0} was lost. Check your network, VPN, and proxy, and then try again.",
        host,
      );
  }
}

export function explainTls(facts: Facts, t: Translate): string {
  const code = facts.failure.kind === "tls" ? facts.failure.code : "";
  if (facts.failure.kind === "refused") {
    return t("The base URL starts with http:// but the server requires https://. Change the base URL.");
  }
  if (/NOT_YET_VALID|DATE_INVALID/.test(code)) {
    return t(
      "The server's certificate isn't valid today. Check your computer's clock. If it is right, contact the service's support.",
    );
  }
  if (code.includes("EXPIRED")) {
    return t(
      "The server's certificate has expired. Check your computer's clock. If it is right, the service must renew the certificate.",
    );
  }
  if (/ALTNAME|HOSTNAME|COMMON_NAME/.test(code)) {
    return t(
      "The server's certificate isn't valid for {0}. Check the base URL. A proxy or VPN might be answering instead of the service.",
      facts.host ?? t("the service"),
    );
  }
  if (code.startsWith("DEPTH_ZERO")) {
    return t(
      "The server's certificate is self-signed. If it is your company's, add it to your system's trusted certificates and restart VS Code. Otherwise, don't continue.",
    );
  }
  if (/SELF_SIGNED|UNABLE_TO|AUTHORITY|ISSUER|UNTRUSTED/.test(code)) {
    return t(
      "Your computer doesn't trust the issuer of the server's certificate, which might be your company or its proxy. Ask your administrator, or add the issuer's certificate to your system's trusted certificates and restart VS Code.",
    );
  }
  return t(
    "Couldn't establish a secure connection. Check the port, and whether the URL should start with http:// or https://.",
  );
}

export function explainUnknown({ failure, line, status }: Facts, t: Translate): string {
  if (failure.kind === "refused" && line !== undefined)
    return t(
      "The service refused the request for a reason that Inference Chat doesn't recognize. Contact the service's support.",
    );
  return status === 403
    ? t(
        "The service refused the request and gave no reason. Check the API key, model, and base URL, or contact the service's support.",
      )
    : t("The response couldn't be read. Try again, or run Check Connection to see which step fails.");
}

export function explainRejection({ isCapRefused, capLimit }: Facts, t: Translate): string {
  if (!isCapRefused) return t("The service doesn't accept this kind of request. Try another model.");
  return capLimit === undefined
    ? t("inference.maxTokens is too high for this model. Set a lower value.")
    : t("The model can write up to {0} tokens. Set inference.maxTokens to this number or less.", capLimit);
}

/** A gateway checks the model before the expiration date, so a denied model can hide an expired key. */
export function withExpiry(facts: Facts, explanation: string, t: Translate): string {
  return facts.expired === undefined
    ? explanation
    : `${explanation} ${t("Also, the expiration date of the key ({0}) has passed.", facts.expired)}`;
}

export function explainServerError(facts: Facts, t: Translate): string {
  const tooLarge = facts.failure.kind === "unreadable" ? facts.failure.bodyKind : undefined;
  if (tooLarge === "large-headers") {
    return t(
      "The response headers are too large for an API, so the response wasn't read. Check the base URL, or contact the service's support.",
    );
  }
  if (tooLarge === "too-large") {
    return t(
      "The response was too large and was cut off. Try again. If this keeps happening, report the time, model, and request ID to the service's support.",
    );
  }
  return namesProviderKey(facts)
    ? t("The model provider refused the service's own key. Your key is fine. Contact the service's support.")
    : t(
        "The service had an internal error. If it happens again when you retry, report the time, model, and request ID to the service's support.",
      );
}

function namesProviderKey(facts: Facts): boolean {
  return /\bkey\b|authentication|credential|unauthori[sz]ed/i.test(facts.error.message ?? "");
}

export function explainTimeout(facts: Facts, t: Translate): string {
  const host = facts.host ?? t("the service");
  const phase = facts.failure.kind === "timeout" ? facts.failure.phase : "headers";
  switch (phase) {
    case "connect":
      return t("Couldn't connect to {0} in time. Check your network, your VPN, and the base URL.", host);
    case "headers":
      return t(
        "The request was sent, but {0} didn't answer in time. Try again, or select a faster model.",
        host,
      );
    case "total":
      return t("The answer from {0} wasn't complete in time. Try again, or select a faster model.", host);
    case "idle":
      return t(
        "The answer from {0} stopped arriving. The part you received is kept. Select Retry to ask again.",
        host,
      );
  }
}

interface Suspicion {
  /** A higher weight means a more likely cause. */
  readonly weight: number;
  readonly text: string;
}

/**
 * Lists the five things to check when authentication fails (specification, section 5.7), the most likely one first.
 * Spaces and empty keys are usually found before a request. Only a key in an environment variable may still have them,
 * because the variable can change outside of VS Code.
 */
function rankKeySuspicions(facts: Facts, t: Translate): readonly string[] {
  const { keyVariable, expires, keyHistory } = facts.context;
  const host =
    facts.host === undefined
      ? t("the key is for a different host")
      : t("the key is for a different host than {0}", facts.host);
  const empty =
    keyVariable === undefined
      ? t("the key is empty")
      : t("the environment variable {0} is empty or contains another key", keyVariable);
  const suspicions: readonly Suspicion[] = [
    { weight: 50, text: t("the key was revoked") },
    expirySuspicion(facts, expires, t),
    { weight: hostWeights[keyHistory ?? "unknown"], text: host },
    { weight: emptyWeight(facts), text: empty },
    spaceSuspicion(facts, t),
  ];
  return suspicions.toSorted((one, other) => other.weight - one.weight).map((suspicion) => suspicion.text);
}

/** A key that the service accepted belongs to this host. A new key may belong to another host. */
const hostWeights = { accepted: 4, unknown: 30, new: 70 } as const;

/** Environment variables do not change while VS Code is running, so an accepted key is still the same. */
function emptyWeight({ context }: Facts): number {
  if (context.keyVariable === undefined) return 2;
  return context.keyHistory === "accepted" ? 3 : 60;
}

/** Spaces around a pasted key are removed, so a new key is more likely incomplete. */
function spaceSuspicion({ context }: Facts, t: Translate): Suspicion {
  if (context.keyHistory === "new") {
    return { weight: 65, text: t("the key is incomplete or contains an extra space") };
  }
  const weight = context.keyVariable === undefined || context.keyHistory === "accepted" ? 1 : 20;
  return { weight, text: t("the key contains an extra space") };
}

function expirySuspicion(facts: Facts, expires: string | undefined, t: Translate): Suspicion {
  if (facts.expired !== undefined) return { weight: 100, text: t("the key expired on {0}", facts.expired) };
  return { weight: expires === undefined ? 40 : 5, text: t("the key has expired") };
}
