import { crc32, deflateSync, inflateSync } from "node:zlib";

// Constants of the PNG format (W3C, third edition).
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const colours = 32;

/**
 * Reduces an image to its 32 most frequent colors; each other color becomes the nearest of them. The result has a
 * quarter of the bytes, and a screenshot of a window looks the same.
 *
 * @param png with 8 bits each for red, green and blue, as browsers make it
 */
export function reduceColours(png: Buffer): Buffer {
  const header = dataOf(png, "IHDR");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.readUInt16BE(8) !== 0x08_02) throw new Error("The image does not have 8 bits and three colors.");
  const pixels = unfilter(inflateSync(dataOf(png, "IDAT")), width * 3, height);
  const palette = frequentColours(pixels);
  const nearest = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++) {
    const colour = pixels.readUIntBE(at * 3, 3);
    const index = nearest.get(colour) ?? nearestOf(palette, colour);
    nearest.set(colour, index);
    rows[at + Math.floor(at / width) + 1] = index;
  }
  header[9] = 3;
  const table = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) table.writeUIntBE(colour, index * 3, 3);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", table),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns the joined data of all chunks of a type. */
function dataOf(png: Buffer, wanted: string): Buffer {
  const found: Buffer[] = [];
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = at + 8;
    if (png.toString("latin1", at + 4, data) === wanted) {
      found.push(png.subarray(data, data + png.readUInt32BE(at)));
    }
  }
  return Buffer.concat(found);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Reverses the PNG filters of each line; a pixel has three bytes. */
function unfilter(filtered: Buffer, length: number, height: number): Buffer {
  const pixels = Buffer.alloc(length * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (length + 1)] ?? 0;
    for (let column = 0; column < length; column++) {
      const at = row * length + column;
      const left = column < 3 ? 0 : (pixels[at - 3] ?? 0);
      const above = row === 0 ? 0 : (pixels[at - length] ?? 0);
      const corner = row === 0 || column < 3 ? 0 : (pixels[at - length - 3] ?? 0);
      pixels[at] = (filtered[at + row + 1] ?? 0) + predict(filter, left, above, corner);
    }
  }
  return pixels;
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 4) {
    const distance = (to: number): number => Math.abs(left + above - corner - to);
    if (distance(left) <= distance(above) && distance(left) <= distance(corner)) return left;
    return distance(above) <= distance(corner) ? above : corner;
  }
  return [0, left, above, (left + above) >> 1][filter] ?? 0;
}

function frequentColours(pixels: Buffer): readonly number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, first], [, second]) => second - first);
  return sorted.slice(0, colours).map(([colour]) => colour);
}

function nearestOf(palette: readonly number[], colour: number): number {
  const distances = palette.map((each) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((each >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}
