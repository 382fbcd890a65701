import assert from "node:assert/strict";
import * as vscode from "vscode";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import type { Ask } from "../service/generation.ts";
import { ask, assistant, failureOf, findModel, type StrangersAnswer, user } from "./stranger.ts";
import { withOwnService } from "./withOwnService.ts";

const tools: readonly vscode.LanguageModelChatTool[] = [
  {
    name: "get_weather",
    description: "Tells the weather.",
    inputSchema: { type: "object", properties: { place: { type: "string" } } },
  },
  { name: "get_time", description: "Tells the time." },
];
const question = user("How is it in Ulm, and when?");

/** Two rounds: both tools at once, then one of them again. */
const twoRounds = ({ messages }: Ask) => {
  const rounds = messages.filter(({ role }) => role === "assistant").length;
  const names = [["get_weather", "get_time"], ["get_weather"]][rounds] ?? [];
  return names.map((name) => ({ name, arguments: JSON.stringify({ place: "Ulm" }) }));
};

/** The parts of an answer that another extension sends back. */
const keepers: Readonly<Record<string, (answer: StrangersAnswer) => readonly unknown[]>> = {
  "only the text and the calls": ({ text, calls }) => [text, ...calls],
  "the thinking as one part, with the metadata of the last part": ({ text, calls, others }) => [
    joinThinking(others),
    text,
    ...calls,
  ],
};

/** Joins thinking parts as VS Code's own chat does. */
function joinThinking(others: readonly unknown[]): unknown {
  const found: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
  assert.ok(typeof found === "function");
  const texts = others.map((part) => String(Reflect.get(Object(part), "value")));
  const metadata: unknown = others.map((part) => Reflect.get(Object(part), "metadata")).findLast(Boolean);
  return Reflect.construct(found, [texts.join(""), "id", metadata]);
}

const resultsOf = ({ calls }: StrangersAnswer): vscode.LanguageModelChatMessage =>
  user(
    ...calls.map(
      ({ callId, name }) =>
        new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(`${name} is fine`)]),
    ),
  );

describe("reasoning that a service requires back, in requests of other extensions", () => {
  const connection = withOwnService("Thinker", {
    calls: twoRounds,
    quirks: { demandsReasoning: true },
  });
  const statuses = () =>
    connection.service.journal.entries.filter(({ method }) => method === "POST").map(({ status }) => status);

  for (const clientStyle of clientStyles) {
    for (const [keeper, keep] of Object.entries(keepers)) {
      it(`is sent back in two rounds if the caller keeps ${keeper} (${clientStyle})`, async () => {
        await connection.connect({ clientStyle });
        const model = await findModel(connection.name);
        const messages = [question];
        let answer = await ask(model, messages, { tools: [...tools] });
        while (answer.calls.length > 0) {
          messages.push(assistant(...keep(answer)), resultsOf(answer));
          answer = await ask(model, messages, { tools: [...tools] });
        }
        assert.match(answer.text, /get_weather is fine/);
        const next = [...messages, assistant(answer.text), user("Answer with the word otter.")];
        assert.equal((await ask(model, next, { tools: [...tools] })).text, "otter");
        assert.deepEqual(statuses(), [200, 200, 200, 200]);
      });
    }

    it(`is not sent to another connection (${clientStyle})`, async () => {
      await connection.connect({ clientStyle });
      const first = await ask(await findModel(connection.name), [question], { tools: [...tools] });
      const other = `${connection.name} other`;
      await connection.connect({ name: other, clientStyle });
      const messages = [question, assistant(...first.others, first.text, ...first.calls), resultsOf(first)];
      const asking = ask(await findModel(other), messages, { tools: [...tools] });
      // Over Chat Completions, the service refuses a placeholder for the reasoning. Over Messages, the calls are sent
      // as text, which the service accepts.
      if (clientStyle === "chat-completions") assert.match((await failureOf(asking)).message, /rejected/i);
      else await asking;
      assert.equal(statuses()[1], 400);
    });
  }
});
