import type { Translate } from "../../text/translate.ts";
import {
  describeAddressProblem,
  describeKeyMend,
  describeKeyProblem,
  describeKeyStoreProblem,
} from "../setup/inputTexts.ts";
import type { Facts } from "./diagnosisFacts.ts";

export function explainMovedVariable({ failure, context }: Facts, t: Translate): string | undefined {
  if (failure.kind !== "key-seal" || context.keyVariable === undefined) return undefined;
  return t(
    "The key of the variable {0} was used for {1} and was not sent to {2}. If the service has moved, allow it with Set API Key.",
    context.keyVariable,
    failure.sealedTo,
    failure.refusedTo,
  );
}

export function describeProblem(facts: Facts, t: Translate): string | undefined {
  const problem = facts.failure.kind === "key" ? facts.failure.problem : undefined;
  return problem === undefined ? undefined : describeKeyProblem(problem, t);
}

export function explainStore({ failure }: Facts, t: Translate): string | undefined {
  const store = failure.kind === "key" ? failure.store : undefined;
  return store === undefined ? undefined : describeKeyStoreProblem(store, t);
}

export function explainEmpty(facts: Facts, t: Translate): string {
  const { failure, context } = facts;
  const variable = (failure.kind === "key" ? failure.variable : undefined) ?? context.keyVariable;
  if (failure.kind === "key") {
    return variable === undefined
      ? t("No key is stored for this connection, so nothing was sent. Set the API key.")
      : t(
          "The variable {0} is not set or empty where the editor was started, so nothing was sent.",
          variable,
        );
  }
  return variable === undefined
    ? t(
        "The service found no key in the call. Set the API key again, and check that the address leads to the right host.",
      )
    : t(
        "The service found no key in the call. Check the variable {0}, and that the address leads to the right host.",
        variable,
      );
}

/** Sentences that say no and nothing more. */
const justNo =
  /^\W*(?:40[13]\W*)?(?:unauthori[sz]ed|not authori[sz]ed|forbidden|access denied|denied|authentication (?:failed|error|required)|permission denied)\W*$/i;

/** A deleted key looks like one that never was; a refusal without words could be any of five things. */
export function explainInvalid(facts: Facts, t: Translate): string {
  if (facts.line === undefined || justNo.test(facts.line)) {
    const suspicions = rankKeySuspicions(facts, t).join("; ");
    return t(
      "The service refused the key and did not say why. Check these, the likeliest first: {0}.",
      suspicions,
    );
  }
  if (facts.expired !== undefined) {
    return t(
      "The service does not know this key. Its expiry date {0} is past; create a new key and set it here.",
      facts.expired,
    );
  }
  const host = facts.host ?? t("The service");
  if (facts.context.keyHistory === "accepted") {
    return t(
      "{0} took this key earlier and now does not: it was revoked, or it has expired. Have it replaced, and set the new key.",
      host,
    );
  }
  if (facts.context.keyHistory === "new") {
    return t(
      "{0} does not know this key. Check that it was copied whole, and that it is a key for this host.",
      host,
    );
  }
  return facts.host === undefined
    ? t("The service does not know this key: it was revoked or mistyped, or belongs to another host.")
    : t(
        "{0} does not know this key: it was revoked or mistyped, or belongs to another host. Set the right key.",
        facts.host,
      );
}

