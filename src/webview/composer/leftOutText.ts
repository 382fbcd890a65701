import type { LeftOut } from "../../chat/transcript/transcript.ts";
import type { Translate } from "../../l10n.ts";

/** Says what is not sent because it does not fit, or because the model takes none of its kind. */
export function leftOutText({ turns, attachments, images = 0 }: LeftOut, t: Translate): string {
  const sentences = [
    ...(turns + attachments === 0 ? [] : [unfitText(turns, attachments, t)]),
    ...(images === 0 ? [] : [imagesText(images, t)]),
  ];
  return sentences.join(" ");
}

function imagesText(images: number, t: Translate): string {
  return images === 1
    ? t("1 image is not sent: this model was seen to take none.")
    : t("{0} images are not sent: this model was seen to take none.", images);
}

function unfitText(turns: number, attachments: number, t: Translate): string {
  const what = [
    ...(turns === 0 ? [] : [turns === 1 ? t("1 earlier turn") : t("{0} earlier turns", turns)]),
    ...(attachments === 0 ? [] : [attachments === 1 ? t("1 attachment") : t("{0} attachments", attachments)]),
  ];
  return t("Left out to fit the model's window: {0}, the oldest first.", what.join(t(" and ")));
}
