import type { VNode } from "preact";
import { type Attachment, isPdf } from "../../chat/transcript/attachments.ts";
import { answerCap, fitConversation, type ModelLimits } from "../../chat/session/contextWindow.ts";
import { sentTurns } from "../../chat/transcript/sentTurns.ts";
import { attachmentsOf, type OmittedTurns, type Turn } from "../../chat/transcript/transcript.ts";
import type { Translate } from "../../text/translate.ts";
import { usePage } from "../context/pageContext.ts";
import { numberText, pageLanguage, tokenText } from "../controls/numberText.ts";

interface MeterProps {
  readonly turns: readonly Turn[];
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  readonly instructions: readonly Attachment[];
  readonly room: ModelLimits;
}

/** With a path length of 100, dash lengths are percentages. */
const ring = { cx: "8", cy: "8", r: "6", pathLength: 100 };

/** Shows how full the context window will be with the draft. All numbers are estimates. */
export function Meter({ turns, draft, attachments, instructions, room }: MeterProps): VNode {
  const { t } = usePage();
  const asked = { kind: "question", id: "", parentId: null, at: "" } as const;
  const written: Turn = { ...asked, text: draft, attachments, instructions };
  const names = instructions.map(({ name }) => name).join(", ");
  const { tokens, leftOut, turns: sent } = fitConversation([...sentTurns(turns), written], room);
  const hasUncounted = room.takesPdf === true && sent.flatMap(attachmentsOf).some(isPdf);
  const more = hasUncounted ? "+" : "";
  const along = [
    ...(hasUncounted ? [t("PDF files aren't counted because their tokens aren't known.")] : []),
    ...(names === "" ? [] : [t("Instructions attached: {0}.", names)]),
  ];
  if (room.contextWindow === undefined) {
    const about = room.isUnasked
      ? t(
          "Your next request uses about {0} tokens. After the first answer, Inference Chat asks the service for the size of the context window.",
          numberText(tokens),
        )
      : t(
          "Your next request uses about {0} tokens. The service hasn't reported the size of the model's context window.",
          numberText(tokens),
        );
    const words = [about, ...along].join(" ");
    return (
      <span class="meter" role="img" aria-label={words} title={words}>
        {t("~{0} tokens", tokenText(tokens) + more)}
      </span>
    );
  }
  const percent = Math.round((tokens / room.contextWindow) * 100);
  const filled = Math.min(percent, 100);
  const full = wordsFor(tokens, room.contextWindow, answerCap(room, tokens), leftOut, t);
  const words = [full, ...along].join(" ");
  return (
    <span
      class={leftOut !== undefined || percent > 100 ? "meter full" : "meter"}
      role="meter"
      aria-label={t("Context window")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={filled}
      aria-valuetext={words}
      title={words}
    >
      <svg class="meter-ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle {...ring} />
        <circle {...ring} class="meter-part" stroke-dasharray={`${filled} 100`} />
      </svg>
      {`${percent}%${more}`}
    </span>
  );
}

function wordsFor(
  tokens: number,
  contextWindow: number,
  cap: number,
  leftOut: OmittedTurns | undefined,
  t: Translate,
): string {
  const full = t(
    "Your next request uses about {0} of the {1} tokens in the context window. Up to {2} more tokens are reserved for the answer.",
    numberText(tokens),
    numberText(contextWindow),
    numberText(cap),
  );
  return [
    full,
    ...(leftOut === undefined ? [] : [omittedText(leftOut, t)]),
    ...(tokens > contextWindow
      ? [t("Your message and its attachments are too large to send. Trim or remove attachments.")]
      : []),
  ].join(" ");
}

/** Lists what a request omits: turns and attachments that do not fit, and images and PDF files that the model does not take. */
export function omittedText(
  { turns, attachments, images = 0, pdfs = 0 }: OmittedTurns,
  t: Translate,
): string {
  const sentences = [
    ...(turns + attachments === 0 ? [] : [unfitText(turns, attachments, t)]),
    ...(images === 0 ? [] : [imagesText(images, t)]),
    ...(pdfs === 0 ? [] : [pdfsText(pdfs, t)]),
  ];
  return sentences.join(" ");
}

function imagesText(images: number, t: Translate): string {
  return images === 1
    ? t("1 image is not sent because this model doesn't accept images.")
    : t("{0} images are not sent because this model doesn't accept images.", images);
}

function pdfsText(pdfs: number, t: Translate): string {
  return pdfs === 1
    ? t("1 PDF file is not sent because this model isn't known to read PDF files.")
    : t("{0} PDF files are not sent because this model isn't known to read PDF files.", pdfs);
}

function unfitText(turns: number, attachments: number, t: Translate): string {
  const what = [
    ...(turns === 0 ? [] : [turns === 1 ? t("1 earlier message") : t("{0} earlier messages", turns)]),
    ...(attachments === 0 ? [] : [attachments === 1 ? t("1 attachment") : t("{0} attachments", attachments)]),
  ];
  return t(
    "Not sent because the context window is full (oldest first): {0}.",
    new Intl.ListFormat(pageLanguage()).format(what),
  );
}
