import type { Cause } from "../../client/failure/cause.ts";
import type { InferenceError } from "../../client/failure/failure.ts";
import type { Translate } from "../../text/translate.ts";
import { causeTable } from "./causeTable.ts";
import { labelOfAction } from "./diagnosisActions.ts";
import type { DiagnosisActionId } from "./diagnosisActions.ts";
import { readFacts, durationText } from "./diagnosisFacts.ts";
import type { DiagnosisContext, Facts } from "./diagnosisFacts.ts";
import { redact } from "../redaction/redaction.ts";

export type { DiagnosisActionId } from "./diagnosisActions.ts";
export type { DiagnosisContext } from "./diagnosisFacts.ts";

/** A failure explained to the user. Plain JSON, without key, header or conversation. */
export interface Diagnosis {
  readonly cause: Cause;
  /** A few words: "The API key has expired". */
  readonly title: string;
  /** The meaning and the next action, in one or two sentences. For a vague cause, includes the server's first line. */
  readonly explanation: string;
  /** Facts behind the diagnosis: status, the server's first line in quotes, host, base URL. Redacted. */
  readonly evidence: readonly string[];
  readonly actions: readonly { readonly id: DiagnosisActionId; readonly label: string }[];
  readonly requestId?: string;
}

/** Explains a failure in the user's language. Pure. All texts of a server are redacted. */
export function diagnose(
  { failure, cause }: InferenceError,
  context: DiagnosisContext,
  t: Translate,
): Diagnosis {
  const facts = readFacts(failure, context);
  const { words, actions, isVague } = causeTable[cause];
  const { title, explanation } = words(facts, t);
  const said = isVague && facts.line !== undefined;
  return {
    cause,
    title,
    explanation: said ? `${explanation} ${t('The service said: "{0}"', facts.line)}` : explanation,
    evidence: collectEvidence(facts, t),
    actions: [...actionsFor(facts, actions), "learn-more" as const].map((id) => ({
      id,
      label: labelOfAction(id, t),
    })),
    ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }),
  };
}

/** Returns the actions for this failure: its own precede the general ones of its cause. */
function actionsFor(
  { failure, isCapRefused }: Facts,
  general: readonly DiagnosisActionId[],
): readonly DiagnosisActionId[] {
  if (isCapRefused) return ["change-max-tokens", ...general];
  if (failure.kind === "unreadable" && failure.bodyKind === "other-style")
    return ["select-client-style", ...general];
  // The general actions would concern the other connection, which has its key.
  return failure.kind === "key" && failure.replaced !== undefined ? ["retry"] : general;
}

/** The form of an error type or code. Other values may be sentences or contain secrets. */
const codeShape = /^[A-Za-z][A-Za-z_]{2,50}$/;

/** Lists the facts behind a diagnosis, one per line, safe to display and copy. */
function collectEvidence(facts: Facts, t: Translate): readonly string[] {
  return [
    statusLine(facts, t),
    saidLine(facts, t),
    ...facts.rest.map((line) => t('Further details: "{0}"', line)),
    facts.pageTitle === undefined ? undefined : t('The page is titled "{0}".', facts.pageTitle),
    codeLine(facts, t),
    facts.host === undefined ? undefined : t("Host: {0}", facts.host),
    redirectLine(facts, t),
    sealLine(facts, t),
    variableLine(facts, t),
    historyLine(facts, t),
    expiryLine(facts, t),
    facts.waitSeconds === undefined
      ? undefined
      : t("The service asks you to wait {0}.", durationText(facts.waitSeconds, t)),
  ].filter((line) => line !== undefined);
}

function statusLine(facts: Facts, t: Translate): string | undefined {
  if (facts.status !== undefined && facts.status > 0) return t("HTTP status {0}", facts.status);
  return facts.error.status === undefined
    ? undefined
    : t("Error status {0} inside the response", facts.error.status);
}

function saidLine(facts: Facts, t: Translate): string | undefined {
  if (facts.line === undefined) return undefined;
  const isEvent = facts.failure.kind === "unreadable" && facts.failure.bodyKind === "event";
  return isEvent
    ? t('Unreadable data in the answer: "{0}"', facts.line)
    : t('The service said: "{0}"', facts.line);
}

function codeLine(facts: Facts, t: Translate): string | undefined {
  const own = "code" in facts.failure ? facts.failure.code : undefined;
  const code =
    own ?? [facts.error.code, facts.error.type].find((word) => word !== undefined && codeShape.test(word));
  return code === undefined ? undefined : t("Error code: {0}", redact(code, facts.context.secrets));
}

/** Shows only scheme, host and path of the target: the query may contain a token. */
function redirectLine(facts: Facts, t: Translate): string | undefined {
  if (facts.failure.kind !== "redirect" || facts.failure.location === undefined) return undefined;
  const target = URL.parse(facts.failure.location);
  const address = target === null ? facts.failure.location : `${target.origin}${target.pathname}`;
  return t("Redirects to {0}", redact(address, facts.context.secrets));
}

function sealLine(facts: Facts, t: Translate): string | undefined {
  if (facts.failure.kind !== "key-seal") return undefined;
  if (facts.failure.variable !== undefined || facts.context.keyVariable !== undefined)
    return t("Until now, the key was used for {0}", facts.failure.sealedTo);
  return t("The key was stored for {0}", facts.failure.sealedTo);
}

function variableLine(facts: Facts, t: Translate): string | undefined {
  const variable =
    (facts.failure.kind === "key" ? facts.failure.variable : undefined) ?? facts.context.keyVariable;
  return variable === undefined ? undefined : t("The key comes from the environment variable {0}", variable);
}

function historyLine({ context }: Facts, t: Translate): string | undefined {
  switch (context.keyHistory) {
    case "accepted":
      return t("The service accepted the key earlier in this window");
    case "new":
      return t("The service has not accepted the key since the key or base URL was set in this window");
    case undefined:
      return undefined;
  }
}

function expiryLine(facts: Facts, t: Translate): string | undefined {
  return facts.expired === undefined ? undefined : t("The key's expiration date was {0}", facts.expired);
}
