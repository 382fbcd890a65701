import { decodePercents } from "../../text/escapes.ts";
/** What a part of a host's name is made of. */
const letter = String.raw`[\p{L}\p{M}\p{N}_-]`;
/** The start of a word, and no later part of a name or path: a file's and a member's are none of a host. */
const start = String.raw`(?<!${letter}[./\\]?)`;
/** Those of countries, but for `md`, `py`, `rs` and `sh`, which in a chat about code are files. */
const countries =
  "a[c-gilmoq-uwxz]|b[abd-jm-or-twyz]|c[acdf-ik-oru-z]|d[ejkmoz]|e[cegr-u]|f[i-kmor]|g[ad-il-np-uwy]|h[kmnrtu]|i[del-oq-t]|j[emop]|k[eg-imnprwyz]|l[a-cikr-vy]|m[aceghk-z]|n[ace-gilopruz]|om|p[ae-hk-nr-tw]|qa|r[eouw]|s[a-egik-or-vx-z]|t[cdf-hj-ortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]";
/** Of the others those that many hosts have, and few members of code: with all, each `axios.post` would be one. */
const genericEndings =
  "com|net|org|edu|gov|mil|info|biz|example|onion|app|art|bank|blog|cloud|club|dev|email|finance|fun|help|host|icu|life|live|money|news|online|page|pro|sbs|shop|site|space|store|support|tech|today|top|vip|website|wiki|win|work|world|xyz|xn--[a-z0-9-]+";

/** The end of a host's name, as the source of a regular expression; one in letters that are not ASCII is always one. */
const hostEnding = String.raw`(?:${countries}|${genericEndings}|(?:md|py|rs|sh)(?=\/)|(?=\p{L}*[^\p{ASCII}])\p{L}{2,})`;
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
export function actualTarget(shown: string, address: string): string | undefined {
  const target = new URL(address);
  const place = target.protocol === "mailto:" ? decodePercents(target.pathname) : target.host;
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
