import type { CertificateFacts, ConnectionFacts } from "../../client/transport/connectionRecorder.ts";
import type { Route } from "../../client/http/transport.ts";
import type { Translate } from "../../text/translate.ts";
import { redact } from "../redaction/redaction.ts";

/** Days before a certificate's expiration when the check starts to warn. */
const soonDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

/** How the check's network connection was made, as plain JSON. Only the route is known if VS Code's fetch was used. */
export interface NetworkFacts {
  readonly transport: Route["transport"];
  /** Host and port. */
  readonly proxy?: string;
  readonly lookup?: ConnectionFacts["lookup"];
  readonly connectMs?: number;
  readonly tls?: {
    readonly ms?: number;
    readonly protocol?: string;
    readonly subject?: string;
    readonly issuer?: string;
    readonly validTo?: string;
    readonly daysLeft?: number;
    readonly matchesHost?: boolean;
  };
}

/** Reads the facts. VS Code's fetch reports no facts. If it was used, `facts` are of another route and are omitted. */
export function readNetworkFacts(route: Route, facts: ConnectionFacts, now: Date): NetworkFacts {
  const { transport, proxy } = route;
  const { lookup, connectMs, tls } = transport === "editor" ? {} : facts;
  const { certificate } = tls ?? {};
  return {
    transport,
    ...(proxy === undefined ? {} : { proxy }),
    ...(lookup === undefined ? {} : { lookup }),
    ...(connectMs === undefined ? {} : { connectMs }),
    ...(tls === undefined
      ? {}
      : {
          tls: {
            ...(tls.ms === undefined ? {} : { ms: tls.ms }),
            ...(tls.protocol === undefined ? {} : { protocol: tls.protocol }),
            ...(certificate === undefined
              ? {}
              : {
                  subject: redact(certificate.subject),
                  issuer: redact(certificate.issuer),
                  validTo: certificate.validTo,
                  daysLeft: daysLeft(certificate, now),
                  matchesHost: certificate.matchesHost,
                }),
          },
        }),
  };
}

/** One fact per line: route, name lookup, connection, and certificate. */
export function networkText(route: Route, facts: NetworkFacts, t: Translate): string {
  const { lookup, connectMs, tls } = facts;
  const lines = [
    routeText(route, t),
    route.transport === "editor"
      ? t("VS Code doesn't report details of the name lookup, the connection, and the certificate")
      : undefined,
    lookup === undefined
      ? undefined
      : t(
          "Name lookup: {0} ms, {1} ({2})",
          Math.round(lookup.ms),
          lookup.addresses === 1 ? t("1 address") : t("{0} addresses", lookup.addresses),
          [...new Set(lookup.families)].map((family) => `IPv${family}`).join(", "),
        ),
    connectMs === undefined ? undefined : t("Connected in {0} ms", Math.round(connectMs)),
    tls === undefined
      ? undefined
      : [tls.protocol, tls.ms === undefined ? undefined : t("secured in {0} ms", Math.round(tls.ms))]
          .filter((text) => text !== undefined)
          .join(", "),
    ...certificateLines(facts, t),
  ];
  return lines.filter((line) => line !== undefined && line !== "").join("\n");
}

/** Describes the service's certificate: subject, issuer, and expiration. */
export function certificateLines({ tls }: NetworkFacts, t: Translate): readonly string[] {
  if (tls?.subject === undefined || tls.issuer === undefined || tls.validTo === undefined) return [];
  return [
    tls.matchesHost === false
      ? t("Certificate issued to {0}, which doesn't match this host", tls.subject)
      : t("Certificate issued to {0}", tls.subject),
    tls.issuer === tls.subject ? t("Self-signed") : t("Issued by {0}", tls.issuer),
    expiryLine(tls.validTo.slice(0, 10), tls.daysLeft ?? 0, t),
  ];
}

/** Returns undefined unless the certificate expires soon. */
export function expiryWarning({ tls }: NetworkFacts, t: Translate): string | undefined {
  const days = tls?.daysLeft;
  if (days === undefined || tls?.validTo === undefined || days >= soonDays || days < 0) return undefined;
  return t(
    "The service's certificate expires on {0}. Tell the service's support before requests start to fail.",
    tls.validTo.slice(0, 10),
  );
}

function expiryLine(day: string, days: number, t: Translate): string {
  if (days < 0) return t("Expired on {0}", day);
  return t("Valid until {0} (days left: {1})", day, days);
}

function daysLeft({ validTo }: CertificateFacts, now: Date): number {
  return Math.floor((Date.parse(validTo) - now.getTime()) / dayMs);
}

/** Describes the route of requests: the sender, the proxy, and a missing verification of certificates. */
function routeText({ transport, proxy, anyCertificate }: Route, t: Translate): string {
  const route = connectionText(transport, proxy, t);
  if (!anyCertificate) return route;
  const by = transport === "editor" ? "NODE_TLS_REJECT_UNAUTHORIZED" : "http.proxyStrictSSL";
  return t("{0} (certificates are not verified because of {1})", route, by);
}

function connectionText(transport: Route["transport"], proxy: string | undefined, t: Translate): string {
  if (transport === "editor") return t("VS Code sends the requests and selects the proxy");
  if (proxy === undefined) return t("Inference Chat sends the requests without a proxy");
  return t("Inference Chat sends the requests through the proxy {0}", proxy);
}
