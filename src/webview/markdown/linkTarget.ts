import { hostEnding } from "./hostEndings.ts";

/** What a part of a host's name is made of. */
const letter = String.raw`[\p{L}\p{M}\p{N}_-]`;
/** The start of a word, and no later part of a name or path: a file's and a member's are none of a host. */
const start = String.raw`(?<!${letter}[./\\]?)`;
/** Addresses anywhere in a text, the place that each names, and what else belongs to it. */
const addressInText = new RegExp(
  [
    String.raw`(?:[a-z][a-z0-9+.-]{0,30}:\/\/|${start}(?=www\.))(?<authority>[^\s/?#]*)\S*`,
    String.raw`(?<![^\s/@:])(?<mailbox>[^\s/@:]+@[^\s/@]+\.\p{L}{2,})`,
    String.raw`${start}(?<host>(?:${letter}+\.)+${hostEnding}(?!${letter}|\.${letter}|\(\))(?::\d+)?)(?:[/?#]\S*)?`,
  ].join("|"),
  "giu",
);

/**
 * Where a link really leads, in short, if an address in its text names another place; undefined where it does not lie.
 * Hosts are compared as they are written: one in look-alike letters is another. What is not seen must not hide one.
 */
export function toldTarget(shown: string, address: string): string | undefined {
  const target = new URL(address);
  const place = target.protocol === "mailto:" ? decode(target.pathname) : target.host;
  const named = [...placesIn(shown), ...placesIn(shown.replaceAll(/\p{DI}/gu, ""))];
  return named.every((each) => each === bare(place)) ? undefined : place;
}

/** Mailboxes, and hosts with whatever stands ahead of them, as the text writes them. */
function placesIn(text: string): readonly string[] {
  return [...text.matchAll(addressInText)].map(({ groups }) =>
    bare(groups?.["authority"] ?? groups?.["mailbox"] ?? groups?.["host"] ?? ""),
  );
}

/** Without the marks of the sentence around it. */
function bare(place: string): string {
  return place
    .toLowerCase()
    .replaceAll(/^[\p{P}\p{S}]+|(?<![\p{P}\p{S}])[\p{P}\p{S}]+$/gu, "")
    .replace(/^www\./, "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
