import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../l10n.ts";
import { addressWords } from "./addressWords.ts";
import type { Facts } from "./diagnosisFacts.ts";
import { keyWords } from "./keyWords.ts";
import { serviceWords } from "./serviceWords.ts";

/** Title and explanation of a diagnosis. */
export interface Words {
  readonly title: string;
  readonly explanation: string;
}

const words: Readonly<Record<Cause, (facts: Facts, t: Translate) => Words>> = {
  ...keyWords,
  ...addressWords,
  ...serviceWords,
};

export function wordsFor(cause: Cause, facts: Facts, t: Translate): Words {
  return words[cause](facts, t);
}
