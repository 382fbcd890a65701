import { type Attachment, attachmentLimits, placeText } from "./attachments.ts";

export interface JoinedAttachments {
  readonly attachments: readonly Attachment[];
  /** How many did not fit. */
  readonly tooMuch: number;
}

/** Adds what fits into one question. What is there already is taken anew. */
export function joinAttachments(
  before: readonly Attachment[],
  added: readonly Attachment[],
): JoinedAttachments {
  const attachments = before.filter((old) => !added.some((each) => isSame(old, each)));
  let tooMuch = 0;
  for (const attachment of added) {
    const characters = attachments.reduce((sum, each) => sum + each.characters, attachment.characters);
    if (attachments.length < attachmentLimits.count && characters <= attachmentLimits.characters) {
      attachments.push(attachment);
    } else tooMuch += 1;
  }
  return { attachments, tooMuch };
}

/** What is made anew each time it is asked for: the newest takes the older one's place. */
const renewed: ReadonlySet<Attachment["kind"]> = new Set(["problems", "diff", "search"]);

/** The same lines of the same file, or the same question asked anew. */
function isSame(old: Attachment, added: Attachment): boolean {
  if (old.kind !== added.kind || old.name !== added.name) return false;
  return old.place !== undefined && added.place !== undefined
    ? placeText(old.place) === placeText(added.place)
    : renewed.has(added.kind);
}
