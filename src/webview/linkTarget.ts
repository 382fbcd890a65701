/** A text that reads as an address: with its scheme, or a host's name alone. */
const addressInText =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)|^[^\s/@]+\.(?:com|org|net|io|dev|app|ai|co|edu|gov|info|example)(?:[:/?#]|$)/i;
const mailbox = /^[^\s/@]+@[^\s/@]+\.[^\s/@]+$/;

/**
 * Where a link really leads, in short, if its text reads as an address and names another place; undefined where it
 * does not lie. Hosts are compared as they are written: one in look-alike letters is another.
 */
export function toldTarget(shown: string, address: string): string | undefined {
  const text = shown.trim();
  const target = new URL(address);
  const place = target.protocol === "mailto:" ? decode(target.pathname) : target.host;
  if (target.protocol === "mailto:" && text.toLowerCase() === address.toLowerCase()) return undefined;
  if (!addressInText.test(text) && !mailbox.test(text)) return undefined;
  return placeIn(text) === bare(place) ? undefined : place;
}

/** The mailbox, or the host with whatever stands ahead of it, as the text writes it. */
function placeIn(text: string): string {
  return bare(mailbox.test(text) ? text : (/^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(text)?.[1] ?? ""));
}

function bare(place: string): string {
  return place.toLowerCase().replace(/^www\./, "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
