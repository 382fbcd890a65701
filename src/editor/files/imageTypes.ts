/** The kinds of pictures that services take, by a file name's ending. */
const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export const imageEndings = Object.keys(typesByEnding);

/** The media type of a picture that can be sent; undefined for every other file. */
export function imageTypeOf(name: string): string | undefined {
  return typesByEnding[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
}

export function isImageType(mediaType: string): boolean {
  return Object.values(typesByEnding).includes(mediaType);
}
