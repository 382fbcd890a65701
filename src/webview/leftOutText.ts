import type { LeftOut } from "../chat/transcript.ts";
import type { Translate } from "../l10n.ts";

/** Says what is not sent because it does not fit. */
export function leftOutText({ turns, attachments }: LeftOut, t: Translate): string {
  const what = [
    ...(turns === 0 ? [] : [turns === 1 ? t("1 earlier turn") : t("{0} earlier turns", turns)]),
    ...(attachments === 0 ? [] : [attachments === 1 ? t("1 attachment") : t("{0} attachments", attachments)]),
  ];
  return t("Left out to fit the model's window: {0}, the oldest first.", what.join(t(" and ")));
}
