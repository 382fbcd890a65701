import { createParser, type EventSourceMessage } from "eventsource-parser";
import { parseJson } from "../conversation/json.ts";
import { UnreadableStreamError } from "../conversation/wireStyle.ts";

/** One event of a stream; `event` is its name, absent for the default. */
export type ServerSentEvent = Pick<EventSourceMessage, "data" | "event">;

/** Longest line, and longest event, that is held while its end has not come; in characters. */
export const maxEventCharacters = 4 * 1024 * 1024;

/** Turns the bytes of one stream into events (WHATWG HTML, section 9.2.6). Not shared between streams. */
export interface EventReader {
  /**
   * Takes the bytes of one read; returns the events they complete.
   * @throws UnreadableStreamError `too-large`
   */
  feed(bytes: Uint8Array): readonly ServerSentEvent[];
  /** The stream is over: returns what an event without its final blank line held. */
  end(): readonly ServerSentEvent[];
}

/**
 * Reads UTF-8 with or without BOM, lines ended by LF, CRLF or CR wherever reads cut them. A field
 * `error:`, which is in no standard but sent by llama.cpp, is read as an event of that name. Some servers
 * end an event with one line feed: a line of data behind a whole object is another event.
 */
export function createEventReader(): EventReader {
  let events: ServerSentEvent[] = [];
  let tooLong = false;
  /** The beginning of a line whose end has not come. */
  let line = "";
  /** The last whole line is data that may be an object, so that a line of data behind it is another event. */
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
    // The parser drops the beginning of a line it does not know, so it gets whole lines only.
    if (end > 0 && !tooLong) {
      const lines = line + text.slice(0, end);
      // A line end may be cut between its two characters.
      if (mayBeWhole && /^\n?data:/.test(lines)) parser.feed(lines.startsWith("\n") ? "\n\n" : "\n");
      parser.feed(endEvents(lines));
      mayBeWhole = endsInObject(lines) || (mayBeWhole && lines === "\n");
    }
    line = end > 0 ? text.slice(end) : line + text;
    if (line.length > maxEventCharacters) throw new UnreadableStreamError("too-large", line);
    // The events before the one that is too long are handed out first.
    if (tooLong && events.length === 0) throw new UnreadableStreamError("too-large", "");
    return events;
  };
  return {
    feed: (bytes) => parse(decoder.decode(bytes, { stream: true })),
    // Three line ends: one for the line, one for the event, one that a CR before them may swallow.
    end: () => parse(`${decoder.decode()}\n\n\n`),
  };
}

/** Ends each event whose data is a whole object where the next line is data as well. */
function endEvents(lines: string): string {
  // Where events end as the standard has it, neither of these is found.
  if (!["}\ndata:", "}\r\ndata:", "}\rdata:"].some((end) => lines.includes(end))) return lines;
  return lines.replace(/^data: ?(\{.*\})(?:\r\n?|\n)(?=data:)/gm, (line, object: string) =>
    parseJson(object) === undefined ? line : `${line}\n`,
  );
}

/** Whether the last line is data that is a whole object. */
function endsInObject(lines: string): boolean {
  const last = lines.replace(/\r?\n$|\r$/, "");
  if (!last.endsWith("}")) return false;
  const object = /(?:^|[\r\n])data: ?(\{.*\})$/.exec(last)?.[1];
  return object !== undefined && parseJson(object) !== undefined;
}

/** Start of the text behind the last line's end; 0 if no line ends. */
function endOfLines(text: string): number {
  const end = text.lastIndexOf("\n") + 1;
  return end + text.slice(end).lastIndexOf("\r") + 1;
}
