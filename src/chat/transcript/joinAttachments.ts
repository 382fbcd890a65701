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
    if (fit([...attachments, attachment])) attachments.push(attachment);
    else tooMuch += 1;
  }
  return { attachments, tooMuch };
}

function fit(attachments: readonly Attachment[]): boolean {
  const characters = attachments.reduce((sum, each) => sum + each.characters, 0);
  const bytes = attachments.reduce((sum, each) => sum + imageBytesOf(each), 0);
  const { count, characters: mostCharacters, allImageBytes } = attachmentLimits;
  return attachments.length <= count && characters <= mostCharacters && bytes <= allImageBytes;
}

function imageBytesOf({ content }: Attachment): number {
  return content?.type === "image" ? Buffer.byteLength(content.data, "base64") : 0;
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
