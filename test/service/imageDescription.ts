import { inflateSync } from "node:zlib";

const colours: Readonly<Record<string, readonly [number, number, number]>> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
};

/** Describes a PNG by its upper and lower color. Expects 8-bit RGB and unfiltered lines. */
export function describeImage(bytes: Buffer): string {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const lines = inflateSync(Buffer.concat(dataChunks(bytes)));
  const upper = nearest(lines.subarray(1, 4));
  const lower = nearest(lines.subarray((height - 1) * (1 + width * 3) + 1));
  return `A picture of ${width} by ${height} pixels: ${upper} above, ${lower} below.`;
}

function dataChunks(bytes: Buffer): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") {
      chunks.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
    }
  }
  return chunks;
}

function nearest(pixel: Buffer): string {
  const distance = (colour: readonly number[]): number =>
    colour.reduce((sum, value, index) => sum + Math.abs(value - (pixel[index] ?? 0)), 0);
  const sorted = Object.entries(colours).toSorted(([, one], [, other]) => distance(one) - distance(other));
  return sorted[0]?.[0] ?? "";
}
