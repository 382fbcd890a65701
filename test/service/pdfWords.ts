import { inflateSync } from "node:zlib";

const streams = /\/Length (\d+)(\/Filter\/FlateDecode)?[^>]*>>\s*stream\r?\n/gu;

/** The words that the pages of a PDF file show as plain text, whether compressed or not. */
export function readPdfWords(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  const drawn = [...text.matchAll(streams)].map((match) => {
    const [head, length, isCompressed] = match;
    const start = match.index + head.length;
    const stream = bytes.subarray(start, start + Number(length));
    return (isCompressed === undefined ? stream : inflateSync(stream)).toString("latin1");
  });
  const words = drawn.flatMap((each) =>
    [...each.matchAll(/\(([^()]*)\)\s*Tj/gu)].map(([, word]) => word ?? ""),
  );
  return words.join(" ");
}
