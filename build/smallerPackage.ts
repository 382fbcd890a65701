import { deflateAsync } from "@gfx/zopfli";
import { compressAgain } from "./archive.ts";

/** Tries for each file; more take longer, and gain a few bytes. */
const tries = 1;

/** Compressed by their own format. */
const picture = /\.png$/;

/** The same package, some three in a hundred smaller: what is made once may take its time, what is loaded may not. */
export function smallerPackage(archive: Buffer): Promise<Buffer> {
  return compressAgain(archive, async (content, name) =>
    picture.test(name) ? undefined : deflateAsync(content, { numiterations: tries }),
  );
}
