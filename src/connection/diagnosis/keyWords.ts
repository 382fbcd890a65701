import type { Translate } from "../../l10n.ts";
import type { Facts } from "./diagnosisFacts.ts";
import { describeKeyMend, describeKeyProblem, describeKeyStoreProblem } from "../setup/inputTexts.ts";
import { rankKeySuspicions } from "./keySuspicions.ts";

/** Words for causes that lie in the key. */
export const keyWords = {
  "empty-key": (facts: Facts, t: Translate) => ({
    title: t("No API key"),
    explanation: explainStore(facts, t) ?? explainEmpty(facts, t),
  }),
  "malformed-key": (facts: Facts, t: Translate) => ({
    title: t("The API key has the wrong form"),
    explanation:
      describeMends(facts, t) ??
      describeProblem(facts, t) ??
      t(
        "The service expects a key of another form, or the key has characters in it that do not belong. Copy the whole key again.",
      ),
  }),
  "not-a-key": (facts: Facts, t: Translate) => ({
    title: t("This is not an API key"),
    explanation:
      describeProblem(facts, t) ??
      t(
        "Account logins and session tokens of a console are not accepted as API keys. Create a key at the service and set it here.",
      ),
  }),
  "invalid-key": (facts: Facts, t: Translate) => ({
    title: t("The service does not accept the API key"),
    explanation: explainInvalid(facts, t),
  }),
  "revoked-key": (_facts: Facts, t: Translate) => ({
    title: t("The API key was revoked or blocked"),
    explanation: t(
      "The service knows this key and no longer takes it. Ask for a replacement and set it here.",
    ),
  }),
  "expired-key": (_facts: Facts, t: Translate) => ({
    title: t("The API key has expired"),
    explanation: t(
      "The service no longer takes this key. Create a new one, or have its expiry moved, and set it here.",
    ),
  }),
  "budget-exhausted": (_facts: Facts, t: Translate) => ({
    title: t("The budget is used up"),
    explanation: t(
      "The budget of this key, or the credit of its account, is spent, so trying again does not help. Have it raised, or set another key.",
    ),
  }),
  "key-origin-mismatch": (facts: Facts, t: Translate) => ({
    title: t("The API key belongs to another address"),
    explanation:
      explainMovedVariable(facts, t) ??
      (facts.failure.kind === "key-origin"
        ? t(
            "The key was stored for {0} and was not sent to {1}. If the service has moved, set the key again.",
            facts.failure.sealedOrigin,
            facts.failure.origin,
          )
        : t(
            "The key was stored for another address and was not sent. If the service has moved, set the key again.",
          )),
  }),
};

function explainMovedVariable({ failure, context }: Facts, t: Translate): string | undefined {
  if (failure.kind !== "key-origin" || context.keyVariable === undefined) return undefined;
  return t(
    "The key of the variable {0} was used for {1} and was not sent to {2}. If the service has moved, allow it with Set API Key.",
    context.keyVariable,
    failure.sealedOrigin,
    failure.origin,
  );
}

function describeProblem(facts: Facts, t: Translate): string | undefined {
  const problem = facts.failure.kind === "key" ? facts.failure.problem : undefined;
  return problem === undefined ? undefined : describeKeyProblem(problem, t);
}

function explainStore({ failure }: Facts, t: Translate): string | undefined {
  const store = failure.kind === "key" ? failure.store : undefined;
  return store === undefined ? undefined : describeKeyStoreProblem(store, t);
}

function explainEmpty(facts: Facts, t: Translate): string {
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
function explainInvalid(facts: Facts, t: Translate): string {
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
function describeMends({ failure }: Facts, t: Translate): string | undefined {
  if (failure.kind !== "key" || failure.mends === undefined || failure.variable === undefined)
    return undefined;
  const list = failure.mends.map((mend) => describeKeyMend(mend, t)).join(", ");
  return t(
    "The variable {0} has more in it than the key: {1}. Nothing was sent; correct the variable.",
    failure.variable,
    list,
  );
}
