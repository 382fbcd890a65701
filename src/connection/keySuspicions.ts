import type { Translate } from "../l10n.ts";
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
  const { keyVariable, expires } = facts.context;
  const suspicions: readonly Suspicion[] = [
    { weight: 50, text: t("the key was revoked") },
    expirySuspicion(facts, expires, t),
    {
      weight: 30,
      text:
        facts.host === undefined
          ? t("the key belongs to another host")
          : t("the key belongs to another host than {0}", facts.host),
    },
    keyVariable === undefined
      ? { weight: 2, text: t("the key is empty") }
      : { weight: 60, text: t("the variable {0} is empty or holds another key", keyVariable) },
    { weight: keyVariable === undefined ? 3 : 20, text: t("the key has a stray space in it") },
  ];
  return suspicions.toSorted((one, other) => other.weight - one.weight).map((suspicion) => suspicion.text);
}

function expirySuspicion(facts: Facts, expires: string | undefined, t: Translate): Suspicion {
  if (facts.expired !== undefined) return { weight: 100, text: t("the key expired on {0}", facts.expired) };
  return { weight: expires === undefined ? 40 : 5, text: t("the key has expired") };
}
