import { decodePercents } from "../../text/escapes.ts";
/** A character of a label in a host name. */
const letter = String.raw`[\p{L}\p{M}\p{N}_-]`;
/** The start of a word, but not a later part of a path or name: in `src/a.io`, `a.io` is not a host. */
const start = String.raw`(?<!${letter}[./\\]?)`;
/** Country domains, without `md`, `py`, `rs` and `sh`: in a chat about code these are file extensions. */
const countries =
  "a[c-gilmoq-uwxz]|b[abd-jm-or-twyz]|c[acdf-ik-oru-z]|d[ejkmoz]|e[cegr-u]|f[i-kmor]|g[ad-il-np-uwy]|h[kmnrtu]|i[del-oq-t]|j[emop]|k[eg-imnprwyz]|l[a-cikr-vy]|m[aceghk-z]|n[ace-gilopruz]|om|p[ae-hk-nr-tw]|qa|r[eouw]|s[a-egik-or-vx-z]|t[cdf-hj-ortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]";
/** Common generic domains that are rarely names of members. With the full list, `axios.post` would be a host. */
const genericEndings =
  "com|net|org|edu|gov|mil|info|biz|example|onion|app|art|bank|blog|cloud|club|dev|email|finance|fun|help|host|icu|life|live|money|news|online|page|pro|sbs|shop|site|space|store|support|tech|today|top|vip|website|wiki|win|work|world|xyz|xn--[a-z0-9-]+";

/** The last label of a host name, as a regular expression. A label with letters outside ASCII always matches. */
const hostEnding = String.raw`(?:${countries}|${genericEndings}|(?:md|py|rs|sh)(?=\/)|(?=\p{L}*[^\p{ASCII}])\p{L}{2,})`;
/** Addresses anywhere in a text. The named groups hold the host or mailbox; the rest of an address is matched, too. */
const addressInText = new RegExp(
  [
    String.raw`(?:[a-z][a-z0-9+.-]{0,30}:\/\/|${start}(?=www\.))(?<authority>[^\s/?#]*)\S*`,
    String.raw`(?<![^\s/@:])(?<mailbox>[^\s/@:]+@[^\s/@]+\.\p{L}{2,})`,
    String.raw`${start}(?<host>(?:${letter}+\.)+${hostEnding}(?!${letter}|\.${letter}|\(\))(?::\d+)?)(?:[/?#]\S*)?`,
  ].join("|"),
  "giu",
);

/**
 * The host or mailbox that a link opens if an address in its text names another one; otherwise undefined. Compares
 * hosts as written, so look-alike letters differ. Also searches the text without invisible characters.
 */
export function actualTarget(shown: string, address: string): string | undefined {
  const target = new URL(address);
  const place = target.protocol === "mailto:" ? decodePercents(target.pathname) : target.host;
  const named = [...placesIn(shown), ...placesIn(shown.replaceAll(/\p{DI}/gu, ""))];
  return named.every((each) => each === bare(place)) ? undefined : place;
}

/** The mailboxes and hosts in a text, in the form of `bare`. A host includes any user name before it. */
function placesIn(text: string): readonly string[] {
  return [...text.matchAll(addressInText)].map(({ groups }) =>
    bare(groups?.["authority"] ?? groups?.["mailbox"] ?? groups?.["host"] ?? ""),
  );
}

/** Removes surrounding punctuation and `www.`, and converts to lower case. */
function bare(place: string): string {
  return place
    .toLowerCase()
    .replaceAll(/^[\p{P}\p{S}]+|(?<![\p{P}\p{S}])[\p{P}\p{S}]+$/gu, "")
    .replace(/^www\./, "");
}
