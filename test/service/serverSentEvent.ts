/** Formats one server-sent event for the wire, with its data as JSON. */
export function formatEvent(data: object, event?: string): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

/** Reads the data of each event. Supports only streams of upstreams: UTF-8, LF or CRLF, one data line per event. */
export async function* readEventData(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/u);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) {
        yield line.slice("data:".length).trim();
      }
    }
  }
  if (rest.startsWith("data:")) {
    yield rest.slice("data:".length).trim();
  }
}