/** What stands with the key in its variable; what is pasted is mended at once and never gets here. */
export function describeMends({ failure }: Facts, t: Translate): string | undefined {
  if (failure.kind !== "key" || failure.mends === undefined || failure.variable === undefined)
    return undefined;
  const list = failure.mends.map((mend) => describeKeyMend(mend, t)).join(", ");
  return t(
    "The variable {0} has more in it than the key: {1}. Nothing was sent; correct the variable.",
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
    ? t(
        "The server sends the call elsewhere; it was not followed, so that the key stays here. Check the base address.",
      )
    : t(
        "The server sends the call on to {0}; it was not followed, so that the key stays here. If that is your service, enter its address.",
        target,
      );
}

/** Named for what it is, where that can be told. */
export function explainPage(facts: Facts, t: Translate): string {
  switch (facts.pageKind) {
    case "sign-in":
      return t(
        "A login page answered instead of the API: a proxy or network wants you to sign in first, or the address is that of a console.",
      );
    case "blocked":
      return t(
        "A protection in front of the server blocked the call with a page. Trying again does not help; check the address, or ask whoever runs the service.",
      );
    case "gateway-error":
      return t(
        "A web server answered with an error page of its own, so the call did not reach the API. Check the base address.",
      );
    case "web-site":
      return t(
        "The address is that of a web site, not of the API. Check the base address; the API may be on another host.",
      );
    case undefined:
      return t(
        "The server's answer is not that of an inference API. Check the base address and the client style of the connection.",
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
        "The name {0} is not known. Check the spelling of the address, the network and the VPN.",
        host,
      );
    case "EAI_AGAIN":
    case "ERR_INTERNET_DISCONNECTED":
      return t("The name {0} could not be looked up. Check that you are online, and the VPN.", host);
    case "ECONNREFUSED":
    case "ERR_CONNECTION_REFUSED":
      return t("Nothing answers at {0}. Check the port, and that the server is running.", host);
    default:
      return t(
        "The connection to {0} did not hold. Check the network, the VPN and the proxy, then try again.",
        host,
      );
  }
}

export function explainTls(facts: Facts, t: Translate): string {
  const code = facts.failure.kind === "tls" ? facts.failure.code : "";
  if (facts.failure.kind === "refused") {
    return t("The address begins with http:// where the server wants https://. Change the base address.");
  }
  if (/NOT_YET_VALID|DATE_INVALID/.test(code)) {
    return t(
      "The server's certificate is not valid today. Check this machine's clock, then ask whoever runs the service.",
    );
  }
  if (code.includes("EXPIRED")) {
    return t(
      "The server's certificate has expired. Check this machine's clock; if it is right, whoever runs the service has to renew the certificate.",
    );
  }
  if (/ALTNAME|HOSTNAME|COMMON_NAME/.test(code)) {
    return t(
      "The server's certificate is for another name than {0}. Check the spelling of the address, and whether a proxy or VPN answers in its place.",
      facts.host ?? t("the service"),
    );
  }
  if (code.startsWith("DEPTH_ZERO")) {
    return t(
      "The server signed its certificate itself, so that nobody vouches for it. If it is your company's, add the certificate to this system's trusted certificates and restart the editor; else do not go on.",
    );
  }
  if (/SELF_SIGNED|UNABLE_TO|AUTHORITY|ISSUER|UNTRUSTED/.test(code)) {
    return t(
      "The server's certificate comes from an authority that is not trusted here, such as that of a company or of a proxy that reads along. Add the authority's certificate to this system's trusted certificates and restart the editor, or ask your administrator for it.",
    );
  }
  return t(
    "The server did not agree on a secure connection. Check the port, and whether the address should begin with http:// or https://.",
  );
}

export function explainUnknown({ failure, line, status }: Facts, t: Translate): string {
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

export function explainRejection({ isCapRefused, capLimit }: Facts, t: Translate): string {
  if (!isCapRefused)
    return t("The service does not take the request in this form. Another model may take it.");
  return capLimit === undefined
    ? t("The model does not write answers of this length. Lower inference.maxTokens.")
    : t("The model writes at most {0} tokens. Set inference.maxTokens to that or less.", capLimit);
}

/** A gateway looks at the model before the expiry, so a denial can hide an expired key. */
export function withExpiry(facts: Facts, explanation: string, t: Translate): string {
  return facts.expired === undefined
    ? explanation
    : `${explanation} ${t("The key's expiry date {0} is past as well.", facts.expired)}`;
}

export function explainServerError(facts: Facts, t: Translate): string {
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

export function explainTimeout(facts: Facts, t: Translate): string {
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

interface Suspicion {
  /** The higher, the likelier. */
  readonly weight: number;
  readonly text: string;
}

/**
 * The five things to check when authentication fails (specification, section 5.7), the likeliest
 * first by what is known here: blanks and empty keys are found before anything is sent, unless they
 * come in by a variable that changes behind our back.
 */
function rankKeySuspicions(facts: Facts, t: Translate): readonly string[] {
  const { keyVariable, expires, keyHistory } = facts.context;
  const host =
    facts.host === undefined
      ? t("the key belongs to another host")
      : t("the key belongs to another host than {0}", facts.host);
  const empty =
    keyVariable === undefined
      ? t("the key is empty")
      : t("the variable {0} is empty or holds another key", keyVariable);
  const suspicions: readonly Suspicion[] = [
    { weight: 50, text: t("the key was revoked") },
    expirySuspicion(facts, expires, t),
    { weight: hostWeights[keyHistory ?? "unknown"], text: host },
    { weight: emptyWeight(facts), text: empty },
    spaceSuspicion(facts, t),
  ];
  return suspicions.toSorted((one, other) => other.weight - one.weight).map((suspicion) => suspicion.text);
}

/** A key that was accepted here is of this host; one that is new may never have been. */
const hostWeights = { accepted: 4, unknown: 30, new: 70 } as const;

/** The variables of an editor do not change while it runs. */
function emptyWeight({ context }: Facts): number {
  if (context.keyVariable === undefined) return 2;
  return context.keyHistory === "accepted" ? 3 : 60;
}

/** Around a pasted key blanks are taken off, so that a new one is rather cut short. */
function spaceSuspicion({ context }: Facts, t: Translate): Suspicion {
  if (context.keyHistory === "new") {
    return { weight: 65, text: t("the key was not copied whole, or has a stray space in it") };
  }
  const weight = context.keyVariable === undefined || context.keyHistory === "accepted" ? 1 : 20;
  return { weight, text: t("the key has a stray space in it") };
}

function expirySuspicion(facts: Facts, expires: string | undefined, t: Translate): Suspicion {
  if (facts.expired !== undefined) return { weight: 100, text: t("the key expired on {0}", facts.expired) };
  return { weight: expires === undefined ? 40 : 5, text: t("the key has expired") };
}
