import assert from "node:assert/strict";
import fc from "fast-check";
import type { StreamPart } from "../../../src/protocol/conversation.ts";
import { EventTemplate } from "../../../src/protocol/eventTemplate.ts";
import { clientStyles, type ClientStyle } from "../../../src/protocol/wireStyle.ts";
import { wireStyles } from "../../../src/protocol/wireStyles.ts";

/** What one decoder makes of all events, and what it makes of them where no two begin alike. */
function decodeBothWays(style: ClientStyle, events: readonly string[]): readonly [unknown, unknown] {
  const unlike = events.map((data, index) => `${" ".repeat(index + 1)}${data}`);
  return [outcomeOf(style, events), outcomeOf(style, unlike)];
}

function outcomeOf(style: ClientStyle, events: readonly string[]): readonly string[] {
  const decoder = wireStyles[style].createStreamDecoder();
  return events.map((data) => {
    const outcome = JSON.stringify({ parts: decoder.decode(data), ended: decoder.ended });
    // A call that came without an id is given one at random.
    return outcome.replaceAll(/"call_[0-9a-f]+_/g, '"call_');
  });
}

const texts = fc.constantFrom("", "a", "text", "text_delta", "content", 'a"}', "é\n", "\u0001", "null");
/** JSON as a service may write it: as it is, with every character escaped, or with room around. */
const literals = fc
  .tuple(texts, fc.nat(2))
  .map(([text, way]) => [JSON.stringify(text), escaped(text), ` ${JSON.stringify(text)} `][way]);
const members = fc.constantFrom(
  '"x":"a"',
  '"text":"b"',
  '"refusal":"no"',
  '"reasoning":"r"',
  '"function_call":{"name":"f","arguments":"{}"}',
  '"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{"}}]',
  '"finish_reason":"stop"',
  '"request_id":"r1"',
  '"error":{"message":"e"}',
);
const rest = fc.array(members, { maxLength: 2 }).map((chosen) => chosen.map((each) => `,${each}`).join(""));

const eventsOf: Readonly<Record<ClientStyle, fc.Arbitrary<string>>> = {
  "chat-completions": fc
    .tuple(literals, rest, rest, rest)
    .map(
      ([text, inner, beside, outer]) =>
        `{"choices":[{"delta":{"content":${text}${inner}}${beside}}]${outer}}`,
    ),
  messages: fc
    .tuple(fc.constantFrom("text_delta", "thinking_delta", "a"), literals, rest, rest)
    .map(
      ([type, text, inner, outer]) =>
        `{"type":"content_block_delta","index":0,"delta":{"type":"${type}","text":${text}${inner}}${outer}}`,
    ),
};

function escaped(text: string): string {
  return `"${text.split("").map(escapeUnit).join("")}"`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
function learningsOf(alike: number): number {
  const template = new EventTemplate();
  let count = 0;
  for (let index = 0; index < 100; index += 1) {
    const data = padded("x".repeat(index < alike ? 0 : index));
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
      const event = eventsOf[style];
      const alike = fc.tuple(event, literals).map(([each, text]) => [each, each.replace('"a"', text ?? "")]);
      const streams = fc.array(alike, { minLength: 1, maxLength: 6 }).map((pairs) => pairs.flat());
      fc.assert(
        fc.property(streams, (events) => {
          const [fast, slow] = decodeBothWays(style, events);
          assert.deepEqual(fast, slow);
        }),
        { numRuns: 2000 },
      );
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
      '{"text":"a\n","more":1}',
      '{"text":","more":1}',
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
