import assert from "node:assert/strict";
import { array, looseObject, null_, number, parse, string } from "valibot";
import { countTokens } from "../../service/tokens.ts";
import { ask, messagesPath, openDesk, post, splitEvents } from "./fixture.ts";

const wholeSchema = looseObject({
  type: string(),
  role: string(),
  content: array(looseObject({ type: string(), text: string() })),
  stop_reason: string(),
  stop_sequence: null_(),
  usage: looseObject({ input_tokens: number(), output_tokens: number() }),
});

describe("reference service: POST /v1/messages", () => {
  it("returns a whole answer with usage and bills that usage", async () => {
    await using desk = await openDesk();
    const response = await post(desk, messagesPath, ask("hello there", { system: "be kind" }));
    const answer = parse(wholeSchema, await response.json());
    const text = answer.content[0]?.text ?? "";
    assert.match(text, /> hello there/u);
    assert.deepEqual([answer.type, answer.role, answer.stop_reason], ["message", "assistant", "end_turn"]);
    assert.deepEqual(answer.usage, { input_tokens: 4, output_tokens: countTokens(text) });
    assert.equal(desk.service.keys.spent(desk.key), 4 + countTokens(text));
  });

  it("accepts a query, text parts as system, and a max_tokens of 1", async () => {
    await using desk = await openDesk();
    const body = ask("hello", { max_tokens: 1, system: [{ type: "text", text: "be kind", cache: 1 }] });
    const answer = parse(wholeSchema, await (await post(desk, `${messagesPath}?beta=true`, body)).json());
    assert.equal(answer.stop_reason, "max_tokens");
    assert.deepEqual(answer.usage, { input_tokens: 3, output_tokens: 1 });
  });

  const result = { type: "tool_result", tool_use_id: "a", content: "Rain." };
  const text = { type: "text", text: "Go on." };
  const calling = [
    { role: "user", content: "Look." },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input: {} }] },
  ];
  const shapes: readonly (readonly [string, readonly object[], RegExp?])[] = [
    ["results ahead of text", [...calling, { role: "user", content: [result, text] }]],
    ["text ahead of results", [...calling, { role: "user", content: [text, result] }], /ahead of all else/u],
    ["two messages of one role", ["a", "b"].map((content) => ({ role: "user", content })), /follows itself/u],
    ["blank text", [{ role: "user", content: [text, { type: "text", text: " \n" }] }], /not be blank/u],
    ["blank content", [{ role: "user", content: "" }], /not be blank/u],
  ];
  for (const [name, messages, sentence] of shapes) {
    it(`${sentence === undefined ? "takes" : "refuses"} ${name}`, async () => {
      await using desk = await openDesk();
      const response = await post(desk, messagesPath, ask("", { messages }));
      assert.equal(response.status, sentence === undefined ? 200 : 400);
      if (sentence !== undefined) assert.match(await response.text(), sentence);
    });
  }

  it("streams named events in the order of the Messages style", async () => {
    await using desk = await openDesk();
    const response = await post(desk, messagesPath, ask("/long 4", { stream: true }));
    const events = splitEvents(await response.text());
    assert.deepEqual(
      events.map(({ name }) => name),
      [
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
      ],
    );
    for (const { name, data } of events) {
      assert.equal(parse(looseObject({ type: string() }), JSON.parse(data)).type, name);
    }
    assert.match(events[3]?.data ?? "", /"index":0,"delta":\{"type":"text_delta","text":"A "\}/u);
    assert.match(events[6]?.data ?? "", /"stop_reason":"end_turn".*"output_tokens":2/u);
  });
});
