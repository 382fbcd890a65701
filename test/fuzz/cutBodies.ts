import fc from "fast-check";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { jsonTexts } from "./hostileTexts.ts";
import { eventData } from "./styleEvents.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const lineEnds = fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\r\n\r\n");
const streamPieces = fc.oneof(
  fc.oneof(...clientStyles.map(eventData)).map((data) => encode(`data: ${data}\n\n`)),
  jsonTexts.map((json) => encode(`event: error\ndata:${json}`)),
  lineEnds.map(encode),
  fc
    .constantFrom(
      "data: [DONE]",
      ": c",
      "\u{feff}",
      "data: 漢😀",
      "id",
      "error: x",
      "retry: 1",
      "{",
      "<html>",
    )
    .map(encode),
  fc.uint8Array({ maxLength: 6 }),
);

/** A body in one piece, and the same body in several pieces, cut at any places. */
export const cutBodies = fc
  .tuple(
    fc.array(streamPieces, { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 60 }),
  )
  .map(([pieces, sizes]) => {
    const whole = new Uint8Array(Buffer.concat(pieces));
    let from = 0;
    const cut = sizes.map((size) => whole.subarray(from, (from += size)));
    return { whole, cut: [...cut, whole.subarray(from)] };
  });
