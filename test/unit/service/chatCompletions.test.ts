import assert from "node:assert/strict";
import { array, looseObject, number, parse, string } from "valibot";
import { countTokens } from "../../service/tokens.ts";
import { ask, chatPath, openDesk, post, splitEvents, type Desk } from "./fixture.ts";

const wholeSchema = looseObject({
  object: string(),
  choices: array(looseObject({ message: looseObject({ content: string() }), finish_reason: string() })),
  usage: looseObject({ prompt_tokens: number(), completion_tokens: number(), total_tokens: number() }),
});

async function complete(desk: Desk, body: object) {
  const response = await post(desk, chatPath, body);
  assert.equal(response.status, 200);
  const answer = parse(wholeSchema, await response.json());
  return { text: answer.choices[0]?.message.content, reason: answer.choices[0]?.finish_reason, answer };
}

describe("reference service: POST /v1/chat/completions", () => {
  it("returns a whole answer with usage and bills that usage", async () => {
    await using desk = await openDesk();
    const { text, reason, answer } = await complete(desk, ask("hello there"));
    assert.match(text ?? "", /> hello there/u);
    assert.equal(reason, "stop");
    assert.equal(answer.object, "chat.completion");
    const output = countTokens(text ?? "");
    assert.deepEqual(answer.usage, {
      prompt_tokens: 2,
      completion_tokens: output,
      total_tokens: output + 2,
    });
    assert.equal(desk.service.keys.spent(desk.key), output + 2);
  });

  it("returns the same text for the same message, streamed or whole", async () => {
    await using desk = await openDesk();
    const first = await complete(desk, ask("/rich please"));
    const second = await complete(desk, ask("/rich please"));
    assert.equal(first.text, second.text);
    const stream = await (await post(desk, chatPath, ask("/rich please", { stream: true }))).text();
    const pieces = splitEvents(stream).flatMap(
      ({ data }) => /"content":("(?:[^"\\]|\\.)*")/u.exec(data) ?? [],
    );
    const text = pieces
      .filter((_piece, index) => index % 2 === 1)
      .map((piece) => parse(string(), JSON.parse(piece)));
    assert.equal(text.join(""), first.text);
  });

  it("streams role, content, finish reason, usage, and [DONE], in this order", async () => {
    await using desk = await openDesk();
    const body = ask("/long 40", { stream: true, stream_options: { include_usage: true } });
    const response = await post(desk, chatPath, body);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const data = splitEvents(await response.text()).map((event) => event.data);
    assert.match(data[0] ?? "", /"delta":\{"role":"assistant","content":""\}.*"usage":null/u);
    assert.match(data[1] ?? "", /"delta":\{"content":"A "\}/u);
    assert.match(data.at(-3) ?? "", /"delta":\{\},.*"finish_reason":"stop"/u);
    assert.match(data.at(-2) ?? "", /"choices":\[\],"usage":\{"prompt_tokens":2,/u);
    assert.equal(data.at(-1), "[DONE]");
  });

  it("sends a usage chunk only on request", async () => {
    await using desk = await openDesk();
    const stream = await (await post(desk, chatPath, ask("hi", { stream: true }))).text();
    assert.doesNotMatch(stream, /usage/u);
  });

  it("obeys max_tokens from 1 up, and the lower of two caps", async () => {
    await using desk = await openDesk();
    const one = await complete(desk, ask("hello", { max_tokens: 1 }));
    assert.equal(one.answer.usage.completion_tokens, 1);
    assert.equal(one.reason, "length");
    const lower = await complete(desk, ask("hello", { max_tokens: 5, max_completion_tokens: 3 }));
    assert.equal(lower.answer.usage.completion_tokens, 3);
    const exact = await complete(desk, ask("/long 4", { max_tokens: 2 }));
    assert.deepEqual([exact.text, exact.reason], ["A lo", "stop"]);
    const none = await complete(desk, ask("/long 900", { max_tokens: null }));
    assert.equal(none.text?.length, 900);
  });

  it("accepts text parts, every role, and unknown fields", async () => {
    await using desk = await openDesk();
    const parts = [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ];
    const { text, answer } = await complete(desk, {
      model: "service-mini",
      temperature: 0.5,
      made_up: { deep: true },
      messages: [
        { role: "system", content: "be kind" },
        { role: "developer", content: "be brief" },
        { role: "user", content: "first" },
        { role: "assistant", content: "an answer" },
        { role: "user", content: parts, name: "someone" },
      ],
    });
    assert.match(text ?? "", /> one two/u);
    assert.equal(answer.usage.prompt_tokens, 9);
  });
});
