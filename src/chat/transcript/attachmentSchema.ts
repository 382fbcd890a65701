import * as v from "valibot";
import { attachmentKinds } from "./attachments.ts";

const line = v.pipe(v.number(), v.integer(), v.minValue(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const placeSchema = v.object({
  path: v.string(),
  firstLine: v.exactOptional(line),
  lastLine: v.exactOptional(line),
});

/** An attachment as a stored conversation holds it. */
export const attachmentSchema = v.object({
  id: v.string(),
  kind: v.picklist(attachmentKinds),
  name: v.string(),
  detail: v.string(),
  characters: count,
  trimmedFrom: v.exactOptional(count),
  place: v.exactOptional(placeSchema),
  guessedEncoding: v.exactOptional(v.pipe(v.string(), v.maxLength(40))),
  content: v.exactOptional(
    v.variant("type", [
      v.object({ type: v.literal("text"), text: v.string(), language: v.string() }),
      v.object({ type: v.literal("image"), mediaType: v.string(), data: v.string() }),
    ]),
  ),
});

/** What an answer was given without, as a stored conversation holds it. */
export const leftOutSchema = v.object({
  turns: count,
  attachments: count,
  images: v.exactOptional(count),
  sentTokens: v.exactOptional(count),
});
