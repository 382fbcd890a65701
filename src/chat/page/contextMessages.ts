import * as v from "valibot";
import { attachmentLimits } from "../transcript/attachments.ts";

const id = v.pipe(v.string(), v.maxLength(64));
const name = v.pipe(v.string(), v.maxLength(1024));
const longestBase64 = Math.ceil(attachmentLimits.imageBytes / 3) * 4;

/** Reads what the page asks about attachments. */
export const contextRequestSchema = v.variant("type", [
  v.strictObject({ type: v.literal("choose") }),
  v.strictObject({ type: v.literal("attach"), offerId: v.pipe(v.string(), v.maxLength(8192)) }),
  v.strictObject({
    type: v.literal("find"),
    searchId: v.pipe(v.number(), v.integer(), v.minValue(0)),
    typed: v.pipe(v.string(), v.maxLength(1024)),
  }),
  v.strictObject({ type: v.literal("stop-finding") }),
  v.strictObject({
    type: v.literal("attach-uris"),
    uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(8192))), v.maxLength(attachmentLimits.count)),
  }),
  v.strictObject({
    type: v.literal("attach-data"),
    name,
    mediaType: v.pipe(v.string(), v.maxLength(128)),
    data: v.pipe(v.string(), v.maxLength(longestBase64)),
  }),
  v.strictObject({ type: v.literal("refuse-data"), name, bytes: v.exactOptional(v.number()) }),
  v.strictObject({ type: v.literal("refuse-rest"), count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  v.strictObject({
    type: v.literal("attach-text"),
    text: v.pipe(v.string(), v.maxLength(attachmentLimits.characters)),
  }),
  v.strictObject({ type: v.literal("remove"), id }),
  v.strictObject({ type: v.literal("trim"), id }),
  v.strictObject({ type: v.literal("open"), id, turnId: v.exactOptional(id) }),
]);
