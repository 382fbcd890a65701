import type { Ending, Endings, Fault } from "../fault.ts";
import { firstText, frameOf, fullText, type GoodBody, textEvent } from "../goodAnswers.ts";
import { headOf, sendAnswer, sizedHead } from "../rawAnswers.ts";

/** The correct answer with another content type. */
function labelled(name: string, contentType: string | undefined): Fault {
  return {
    name,
    ends: "works",
    keepsLine: true,
    answer: async (line, { body }) => {
      const length = { "content-length": body.bytes.length };
      await line.send(
        headOf(200, contentType === undefined ? length : { "content-type": contentType, ...length }),
      );
      await line.send(body.bytes);
    },
  };
}

/** Another body with a success status; by default with the content type of the correct answer. */
function instead(
  name: string,
  ends: Ending | Endings,
  content: string | Uint8Array,
  type?: string,
  more: Partial<Fault> = {},
): Fault {
  return {
    name,
    ends,
    keepsLine: true,
    ...more,
    answer: (line, { body }) => sendAnswer(line, 200, content, { "content-type": type ?? body.contentType }),
  };
}

/** The correct answer with changed bytes. */
function spoiled(name: string, change: (body: GoodBody) => Uint8Array, more: Partial<Fault> = {}): Fault {
  return {
    name,
    ends: "works",
    keepsLine: true,
    ...more,
    answer: async (line, { body }) => {
      const bytes = Buffer.from(change(body));
      await line.send(sizedHead({ ...body, bytes }));
      await line.send(bytes);
    },
  };
}

/** The correct stream after an extra event, which must change nothing. */
function precededBy(name: string, event: string): Fault {
  return spoiled(name, ({ bytes }) => Buffer.concat([Buffer.from(event), bytes]), {
    ends: { chat: "works" },
  });
}

const replaceIn = (bytes: Buffer, found: string, put: string): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll(Buffer.from(found).toString("latin1"), put), "latin1");

const deep = (open: string, close: string, inner = "1"): string =>
  `${open.repeat(100_000)}${inner}${close.repeat(100_000)}`;

const poison = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
const owned = `${poison},"hasOwnProperty":1,"toString":null,"valueOf":{}`;

/**
 * Adds members that are named like those of JavaScript's own objects. A stream gets them in an extra event without
 * text, JSON in one piece in each of its objects.
 */
function poisoned({ bytes, contentType }: GoodBody): Buffer {
  const text = bytes.toString();
  if (contentType === "application/json") return Buffer.from(text.replaceAll("{", `{${owned},`));
  const empty = `"delta":{${owned},"type":"text_delta","text":"","content":""}`;
  const members = `"type":"content_block_delta","index":0,${empty},"choices":[{${owned},"index":0,${empty}}]`;
  return Buffer.from(`data: {${owned},${members}}\n\n${text}`);
}

const countMembers = /"(?:\w+_tokens|max_model_len)":\d+/g;
/** JavaScript reads the first two as infinite, and the last only rounded. */
const noCounts = ["1e999", "-1e999", "123456789012345678901234567890"];

/** Replaces all token counts. */
function beyondDoubles({ bytes }: GoodBody): Buffer {
  let replaced = 0;
  const replace = (member: string): string => {
    const count = noCounts[replaced % noCounts.length] ?? "";
    replaced += 1;
    return member.replace(/\d+$/, count);
  };
  return Buffer.from(bytes.toString().replaceAll(countMembers, replace));
}

