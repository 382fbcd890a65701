import type { Cause } from "../../client/failure/cause.ts";
import { causeOf } from "../../client/failure/causeOf.ts";
import type { Failure } from "../../client/failure/failure.ts";
import type { Translate } from "../../l10n.ts";
import { actionsFor } from "./diagnosisActions.ts";
import type { DiagnosisActionId } from "./diagnosisActions.ts";
import { collectEvidence } from "./diagnosisEvidence.ts";
import { readFacts } from "./diagnosisFacts.ts";
import type { DiagnosisContext, Facts } from "./diagnosisFacts.ts";
import { wordsFor } from "./diagnosisWords.ts";

export type { DiagnosisActionId } from "./diagnosisActions.ts";
export type { DiagnosisContext } from "./diagnosisFacts.ts";

/** A failure explained to a person. Plain JSON, without key, header or conversation. */
export interface Diagnosis {
  readonly cause: Cause;
  /** A few words: "The API key has expired". */
  readonly title: string;
  /** What it means and what to do, in one or two sentences; where that says little, the server's first line. */
  readonly explanation: string;
  /** Facts that led here: status, the server's first line in quotes, host, address. Redacted. */
  readonly evidence: readonly string[];
  readonly actions: readonly { readonly id: DiagnosisActionId; readonly label: string }[];
  readonly requestId?: string;
}

/** Causes that say little without the service's own words. */
const vagueCauses: ReadonlySet<Cause> = new Set<Cause>([
  "bad-request",
  "content-filtered",
  "server-error",
  "unknown",
]);

function mendOf({ failure, isCapRefused }: Facts): DiagnosisActionId | undefined {
  if (isCapRefused) return "change-max-tokens";
  return failure.kind === "unreadable" && failure.bodyKind === "other-style"
    ? "select-client-style"
    : undefined;
}

/** Explains a failure, in the user's language. Pure; every text of a server passes the redaction. */
export function diagnose(failure: Failure, context: DiagnosisContext, t: Translate): Diagnosis {
  const facts = readFacts(failure, context);
  const cause = causeOf(failure);
  const { title, explanation } = wordsFor(cause, facts, t);
  const said = vagueCauses.has(cause) && facts.line !== undefined;
  return {
    cause,
    title,
    explanation: said ? `${explanation} ${t('The service said: "{0}"', facts.line)}` : explanation,
    evidence: collectEvidence(facts, t),
    actions: actionsFor(cause, mendOf(facts), t),
    ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }),
  };
}
