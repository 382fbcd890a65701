import type { Cause } from "../../client/failure/cause.ts";
import type { Failure } from "../../client/failure/failure.ts";
import type { Translate } from "../../l10n.ts";
import { nameOfCause } from "../diagnosis/causeNames.ts";
import type { Verdict } from "./probes.ts";
import { quote } from "./probeWords.ts";

/** A probe's request that came to no answer, with what is known around it. */
export interface ProbeRefusal {
  readonly failure: Failure;
  readonly cause: Cause;
  /** The style's path is not there. */
  readonly isAbsent: boolean;
  /** The very field that is tried out was refused by its name. */
  readonly isNamed: boolean;
  /** Another request of the style was answered before. */
  readonly isOtherwiseAnswered: boolean;
  readonly refusedBy: RegExp;
}

/** A refusal proves something only where it speaks of the feature, or where the rest was taken before. */
export function judgeRefusal(refusal: ProbeRefusal, t: Translate): Verdict {
  const { failure, cause, isAbsent, isNamed, isOtherwiseAnswered, refusedBy } = refusal;
  const message = ("error" in failure ? failure.error.message : undefined) ?? "";
  const said = message === "" ? "" : ` ${quote(message, 200)}`;
  if (isAbsent) return { state: "no", evidence: `${t("This style has no path here.")}${said}` };
  if (cause !== "bad-request")
    return { state: "unclear", evidence: `${t("Failed: {0}.", nameOfCause(cause, t))}${said}` };
  const isProof = isNamed || refusedBy.test(message) || isOtherwiseAnswered;
  return { state: isProof ? "no" : "unclear", evidence: `${t("Refused.")}${said}` };
}
