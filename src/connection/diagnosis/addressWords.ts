import type { Translate } from "../../l10n.ts";
import type { Facts } from "./diagnosisFacts.ts";
import { describeAddressProblem } from "../setup/inputTexts.ts";

/** Words for causes that lie in the address, or on the way to it. */
export const addressWords = {
  "wrong-host": (facts: Facts, t: Translate) => ({
    title: t("The address leads to another host"),
    explanation: explainHost(facts, t),
  }),
  "wrong-path": (facts: Facts, t: Translate) => ({
    title: t("The API is not at this address"),
    explanation:
      facts.host === undefined
        ? t("The server has no such endpoint. Check the base address and the client style of the connection.")
        : t(
            "{0} answers, but has no such endpoint. Check the base address and the client style of the connection.",
            facts.host,
          ),
  }),
  "not-an-api": (facts: Facts, t: Translate) =>
    facts.failure.kind === "unreadable" && facts.failure.bodyKind === "other-style"
      ? {
          title: t("The service answers in the other client style"),
          explanation: t(
            "It took the request, and answered as the other client style does. Select the other client style for this connection.",
          ),
        }
      : { title: t("This is not an inference API"), explanation: explainPage(facts, t) },
  "insecure-address": (facts: Facts, t: Translate) => ({
    title: t("The address is not secure"),
    explanation:
      describeAddress(facts, t) ??
      t("With http the key could be read on the way, so nothing was sent. Use https."),
  }),
  network: (facts: Facts, t: Translate) => ({
    title: t("The service cannot be reached"),
    explanation: explainNetwork(facts, t),
  }),
  proxy: (facts: Facts, t: Translate) => ({
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
  tls: (facts: Facts, t: Translate) => ({
    title: t("No secure connection"),
    explanation: explainTls(facts, t),
  }),
};

function describeAddress(facts: Facts, t: Translate): string | undefined {
  if (facts.failure.kind !== "address") return undefined;
  return describeAddressProblem(facts.failure.problem, facts.failure.suggestion, t);
}

function explainHost(facts: Facts, t: Translate): string {
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
function explainPage(facts: Facts, t: Translate): string {
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

function explainNetwork(facts: Facts, t: Translate): string {
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

function explainTls(facts: Facts, t: Translate): string {
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
