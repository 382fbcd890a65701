import type { Translate } from "../../l10n.ts";
import type { Facts } from "./diagnosisFacts.ts";

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
export function rankKeySuspicions(facts: Facts, t: Translate): readonly string[] {
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
