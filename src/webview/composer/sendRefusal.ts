import { longestText } from "../../chat/page/protocol.ts";
import type { Translate } from "../../l10n.ts";

/** Why this text cannot be sent now, in the user's language; undefined where it can. It stays where it was typed. */
export function sendRefusal(
  text: string,
  arrives: boolean,
  t: Translate,
  numberText: (value: number) => string,
): string | undefined {
  if (arrives) return t("An answer is still arriving. What you typed stays here until you send it.");
  if (text.length <= longestText) return undefined;
  return t(
    "This is too long to be sent: {0} characters, at most {1}. It stays here: shorten it, or attach it as a file.",
    numberText(text.length),
    numberText(longestText),
  );
}
