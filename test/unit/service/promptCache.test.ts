import assert from "node:assert/strict";
import { looseObject, number, optional, parse } from "valibot";
import { ask, type Desk, fakeKey, messagesPath, openDesk, post } from "./fixture.ts";

const usageSchema = looseObject({
  usage: looseObject({
    input_tokens: number(),
    cache_read_input_tokens: optional(number()),
    cache_creation_input_tokens: optional(number()),
  }),
});

const mark = { cache_control: { type: "ephemeral" } };
const text = (words: string, more: object = mark): object => ({ type: "text", text: words, ...more });
const turn = (role: string, content: unknown): object => ({ role, content });

async function countsOf(
  desk: Pick<Desk, "service" | "key">,
  body: object,
): Promise<readonly (number | undefined)[]> {
  const { usage } = parse(usageSchema, await (await post(desk, messagesPath, body)).json());
  return [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
}

describe("reference service: cache marks", () => {
  it("counts tokens written and read up to the last mark, in strings and blocks", async () => {
    await using desk = await openDesk();
    const first = ask("", { system: [text("be kind")], messages: [turn("user", [text("one")])] });
    assert.deepEqual(await countsOf(desk, first), [0, 3, 0]);
    assert.deepEqual(await countsOf(desk, first), [0, 0, 3]);
    const second = ask("", {
      system: "be kind",
      messages: [turn("user", "one"), turn("assistant", "1"), turn("user", [text("two"), text("three", {})])],
    });
    assert.deepEqual(await countsOf(desk, second), [1, 2, 3]);
  });

  it("separates the caches of different keys and prompts", async () => {
    await using desk = await openDesk();
    const body = ask("", { messages: [turn("user", [text("one")])] });
    await countsOf(desk, body);
    const other = { service: desk.service, key: desk.service.keys.add({}, fakeKey("other")) };
    assert.deepEqual(await countsOf(other, body), [0, 1, 0]);
    assert.deepEqual(await countsOf(desk, { ...body, system: "be brief" }), [0, 3, 0]);
  });

  it("counts no cache tokens without marks", async () => {
    await using desk = await openDesk();
    assert.deepEqual(await countsOf(desk, ask("one")), [1, undefined, undefined]);
    assert.equal(desk.service.journal.entries[0]?.cacheMarks, 0);
  });

  const refused: readonly (readonly [string, object, RegExp])[] = [
    [
      "a fifth mark",
      {
        messages: [
          turn(
            "user",
            Array.from("abcde", (word) => text(word)),
          ),
        ],
      },
      /maximum of 4 .* Found 5/u,
    ],
    [
      "an unknown type of mark",
      { tools: [{ name: "look", input_schema: {}, cache_control: { type: "forever" } }] },
      /tools\.0\.cache_control\.type/u,
    ],
    [
      "a mark that is no object",
      { system: [text("be kind", { cache_control: true })] },
      /system\.0\.cache_control/u,
    ],
  ];
  for (const [name, more, sentence] of refused) {
    it(`refuses ${name}`, async () => {
      await using desk = await openDesk();
      const response = await post(desk, messagesPath, ask("one", more));
      assert.equal(response.status, 400);
      assert.match(await response.text(), sentence);
    });
  }

  it("refuses every mark, and a list of texts in `system`, if told to", async () => {
    await using desk = await openDesk({ quirks: { refuse: ["cache_control", "blocks"] } });
    const marked = await post(desk, messagesPath, ask("", { messages: [turn("user", [text("one")])] }));
    assert.match(
      await marked.text(),
      /messages\.0\.content\.0\.cache_control: Extra inputs are not permitted/u,
    );
    const listed = await post(desk, messagesPath, ask("one", { system: [text("be kind", {})] }));
    assert.match(await listed.text(), /system: Input should be a valid string/u);
    assert.equal((await post(desk, messagesPath, ask("one", { system: "be kind" }))).status, 200);
  });
});
