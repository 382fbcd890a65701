import assert from "node:assert/strict";
import { expectedTokens } from "../../../../src/chat/session/spentTokens.ts";
import { compactPrompt } from "../../../../src/chat/transcript/compaction.ts";
import { promptText } from "../../../../src/chat/prompts/promptTemplates.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { TestTools } from "../../../support/testTools.ts";
import { SessionBench } from "./sessionBench.ts";

const prompt = { name: compactPrompt, text: promptText(compactPrompt) };

for (const style of clientStyles) {
  describe(`a compacted chat, in the ${style} style`, () => {
    let service: ReferenceService;
    let bench: SessionBench;

    before(async () => {
      service = await startReferenceService();
    });
    after(() => service.close());
    beforeEach(() => {
      service.journal.clear();
      bench = new SessionBench(service.origin, service.keys.add({}));
      bench.style = style;
      bench.tools = new TestTools();
    });
    afterEach(() => assert.equal(service.script.left, 0, "The script was not played to its end."));

    /** The messages of the last request, as text. */
    const lastRequest = (): string => JSON.stringify(bench.requests.at(-1));
    /** Asks for a summary, and returns it. */
    const compact = async (): Promise<string> => {
      await bench.session.send(`/${compactPrompt}`, [], { prompt });
      return bench.lastAnswer.text.trim();
    };

    it("sends the first message, files and commands, and the summary instead of the earlier turns", async () => {
      const tools = new TestTools();
      bench.tools = tools;
      tools.result = async (call) => ({
        outcome: "done",
        text: "a long result",
        ...(call.name === "run_command" ? { facts: { exitCode: 1 } } : {}),
        ...(call.name === "edit_file" ? { facts: { path: "src/a.ts", added: 2, removed: 1 } } : {}),
      });
      service.script.add([
        {
          send: [
            { call: "read_file", arguments: { path: "src/b.ts" } },
            { call: "edit_file", arguments: { path: "src/a.ts" } },
            { call: "run_command", arguments: { command: "npm test" } },
          ],
        },
        { send: [{ text: "I changed it." }] },
      ]);
      await bench.session.send("Change A in a.ts");
      const summary = await compact();
      bench.tools = undefined;
      await bench.session.send("Go on");
      const sent = lastRequest();
      assert.match(sent, /word for word:\\nChange A in a\.ts/u);
      assert.match(sent, /Files that were changed:\\n- src\/a\.ts/u);
      assert.match(sent, /Files that were read:\\n- src\/b\.ts/u);
      assert.match(sent, /npm test \(exit code 1\)/u);
      assert.ok(summary !== "" && sent.includes(JSON.stringify(summary).slice(1, -1)));
      assert.match(sent, /Go on/u);
      assert.doesNotMatch(sent, /a long result|I changed it|Leave out greetings/u);
      assert.equal(bench.turns.length, 6, "The chat itself stays as it is.");
    });

    it("offers no tools in the request for a summary", async () => {
      await bench.session.send("First");
      await compact();
      assert.equal(service.journal.answers.at(-1)?.fields?.includes("tools"), false);
    });

    it("goes on as before if the summary fails", async () => {
      bench.tools = undefined;
      await bench.session.send("First");
      const { text } = bench.lastAnswer;
      service.failNext({ status: 400 });
      await compact();
      assert.equal(bench.lastAnswer.state.kind, "failed");
      await bench.session.send("Second");
      assert.ok(lastRequest().includes(JSON.stringify(text.trim()).slice(1, -1)));
      assert.doesNotMatch(lastRequest(), /left out to save space/u);
    });

    it("names the first message of all if it is compacted again", async () => {
      bench.tools = undefined;
      await bench.session.send("One");
      await compact();
      await bench.session.send("Two");
      await compact();
      await bench.session.send("Three");
      assert.match(lastRequest(), /word for word:\\nOne/u);
      assert.equal(lastRequest().split("left out to save space").length, 2);
      assert.doesNotMatch(lastRequest(), /Two/u);
    });

    it("needs fewer tokens for the next question", async () => {
      bench.tools = undefined;
      await bench.session.send("long ".repeat(200));
      await bench.session.send("long ".repeat(5000));
      const question = { text: "Next", attachments: [], instructions: [] };
      const before = expectedTokens(bench.session.transcript, question);
      await compact();
      const after = expectedTokens(bench.session.transcript, question);
      assert.ok(after * 4 < before, `${after} of ${before}`);
    });

    it("cuts results in the request for a summary so that they fit the context window", async () => {
      bench.room = { contextWindow: 4000, maxTokens: 500, charactersPerToken: 4 };
      const tools = new TestTools();
      bench.tools = tools;
      tools.result = async () => ({ outcome: "done", text: "x".repeat(90_000) });
      service.script.add([
        { send: [{ call: "read_file", arguments: { path: "a" } }] },
        { send: [{ text: "Done." }] },
      ]);
      await bench.session.send("Read");
      await compact();
      assert.ok(lastRequest().length < 4000 * 4, String(lastRequest().length));
      assert.match(lastRequest(), /xxx \(cut\)/u);
    });
  });
}
