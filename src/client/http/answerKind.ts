/** What an answer is by its first characters; its label is not to be trusted. */
export type AnswerKind = "events" | "json" | "html" | "text";

const fieldNames = ["data:", "event:", "id:", "retry:", "error:", ":"];

/**
 * Names the kind of an answer, or undefined while more of it is needed.
 *
 * @param head the beginning, without blanks in front
 * @param labelledEvents whether the answer calls itself an event stream
 */
export function answerKindOf(head: string, labelledEvents: boolean): AnswerKind | undefined {
  if (head === "") return undefined;
  if (head.startsWith("{") || head.startsWith("[")) return "json";
  if (head.startsWith("<")) return "html";
  if (labelledEvents || startsWithField(head)) return "events";
  return fieldNames.some((name) => name.startsWith(head)) ? undefined : "text";
}

/** Whether a text begins as a line of an event stream does. */
export function startsWithField(head: string): boolean {
  return fieldNames.some((name) => head.startsWith(name));
}

/** How many bytes at the beginning are blanks, line ends or a byte order mark. */
export function blankPrefixLength(bytes: Uint8Array): number {
  const end = bytes.findIndex((byte) => !blankBytes.has(byte));
  return end === -1 ? bytes.length : end;
}

const blankBytes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
