import assert from "node:assert/strict";
import * as v from "valibot";
import { decodeBytes } from "../../../src/text/decodeBytes.ts";
import { tellFigure } from "../../support/figures.ts";
import { legacyBytes } from "../../support/legacyBytes.ts";
import { readSharedCases, type SharedCase } from "./sharedCases.ts";

/** Encodings by the words of a case. */
const encodings: readonly (readonly [RegExp, string])[] = [
  [/utf-?16-?be/, "utf-16be"],
  [/utf-?16/, "utf-16le"],
  [/s-?jis|shift/, "shift_jis"],
  [/euc-?jp/, "euc-jp"],
  [/gbk|gb-?2312|gb-?18030/, "gb18030"],
  [/big-?5/, "big5"],
  [/euc-?kr|cp949/, "euc-kr"],
  [/koi8/, "koi8-r"],
  [/latin|8859-1\b|(?:cp|windows-?|win)1252/, "windows-1252"],
];

/** Encodes the text as the words of the case describe. */
function bytesOf({ id, input }: SharedCase, text: string): Uint8Array {
  const words = `${id} ${String(input)}`.toLowerCase();
  const plain = new TextEncoder().encode(text);
  if (/bad.?byte|broken/.test(words)) {
    const lines = Buffer.concat(Array.from({ length: 14 }, () => Buffer.from(`${text}\n`)));
    lines.writeUInt8(0xff, lines.length - 1);
    return lines;
  }
  if (/utf-?8/.test(words))
    return /bom|mark/.test(words) ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]) : plain;
  const codePage = /(?:cp|windows-?|win)(125\d|874)\b/.exec(words)?.[1];
  const encoding =
    encodings.find(([pattern]) => pattern.test(words))?.[1] ?? (codePage && `windows-${codePage}`);
  if (encoding === undefined) throw new Error(`${id}: no encoding matches these words`);
  const bytes = legacyBytes(encoding, text);
  const isMarked = encoding.startsWith("utf-16") && !/no-?bom|without|no mark/.test(words);
  const mark = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
  return isMarked ? Buffer.concat([Buffer.from(mark), bytes]) : bytes;
}

describe("the shared cases of encodings", () => {
  it("produce the expected text", () => {
    const cases = readSharedCases("encoding");
    const missed = cases.flatMap((each) => {
      const expected = v.parse(v.string(), each.expect);
      const read = decodeBytes(bytesOf(each, expected));
      const text = read.kind === "text" ? read.text : undefined;
      return text === expected || text?.startsWith(`${expected}\n`) === true ? [] : [{ id: each.id, read }];
    });
    assert.deepEqual(missed, []);
    if (cases.length > 0) tellFigure(`shared cases: encoding, ${cases.length} of ${cases.length} right`);
  });
});
