import type { CallRecord } from "../../client/request/call.ts";
import type { Route } from "../../client/http/transport.ts";
import type { CheckStep } from "./checkSteps.ts";
import { redact } from "../redaction/redaction.ts";

/** The contents of a support report, without key, headers, conversation, or connection name. */
export interface SupportFacts {
  /** Time of the report. */
  readonly at: Date;
  /** The check or the single request that the report describes. Absent if nothing was sent yet. */
  readonly subject?:
    | {
        readonly kind: "check";
        readonly at: string;
        readonly ok: boolean;
        readonly steps: readonly CheckStep[];
      }
    | { readonly kind: "call"; readonly call: CallRecord };
  readonly model?: string;
  readonly clientStyle?: string;
  readonly origin?: string;
  /** Names of the connection's further headers. */
  readonly headerNames?: readonly string[];
  readonly versions: {
    readonly extension: string;
    readonly editor: string;
    readonly node: string;
    readonly system: string;
  };
  readonly route?: Route;
  readonly systemCertificates: boolean;
  readonly strictCertificates: boolean;
  /** The setting `inference.network.transport`. */
  readonly transportSetting: string;
}

/**
 * Formats the report for the service's support. Always in English.
 * @param secrets texts that must not appear in the report, such as the request's key
 */
export function formatSupportReport(facts: SupportFacts, secrets: readonly string[] = []): string {
  const text = (value: string): string => redact(value, secrets) || "-";
  const { at, model, clientStyle, origin, headerNames = [], versions, subject } = facts;
  const lines = [
    "Inference Chat support report",
    "",
    `Report made:   ${at.toISOString()}`,
    ...subjectLines(subject, text, secrets),
    `Model:         ${model === undefined ? "-" : text(model)}`,
    `Client style:  ${clientStyle === undefined ? "-" : text(clientStyle)}`,
    `Origin:        ${origin === undefined ? "-" : shownOrigin(origin, secrets)}`,
    ...(headerNames.length === 0 ? [] : [`Headers:       ${text(headerNames.join(", "))}`]),
    "",
    `Extension:     ${text(versions.extension)}`,
    `Editor:        ${text(versions.editor)}`,
    `Node.js:       ${text(versions.node)}`,
    `System:        ${text(versions.system)}`,
    "",
    `Transport:     ${transportText(facts)}`,
    `Proxy:         ${proxyText(facts, secrets)}`,
    `System CAs:    ${yesNo(facts.systemCertificates)}`,
    `Strict SSL:    ${yesNo(facts.strictCertificates)}`,
    "",
  ];
  return lines.join("\n");
}

type Subject = SupportFacts["subject"];

function subjectLines(
  subject: Subject,
  text: (value: string) => string,
  secrets: readonly string[],
): readonly string[] {
  switch (subject?.kind) {
    case undefined:
      return ["Call:          none in this window"];
    case "call": {
      const { at, method, path, status, failure, requestId, milliseconds } = subject.call;
      return [
        `Call:          ${at.toISOString()}`,
        `Request:       ${method} ${endpoint(path)}`,
        `Result:        ${text([status, failure].filter((part) => part !== undefined).join(" ")) || "-"}`,
        `Time taken:    ${Math.round(milliseconds)} ms`,
        `Request ID:    ${shownId(requestId, secrets)}`,
      ];
    }
    case "check":
      return [
        `Check:         ${text(subject.at)} ${subject.ok ? "passed" : "not passed"}`,
        ...subject.steps.map((step) => stepLine(step, secrets)),
      ];
  }
}

function stepLine(step: CheckStep, secrets: readonly string[]): string {
  const { id, ok, skipped, ms, status, cause, requestId } = step;
  const name = `  ${id}`.padEnd(15);
  if (skipped === true) return `${name}skipped`;
  return [
    `${name}${ok ? "ok" : (cause ?? "failed")}`,
    `${Math.round(ms)} ms`,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(requestId === undefined ? [] : [`request ID ${shownId(requestId, secrets)}`]),
  ].join(", ");
}

/** The redaction would remove request IDs, because they look like secrets. So keep text with the form of an ID. */
function shownId(requestId: string | undefined, secrets: readonly string[]): string {
  if (requestId === undefined) return "-";
  const isId = /^[\w.:=+-]{1,128}$/.test(requestId) && !keyLike.test(requestId);
  return isId && !holdsSecret(requestId, secrets) ? requestId : redact(requestId, secrets) || "-";
}

const keyLike = /(?:^|[^A-Za-z])(?:sk|pk|rk|key)[-_]|bearer|^eyJ/i;

function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret !== "" && text.includes(secret));
}

/** Keeps only the endpoint. The start of the path belongs to the base URL, which may name a client. */
function endpoint(path: string): string {
  return /(?:\/v\d+)?\/(?:models|chat\/completions|messages)$/.exec(path)?.[0] ?? "-";
}

function shownOrigin(origin: string, secrets: readonly string[]): string {
  const url = URL.parse(origin);
  return url === null || holdsSecret(url.origin, secrets) ? "-" : url.origin;
}

function transportText({ route, transportSetting }: SupportFacts): string {
  const names = { undici: "undici", editor: "VS Code's fetch" };
  const setting = `setting ${redact(transportSetting)}`;
  return route === undefined ? `not used yet (${setting})` : `${names[route.transport]} (${setting})`;
}

/** Returns only host and port of the proxy. */
function proxyText({ route }: SupportFacts, secrets: readonly string[]): string {
  if (route?.transport === "editor") return "selected by VS Code";
  if (route?.proxy === undefined) return "none";
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(route.proxy);
  const host = isAddress ? URL.parse(route.proxy)?.host : hostAndPort.exec(route.proxy)?.[0];
  return host === undefined || host === "" || holdsSecret(host, secrets) ? "not shown" : host;
}

const hostAndPort = /^[\w.[\]:-]{1,260}$/;

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
