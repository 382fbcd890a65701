import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import type { StreamPart } from "../../../src/protocol/conversation.ts";
import { EventTemplate } from "../../../src/protocol/eventTemplate.ts";
import { clientStyles, type ClientStyle } from "../../../src/protocol/wireStyle.ts";
import { wireStyles } from "../../../src/protocol/wireStyles.ts";

/** What one decoder makes of all events; and the same where no two begin alike, so that each is read as a whole. */
function decodeBothWays(style: ClientStyle, events: readonly string[]): readonly [unknown, unknown] {
  const unlike = events.map((data, index) => `${" ".repeat(index + 1)}${data}`);
  return [outcomeOf(style, events), outcomeOf(style, unlike)];
}

function outcomeOf(style: ClientStyle, events: readonly string[]): readonly string[] {
  const decoder = wireStyles[style].createStreamDecoder();
  return events.map((data) => {
    const parts = decoder.decode(data);
    const { finished, ended, isOver } = decoder;
    const outcome = JSON.stringify({ parts, finished, ended, isOver });
    // A call that came without an id is given one at random.
    return outcome.replaceAll(/"call_[0-9a-f]+_/g, '"call_');
  });
}

const texts = fc.constantFrom(
  "",
  "a",
  "b.",
  'a"}',
  "é\n",
  "\u0001",
  "\ud800",
  "text",
  "text_delta",
  "content",
  "content.",
  "delta",
  "message",
  "refusal",
  "finish_reason",
);
/** JSON as a service may write it: as it is, with every character escaped, with room around, or no text at all. */
const literals = fc
  .tuple(texts, fc.nat(3))
  .map(
    ([text, way]) =>
      [JSON.stringify(text), escaped(text), ` ${JSON.stringify(text)} `, "null"][way] ?? "null",
  );
const members = fc.constantFrom(
  '"x":"a"',
  '"text":"b"',
  '"\\u0063ontent":"content."',
  '"\\u0074ext":"text."',
  '"message":{"content":"delta."}',
  '"content":[{"type":"text","text":"a"}]',
  '"refusal":"a"',
  '"reasoning":"r"',
  '"function_call":{"name":"f","arguments":"{}"}',
  '"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{"}}]',
  '"finish_reason":"stop"',
  '"finish_reason":"length"',
  '"finish_reason":null',
  '"request_id":"r1"',
  '"request_id":"r2"',
  '"x_groq":{"id":"r3","usage":{"prompt_tokens":1}}',
  '"usage":{"prompt_tokens":1,"input_tokens":2}',
  '"error":{"message":"e"}',
  '"__proto__":{"refusal":"no"}',
);
const rest = fc.array(members, { maxLength: 2 }).map((chosen) => chosen.map((each) => `,${each}`).join(""));

/** An event with a hole for its text. */
type Shape = (text: string) => string;

const shapes: Readonly<Record<ClientStyle, fc.Arbitrary<Shape>>> = {
  "chat-completions": fc.tuple(rest, rest, rest, fc.constantFrom("content", "\\u0063ontent", "refusal")).map(
    ([inner, beside, outer, name]) =>
      (text) =>
        `{"choices":[{"delta":{"${name}":${text}${inner}}${beside}},{"delta":{"content":"a"}}]${outer}}`,
  ),
  messages: fc.tuple(fc.constantFrom("text_delta", "thinking_delta", "a"), rest, rest).map(
    ([type, inner, outer]) =>
      (text) =>
        `{"type":"content_block_delta","index":0,"delta":{"type":"${type}","text":${text}${inner}}${outer}}`,
  ),
};

/** Of few shapes, which come again and again with other texts, and of what stands in no shape. */
function streamsOf(style: ClientStyle): fc.Arbitrary<readonly string[]> {
  const others = fc.constantFrom("[DONE]", ": a comment", '[{"x":1}]', '{"type":"message_stop"}', "{}");
  return fc.array(shapes[style], { minLength: 1, maxLength: 3 }).chain((chosen) => {
    const event = fc.tuple(fc.constantFrom(...chosen), literals).map(([shape, text]) => shape(text));
    return fc.array(fc.oneof({ weight: 9, arbitrary: event }, others), { maxLength: 8 });
  });
}

function escaped(text: string): string {
  return `"${text.split("").map(escapeUnit).join("")}"`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const chunk = (content: string, more = ""): string =>
  `{"choices":[{"delta":{"content":"${content}"}}]${more}}`;
const ending = (content: string, reason: string): string =>
  `{"choices":[{"delta":{"content":"${content}"},"finish_reason":"${reason}"}]}`;
/** Streams in which the same JSON says another thing later on, or a name looks like a text. */
const misleading: Readonly<Record<ClientStyle, readonly (readonly string[])[]>> = {
  "chat-completions": [
    ["r1", "r1", "r2", "r1"].map((id) => chunk("a", `,"request_id":"${id}"`)),
    ["stop", "stop", "length", "stop"].map((reason) => ending("a", reason)),
    [chunk("a"), chunk("b"), ending("", "stop"), chunk("c"), chunk("")],
    [
      '{"choices":[{"delta":{"content":"delta"},"message":{"content":"delta."}}]}',
      '{"choices":[{"x":{"content":"delta"},"message":{"content":"delta."}}]}',
    ],
    [
      '{"choices":[{"delta":{"\\u0063ontent":"content.","content":"\\u0063ontent"}}]}',
      '{"choices":[{"delta":{"\\u0063ontent":"content.","refusal":"\\u0063ontent"}}]}',
      ending("", "stop"),
    ],
  ],
  messages: [
    ["text", "zzz"].map(
      (name) =>
        `{"type":"content_block_delta","delta":{"type":"text_delta","\\u0074ext":"text.","${name}":"\\u0074ext"}}`,
    ),
  ],
};

const alike: Readonly<Record<ClientStyle, Shape>> = {
  "chat-completions": (text) => chunk(text),
  messages: (text) => `{"type":"content_block_delta","delta":{"type":"text_delta","text":"${text}"}}`,
};

/** How many texts of a stream a template has read. */
function readByTemplate(style: ClientStyle, events: readonly string[]): number {
  const { mock: reads } = mock.method(EventTemplate.prototype, "read");
  outcomeOf(style, events);
  reads.restore();
  return reads.calls.filter(({ result }) => result !== undefined).length;
}

const said = (text: string): readonly StreamPart[] => [{ type: "text-delta", text }];

const padded = (padding: string): string => `{"text":"a","padding":"${padding}"}`;

const readMember = (data: string): string | undefined => {
  const value: unknown = JSON.parse(data);
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"
    ? value.text
    : undefined;
};

/** How often an event was learnt from, of a hundred; so many begin and end alike. */
function learningsOf(alikeOnes: number): number {
  const template = new EventTemplate();
  let count = 0;
  for (let index = 0; index < 100; index += 1) {
    const data = padded("x".repeat(index < alikeOnes ? 0 : index));
    if (template.read(data) !== undefined) continue;
    template.learn(data, "a", (each) => {
      count += 1;
      return readMember(each);
    });
  }
  return count;
}

describe("the template of an event", () => {
  for (const style of clientStyles) {
    it(`leaves out nothing that reading all of ${style} tells`, () => {
      fc.assert(
        fc.property(streamsOf(style), (events) => {
          const [fast, slow] = decodeBothWays(style, events);
          assert.deepEqual(fast, slow);
        }),
        { numRuns: 2000, examples: misleading[style].map((events) => [events]) },
      );
    });

    it(`reads all events of ${style} but the first that are alike`, () => {
      const events = ["one", "two", "three", ""].map(alike[style]);
      assert.equal(readByTemplate(style, events), 3);
    });
  }

  it("reads an event that differs in its text only", () => {
    const template = new EventTemplate();
    assert.equal(template.read('{"text":"a","more":1}'), undefined);
    template.learn('{"text":"a","more":1}', "a", readMember);
    assert.deepEqual(template.read('{"text":"b \\"c\\"","more":1}'), said('b "c"'));
    assert.deepEqual(template.read('{"text":"","more":1}'), []);
    for (const other of [
      '{"text":"a","more":2}',
      '{"text":"a","b":"c","more":1}',
      '{"text":1,"more":1}',
      '{"text":null,"b":"c","more":1}',
      '{"text":"a\n","more":1}',
      '{"text":","more":1}',
      '{"text":more":1}',
    ])
      assert.equal(template.read(other), undefined, other);
  });

  it("does not take the same letters in another place for the text", () => {
    const template = new EventTemplate();
    template.learn('{"name":"a","text":"\\u0061"}', "a", readMember);
    assert.equal(template.read('{"name":"b","text":"\\u0061"}'), undefined);
  });

  it("no longer learns where no two events are alike, and learns anew where they were", () => {
    assert.equal(learningsOf(0), 8);
    assert.equal(learningsOf(50), 51);
  });
});