export const texts: readonly Fault[] = [
  labelled("content type text/plain", "text/plain; charset=utf-8"),
  labelled("content type text/html", "text/html"),
  labelled("content type image/png", "image/png"),
  labelled("content type application/json", "application/json"),
  labelled("content type text/event-stream", "text/event-stream"),
  labelled("an invalid content type", ";;=,"),
  labelled("no content type", undefined),
  instead("an empty body", { chat: "interrupted", whole: "not-an-api", list: "not-an-api" }, ""),
  instead("an HTML page", "not-an-api", "<!doctype html><html><title>Welcome</title></html>", "text/html"),
  instead("an HTML page as JSON", "not-an-api", "<html>Welcome</html>", "application/json"),
  instead("plain text", "not-an-api", "It works!", "text/plain"),
  instead("JSON that is null", "not-an-api", "null", "application/json"),
  instead("JSON that is a number", "not-an-api", "42", "application/json"),
  instead("an empty JSON object", "not-an-api", "{}", "application/json"),
  instead("an unrelated JSON object", "not-an-api", '{"status":"ok","uptime":1}', "application/json"),
  instead("JSON that breaks off", "interrupted", '{"choices":[{"mess', "application/json"),
  instead(
    "an error with a success status",
    "overloaded",
    '{"error":{"type":"overloaded_error","message":"Overloaded"}}',
    "application/json",
  ),
  instead(
    "JSON 100,000 lists deep",
    // No entry is a model, so the list is empty.
    { chat: "not-an-api", whole: "not-an-api", list: "works" },
    deep("[", "]"),
    "application/json",
    { text: "" },
  ),
  instead("JSON 100,000 objects deep", "not-an-api", deep('{"a":', "}"), "application/json"),
  instead("an error 100,000 objects deep", "unknown", deep('{"error":', "}"), "application/json"),
  spoiled(
    "an event 100,000 lists deep",
    ({ bytes }) => Buffer.concat([Buffer.from(`data: ${deep("[", "]")}\n\n`), bytes]),
    {
      ends: { chat: "unknown" },
      text: "",
    },
  ),
  precededBy("an event 100,000 objects deep", `data: ${deep('{"a":', "}")}\n\n`),
  precededBy(
    "a comment, an event name, an ID, a retry time and an unknown field",
    ": hi\n\nevent: ping\nid: 1\nretry: 9\nodd: x\ndata:\n\n",
  ),
  spoiled("a byte order mark", ({ bytes }) => Buffer.concat([Buffer.from("\u{feff}"), bytes])),
  spoiled("members named like those of JavaScript's own objects", poisoned),
  spoiled("token counts that JavaScript cannot represent exactly", beyondDoubles, { uncounted: true }),
  spoiled("bytes that are not UTF-8", ({ bytes }) => replaceIn(bytes, "ö", "\xff\xfe"), {
    text: `${firstText}w\ufffd\ufffdrld`,
  }),
  spoiled("half of a surrogate pair", ({ bytes }) => replaceIn(bytes, "ö", "\\ud800"), {
    text: `${firstText}w\ud800rld`,
  }),
  spoiled("a NUL character", ({ bytes }) => replaceIn(bytes, "ö", "\\u0000"), {
    text: `${firstText}w\0rld`,
  }),
  spoiled(
    "carriage returns as line breaks",
    ({ bytes }) => Buffer.from(bytes.toString().replaceAll("\n", "\r")),
    {
      text: fullText,
      ends: { chat: "works" },
    },
  ),
  spoiled(
    "an event without valid JSON after the first text",
    ({ bytes, marks }) => Buffer.concat([bytes.subarray(0, marks.firstText), Buffer.from("data: {oops\n\n")]),
    {
      text: firstText,
      ends: { chat: "unknown" },
    },
  ),
  spoiled(
    "an error after the first text",
    ({ bytes, marks }) =>
      Buffer.concat([
        bytes.subarray(0, marks.firstText),
        Buffer.from('event: error\ndata: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'),
      ]),
    {
      text: firstText,
      ends: { chat: "overloaded" },
    },
  ),
  spoiled(
    "text and a second finish reason after the finish reason",
    ({ bytes, marks }) => Buffer.concat([bytes.subarray(0, marks.finish), bytes]),
    { text: fullText + fullText, ends: { chat: "works" } },
  ),
  {
    name: "text of a million characters in one event",
    ends: { chat: "works" },
    text: "x".repeat(1_000_000),
    keepsLine: true,
    answer: async (line, { style, body }) => {
      const { opening, closing } = frameOf(style);
      const bytes = Buffer.from(opening + textEvent(style, "x".repeat(1_000_000)) + closing.join(""));
      await line.send(sizedHead({ ...body, bytes }));
      await line.send(bytes);
    },
  },
];
