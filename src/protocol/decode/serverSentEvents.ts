import { createParser, type EventSourceMessage } from "eventsource-parser";
import { parseJson } from "../conversation/json.ts";
import { UnreadableStreamError } from "../conversation/wireStyle.ts";

/** One event of a stream. `event` is its name; absent for the default name. */
export type ServerSentEvent = Pick<EventSourceMessage, "data" | "event">;

/** Maximum length of a line or event that is buffered until its end arrives, in UTF-16 code units. */
export const maxEventCharacters = 4 * 1024 * 1024;

/** Ends an event after a complete line. If that line ends with CR, the first LF still belongs to its line end. */
const eventEnd = "\n\n";

/** Parses the bytes of one stream into events (WHATWG HTML, section 9.2.6). Not shared between streams. */
export interface EventReader {
  /**
   * Adds the bytes of one read and returns the events that they complete.
   * @throws UnreadableStreamError `too-large`
   */
  feed(bytes: Uint8Array): readonly ServerSentEvent[];
  /** Ends the stream and returns the remaining events, even a last event without its final empty line. */
  end(): readonly ServerSentEvent[];
}

/**
 * Reads UTF-8 with or without BOM, and lines that end with LF, CRLF or CR at any chunk boundary. Reads the non-standard
 * field `error:` of llama.cpp as an event named `error`. Some servers send no empty line between events: after a
 * complete object, another data line is a new event.
 */
export function createEventReader(): EventReader {
  let events: ServerSentEvent[] = [];
  let tooLong = false;
  /** The start of an incomplete line. */
  let line = "";
  /** Whether the last line may be a complete object. A data line after it is then another event. */
  let mayBeWhole = false;
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: (event) => void events.push(event),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") tooLong = true;
      else if (error.field === "error") events.push({ event: "error", data: error.value ?? "" });
    },
  });
  const parse = (text: string): readonly ServerSentEvent[] => {
    events = [];
    const end = endOfLines(text);
    // Pass complete lines only, because the parser drops the start of a line with an unknown field.
    if (end > 0 && !tooLong) {
      const lines = line + text.slice(0, end);
      // A chunk may end between the CR and LF of a line end.
      if (mayBeWhole && /^\n?data:/.test(lines)) parser.feed(eventEnd);
      parser.feed(endEvents(lines));
      mayBeWhole = endsInObject(lines) || (mayBeWhole && lines === "\n");
    }
    line = end > 0 ? text.slice(end) : line + text;
    if (line.length > maxEventCharacters) throw new UnreadableStreamError("too-large", line);
    // Return the events before the overlong one first.
    if (tooLong && events.length === 0) throw new UnreadableStreamError("too-large", "");
    return events;
  };
  return {
    feed: (bytes) => parse(decoder.decode(bytes, { stream: true })),
    // Three line ends: for the line, for the event, and one in case a preceding CR absorbs the first.
    end: () => parse(`${decoder.decode()}\n\n\n`),
  };
}

/** Matches the end of an object with a data line right after it. Absent if events end as the standard requires. */
const unendedObject = /\}(?:\r\n?|\n)data:/;

/** Ends an event after a complete object if the next line is data too. */
function endEvents(lines: string): string {
  if (!unendedObject.test(lines)) return lines;
  return lines.replace(/^data: ?(\{.*\})(?:\r\n?|\n)(?=data:)/gm, (line, object: string) =>
    parseJson(object) === undefined ? line : line + eventEnd,
  );
}

/** Whether the last line is data with a complete object. */
function endsInObject(lines: string): boolean {
  const last = lines.replace(/\r?\n$|\r$/, "");
  if (!last.endsWith("}")) return false;
  const object = /(?:^|[\r\n])data: ?(\{.*\})$/.exec(last)?.[1];
  return object !== undefined && parseJson(object) !== undefined;
}

/** Returns the offset after the last line end; 0 if there is none. */
function endOfLines(text: string): number {
  const end = text.lastIndexOf("\n") + 1;
  return end + text.slice(end).lastIndexOf("\r") + 1;
}
