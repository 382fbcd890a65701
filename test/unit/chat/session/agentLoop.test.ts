import assert from "node:assert/strict";
import type { ToolRun } from "../../../../src/chat/agent/answerTools.ts";
import { type CallResult, changedFiles } from "../../../../src/chat/transcript/steps.ts";
import { expectedNextRequest } from "../../../../src/chat/session/spentTokens.ts";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import type { AnswerTurn, TranscriptEvent } from "../../../../src/chat/transcript/transcript.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { clearedResult } from "../../../../src/chat/session/clearedResults.ts";
import type { ScriptPart, ScriptStep } from "../../../service/script.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { TestTools } from "../../../support/testTools.ts";
import { SessionBench } from "./sessionBench.ts";

const read = (path: string): ScriptPart => ({ call: "read_file", arguments: { path } });

function outcomes({ steps = [] }: AnswerTurn): readonly string[] {
  return steps.flatMap(({ calls }) =>
    calls.map(({ state }) => (state.kind === "settled" ? state.result.outcome : state.kind)),
  );
}

function attachedFile(name: string, text: string): Attachment {
  const content = { type: "text", text, language: "" } as const;
  return { id: name, kind: "file", name, detail: name, characters: text.length, content };
}

function attachedPdf(name: string): Attachment {
  const content = { type: "pdf", data: "JVBERi0=" } as const;
  return { id: name, kind: "pdf", name, detail: name, characters: 0, content };
}

function attachedImage(name: string): Attachment {
  const content = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  return { id: name, kind: "image", name, detail: name, characters: 0, content };
}

for (const style of clientStyles) {
  describe(`an answer with tools, in the ${style} style`, () => {
    let service: ReferenceService;
    let bench: SessionBench;
    let tools: TestTools;

    before(async () => {
      service = await startReferenceService();
    });
    after(() => service.close());
    beforeEach(() => {
      service.journal.clear();
      bench = new SessionBench(service.origin, service.keys.add({}));
      bench.style = style;
      tools = new TestTools();
      bench.tools = tools;
    });
    afterEach(() => {
      service.quirks = { ...service.quirks, demandsReasoning: false };
      assert.equal(service.script.left, 0, "The script was not played to its end.");
    });

    const play = (...steps: readonly ScriptStep[]): void => service.script.add(steps);

    it("runs the calls, sends their results back, and ends with the text", async () => {
      play(
        {
          expect: {
            tools: ["ask_user", "list_folder", "read_file", "search_text"],
            system: "You are in Plan mode.",
            user: "Explain a.ts",
          },
          send: [{ text: "I look." }, read("a.ts"), read("b.ts")],
        },
        { expect: { results: ["a.ts", "b.ts"] }, send: [{ text: "It adds numbers." }] },
      );
      await bench.session.send("Explain a.ts");
      const answer = bench.lastAnswer;
      assert.deepEqual(answer.state, { kind: "complete", reason: "stop" });
      assert.equal(answer.text, "I look.It adds numbers.");
      assert.deepEqual(outcomes(answer), ["done", "done"]);
      assert.equal(answer.steps?.[0]?.textEnd, "I look.".length);
      assert.equal(answer.mode, "plan");
      assert.deepEqual(bench.page, bench.session.transcript);
    });

    it("sends the images of results after them, or a note to a model that takes none", async () => {
      const image = { mediaType: "image/png", data: "aGk=" };
      tools.result = async () => ({ outcome: "done", text: "Drawn.", images: [image, image] });
      for (const takesImages of [true, false]) {
        bench.room = { maxTokens: 2000, charactersPerToken: 4, takesImages };
        const note = takesImages ? "They follow after the results." : "this model takes no images";
        const images = takesImages ? 4 : 0;
        const results = Array.from({ length: 2 }, () => `Drawn.\n(The result has 2 images`);
        play(
          { send: [read("a.ts"), read("b.ts")] },
          { expect: { results, images }, send: [{ text: "One." }] },
          { send: [{ text: "Two." }] },
        );
        await bench.session.send("Draw");
        assert.ok(JSON.stringify(bench.requests.at(-1)).includes(note));
        await bench.session.send("Again");
        assert.equal(
          JSON.stringify(bench.requests.at(-1)).split('"aGk="').length - 1,
          images * (takesImages ? 1 : 0),
        );
      }
    });

    it("counts the tokens of all requests", async () => {
      play({ send: [read("a.ts")] }, { send: [{ text: "Done." }] });
      await bench.session.send("Count");
      const [first, second] = service.journal.entries.map(({ inputTokens }) => inputTokens);
      assert.equal(bench.lastAnswer.usage?.inputTokens, (first ?? 0) + (second ?? 0));
    });

    it("sends the whole answer with the next question", async () => {
      play({ send: [{ text: "I look." }, read("a.ts")] }, { send: [{ text: "Done." }] });
      await bench.session.send("one");
      play({ expect: { user: "two" }, send: [{ text: "Second answer." }] });
      await bench.session.send("two");
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("sends earlier calls as text if the next question offers no tools", async () => {
      play({ send: [read("a.ts")] }, { send: [{ text: "Done." }] });
      await bench.session.send("one");
      bench.tools = undefined;
      await bench.session.send("two");
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("sends reasoning back unchanged with its calls", async () => {
      service.quirks = { ...service.quirks, demandsReasoning: true };
      play(
        { send: [{ reasoning: "I need the file." }, { text: "I look." }, read("a.ts")] },
        { expect: { results: ["a.ts"] }, send: [{ reasoning: "Enough." }, { text: "Done." }] },
      );
      await bench.session.send("Think");
      assert.equal(bench.lastAnswer.state.kind, "complete");
      play({ send: [{ text: "Again." }] });
      await bench.session.send("And now?");
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("sends no reasoning to another host under the same connection name", async () => {
      play({ send: [{ reasoning: "I need the file." }, read("a.ts")] }, { send: [{ text: "Done." }] });
      await bench.session.send("Think");
      assert.equal(bench.lastAnswer.origin, service.origin);
      const isSent = async (question: string): Promise<boolean> => {
        play({ expect: { user: question }, send: [{ text: "Again." }] });
        await bench.session.send(question);
        return bench.sent.some(({ content }) => content.some(({ type }) => type === "reasoning"));
      };
      assert.ok(await isSent("To the same host"));
      bench.namedOrigin = "https://other.example";
      assert.ok(!(await isSent("To another host")));
    });

    it("never runs a call whose arguments are broken or cut, and says so to the model", async () => {
      play(
        { send: [{ call: "read_file", arguments: '{"path": "a' }] },
        { expect: { results: ["not a JSON object"] }, send: [read("b.ts"), { end: "length" }] },
        { expect: { results: ["token limit"] }, send: [{ text: "Done." }] },
      );
      await bench.session.send("Break");
      assert.equal(tools.calls.length, 0);
      assert.deepEqual(outcomes(bench.lastAnswer), ["invalid", "invalid"]);
    });

    it("never runs a call whose arguments are nested too deep, and says so to the model", async () => {
      const depth = 20_000;
      const nested = `${'{"a":'.repeat(depth)}{}${"}".repeat(depth)}`;
      play(
        { send: [{ call: "read_file", arguments: nested }] },
        { expect: { results: ["nested more than 100 levels deep"] }, send: [{ text: "Done." }] },
      );
      await bench.session.send("Nest");
      assert.equal(tools.calls.length, 0);
      assert.deepEqual(outcomes(bench.lastAnswer), ["invalid"]);
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("runs at most 32 of the calls that come at once", async () => {
      play(
        { send: Array.from({ length: 100 }, (_, index) => read(`${index}.ts`)) },
        {
          expect: {
            results: Array.from({ length: 100 }, (_, index) => (index < 32 ? `${index}.ts` : "at most 32")),
          },
          send: [{ text: "Done." }],
        },
      );
      await bench.session.send("Many");
      assert.equal(tools.calls.length, 32);
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("tells the model about a repeated call, and asks the user at the third time", async () => {
      play(
        { send: [read("a.ts")] },
        { expect: { results: ["contents"] }, send: [read("a.ts")] },
        { expect: { results: ["You made this same call before"] }, send: [read("a.ts")] },
      );
      const paused = bench.next(({ type }) => type === "paused");
      const sending = bench.session.send("Loop");
      await paused;
      const { arriving } = bench.session.transcript;
      assert.deepEqual(arriving?.state, {
        kind: "paused",
        reason: { type: "loop", tool: "read_file", count: 3 },
      });
      bench.session.replyToPause(arriving?.id ?? "", false);
      await sending;
      assert.deepEqual(bench.lastAnswer.state, { kind: "stopped" });
    });

    it("asks the user after three failed calls in a row, and goes on if the user agrees", async () => {
      tools.result = async () => ({ outcome: "failed", text: "There is no such file." });
      play(
        { send: [read("a.ts"), read("b.ts"), read("c.ts")] },
        { expect: { results: ["no such", "no such", "no such"] }, send: [{ text: "I give up." }] },
      );
      const paused = bench.next(({ type }) => type === "paused");
      const sending = bench.session.send("Fail");
      await paused;
      const { arriving } = bench.session.transcript;
      assert.deepEqual(arriving?.state, { kind: "paused", reason: { type: "failures", count: 3 } });
      bench.session.replyToPause(arriving?.id ?? "", true);
      await sending;
      assert.deepEqual(bench.lastAnswer.state, { kind: "complete", reason: "stop" });
    });

    it("asks the user when the requests are used up, and allows as many again", async () => {
      tools.maxRequests = 2;
      play(
        { send: [read("1.ts")] },
        { send: [read("2.ts")] },
        { send: [read("3.ts")] },
        { send: [{ text: "Done." }] },
      );
      let pauses = 0;
      bench.onEvents = (events: readonly TranscriptEvent[]) => {
        for (const event of events) {
          if (event.type !== "paused") continue;
          pauses += 1;
          assert.deepEqual(event.reason, { type: "requests", count: 2 });
          const { arriving } = bench.session.transcript;
          queueMicrotask(() => bench.session.replyToPause(arriving?.id ?? "", true));
        }
      };
      await bench.session.send("Budget");
      assert.equal(pauses, 1);
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("stops if a token cap forbids the next request", async () => {
      tools.maySendNext = false;
      play({ send: [read("a.ts")] });
      await bench.session.send("Cap");
      assert.deepEqual(bench.lastAnswer.state, { kind: "stopped" });
      assert.equal(service.journal.entries.length, 1);
    });

    it("asks the user for a call, and gives the reply to the tool", async () => {
      tools.result = async (_call, { ask }) => {
        const reply = await ask({ type: "question", question: "Which?", options: [] });
        return { outcome: "done", text: reply.type === "answer" ? reply.text : "" };
      };
      play(
        { send: [{ call: "ask_user", arguments: { question: "Which?" } }] },
        { expect: { results: ["the second"] }, send: [{ text: "Thanks." }] },
      );
      const asked = bench.next(({ type }) => type === "call-asks");
      const sending = bench.session.send("Ask me");
      await asked;
      const { arriving } = bench.session.transcript;
      bench.session.replyToCall(arriving?.id ?? "", 0, { type: "answer", text: "the second" });
      await sending;
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("ends at once when it is stopped while a tool runs, and the next question is accepted", async () => {
      tools.result = (_call, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      play({ send: [read("a.ts"), read("b.ts")] });
      const started = bench.next(({ type }) => type === "call-started");
      const sending = bench.session.send("Stop me");
      await started;
      bench.session.stop();
      await sending;
      assert.deepEqual(bench.lastAnswer.state, { kind: "stopped" });
      assert.deepEqual(outcomes(bench.lastAnswer), ["stopped", "stopped"]);
      play({ expect: { user: "next" }, send: [{ text: "Yes?" }] });
      await bench.session.send("next");
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("keeps the result of a call that ends although it is stopped", async () => {
      const result: CallResult = { outcome: "done", text: "Edited.", facts: { path: "a.ts", added: 1 } };
      tools.result = (_call, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(result)));
      play({ send: [read("a.ts"), read("b.ts")] });
      const started = bench.next(({ type }) => type === "call-started");
      const sending = bench.session.send("Stop me");
      await started;
      bench.session.stop();
      await sending;
      assert.deepEqual(bench.lastAnswer.state, { kind: "stopped" });
      assert.deepEqual(outcomes(bench.lastAnswer), ["done", "stopped"]);
      assert.equal(changedFiles(bench.lastAnswer.steps ?? []).length, 1);
    });

    it("shows no card and no output of a call that has ended", async () => {
      const ended: ToolRun[] = [];
      const shown: string[] = [];
      const asked = Promise.withResolvers<void>();
      bench.onEvents = (events) => {
        for (const { type } of events) if (type === "call-asks" || type === "call-output") shown.push(type);
        if (shown.includes("call-asks")) asked.resolve();
      };
      const useEnded = async (): Promise<void> => {
        for (const { ask, showOutput } of ended) {
          showOutput("late");
          const refused = assert.rejects(ask({ type: "question", question: "Late?", options: [] }));
          await Promise.race([refused, asked.promise]);
        }
      };
      tools.result = async (_call, run) => {
        // The same call of the step before.
        await useEnded();
        ended.push(run);
        return { outcome: "done", text: "text" };
      };
      play({ send: [read("a.ts")] }, { send: [read("b.ts")] }, { send: [{ text: "Done." }] });
      await bench.session.send("Explain");
      await useEnded();
      assert.deepEqual(outcomes(bench.lastAnswer), ["done", "done"]);
      assert.deepEqual(shown, []);
    });

    it("ends at once when it is stopped while a card waits", async () => {
      tools.result = async (_call, { ask }) => {
        await ask({ type: "approval", reason: "sensitive-file", path: ".env" });
        return { outcome: "done", text: "" };
      };
      play({ send: [read(".env")] });
      const asked = bench.next(({ type }) => type === "call-asks");
      const sending = bench.session.send("Read .env");
      await asked;
      bench.session.stop();
      await sending;
      assert.deepEqual(outcomes(bench.lastAnswer), ["stopped"]);
    });

    it("sends a message typed while it works with the next request", async () => {
      let taken: Promise<boolean> | undefined;
      tools.result = async () => {
        taken = bench.session.enqueue({ text: "Also look at b.ts" });
        return { outcome: "done", text: "text" };
      };
      play({ send: [read("a.ts")] }, { expect: { user: "Also look at b.ts" }, send: [{ text: "Done." }] });
      await bench.session.send("Explain");
      const [step] = bench.lastAnswer.steps ?? [];
      assert.deepEqual(step?.messages, [{ by: "user", text: "Also look at b.ts" }]);
      assert.equal(await taken, true);
    });

    it("sends the attachments of such a message with it, and keeps them in the answer", async () => {
      const attachments = [attachedFile("b.ts", "the text of b"), attachedImage("shot.png")];
      tools.result = async () => {
        void bench.session.enqueue({ text: "Also look at this", attachments });
        return { outcome: "done", text: "text" };
      };
      play({ send: [read("a.ts")] }, { expect: { user: "Also look at this" }, send: [{ text: "Done." }] });
      await bench.session.send("Explain");
      assert.deepEqual(bench.lastAnswer.steps?.[0]?.messages, [
        { by: "user", text: "Also look at this", attachments },
      ]);
      const last = bench.requests[1]?.at(-1)?.content ?? [];
      assert.deepEqual(
        last.map(({ type }) => type),
        ["tool-result", "image", "text"],
      );
      const text = last.find((part) => part.type === "text")?.text ?? "";
      assert.match(text, /<attachment kind="file" name="b\.ts"[^]*the text of b[^]*Also look at this$/);
      // A later question sends it again.
      play({ send: [{ text: "Yes." }] });
      await bench.session.send("And now?");
      assert.match(JSON.stringify(bench.requests[2]), /the text of b/);
    });

    for (const takesPdf of [true, false])
      it(`sends the PDF file of such a message by what is known then: ${takesPdf}`, async () => {
        const known = { maxTokens: 2000, charactersPerToken: 4 };
        bench.room = { ...known, takesPdf: !takesPdf };
        tools.result = async () => {
          bench.room = { ...known, takesPdf };
          void bench.session.enqueue({ text: "And the plan", attachments: [attachedPdf("plan.pdf")] });
          return { outcome: "done", text: "text" };
        };
        play({ send: [read("a.ts")] }, { expect: { user: "And the plan" }, send: [{ text: "Done." }] });
        await bench.session.send("Explain");
        const types = (bench.requests[1]?.at(-1)?.content ?? []).map(({ type }) => type);
        assert.deepEqual(types, ["tool-result", ...(takesPdf ? ["pdf"] : []), "text"]);
      });

    it("counts waiting messages with their attachments before it asks a cap", async () => {
      const before: number[] = [];
      const count = (): void => void before.push(expectedNextRequest(bench.session.transcript));
      tools.result = async () => {
        count();
        void bench.session.enqueue({ text: "1234", attachments: [attachedFile("b.ts", "x".repeat(4000))] });
        count();
        return { outcome: "done", text: "text" };
      };
      play({ send: [read("a.ts")] }, { send: [{ text: "Done." }] });
      await bench.session.send("Explain");
      assert.equal((before[1] ?? 0) - (before[0] ?? 0), 1001);
    });

    it("returns a message that no further request took", async () => {
      play({ send: [{ text: "Done." }] });
      const arrived = bench.firstText();
      const sending = bench.session.send("Explain");
      await arrived;
      const taken = bench.session.enqueue({ text: "Too late" });
      await sending;
      assert.equal(await taken, false);
    });

    it("asks again if the model writes a call as text, and then shows the text", async () => {
      const written = 'I call <tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';
      play(
        { send: [{ text: written }] },
        { expect: { user: "You wrote a tool call as text" }, send: [{ text: written }] },
      );
      await bench.session.send("Write");
      assert.equal(bench.lastAnswer.text, written + written);
      assert.equal(bench.lastAnswer.state.kind, "complete");
    });

    it("resumes a failed answer from its last finished step", async () => {
      play({ send: [{ text: "I look." }, read("a.ts")] });
      tools.result = async (call) => {
        service.failNext({ status: 401 });
        return { outcome: "done", text: `contents of ${JSON.stringify(call.arguments)}` };
      };
      await bench.session.send("Explain");
      assert.equal(bench.lastAnswer.state.kind, "failed");
      const { id } = bench.lastAnswer;
      play({ expect: { results: ["a.ts"] }, send: [{ text: "It adds." }] });
      // The changes are open again, since the answer may write files again.
      bench.session.settleChanges(id, "kept");
      assert.equal(bench.lastAnswer.changes, "kept");
      await bench.session.resume(id);
      assert.equal(bench.lastAnswer.changes, undefined);
      assert.equal(bench.lastAnswer.id, id);
      assert.equal(bench.lastAnswer.text, "I look.It adds.");
      assert.deepEqual(bench.lastAnswer.state, { kind: "complete", reason: "stop" });
      assert.deepEqual(bench.page, bench.session.transcript);
    });

    it("tells the model of a resumed answer that its changes were undone", async () => {
      play({ send: [{ text: "I look." }, read("a.ts")] });
      tools.result = async () => {
        service.failNext({ status: 401 });
        return { outcome: "done", text: "Edited." };
      };
      await bench.session.send("Change");
      const { id } = bench.lastAnswer;
      bench.session.settleChanges(id, "undone");
      play({ expect: { user: "I have undone the changes" }, send: [{ text: "I see." }] });
      await bench.session.resume(id);
      assert.equal(bench.lastAnswer.text, "I look.I see.");
      assert.deepEqual(bench.page, bench.session.transcript);
    });

    it("clears the oldest results at 70% of the context window", async () => {
      bench.room = { contextWindow: 12_000, maxTokens: 2000, charactersPerToken: 4 };
      const large = "x ".repeat(5000);
      tools.result = async () => ({ outcome: "done", text: large });
      play(
        { send: [read("1.ts")] },
        { send: [read("2.ts")] },
        { send: [read("3.ts")] },
        { send: [{ text: "Done." }] },
      );
      await bench.session.send("Fill");
      const counts = service.journal.entries.map(({ inputTokens }) => inputTokens);
      assert.ok((counts[3] ?? 0) < (counts[1] ?? 0) * 3, counts.join(" "));
      assert.ok(clearedResult.length > 0);
    });

    it("clears the images of old results with their texts", async () => {
      bench.room = { contextWindow: 20_000, maxTokens: 1000, charactersPerToken: 4, takesImages: true };
      const image = { mediaType: "image/png", data: "aGk=" };
      tools.result = async () => ({ outcome: "done", text: "Drawn.", images: [image, image, image] });
      play(...["1.ts", "2.ts", "3.ts", "4.ts"].map((name) => ({ send: [read(name)] })), {
        expect: { images: 3 },
        send: [{ text: "Done." }],
      });
      await bench.session.send("Draw");
      const sent = JSON.stringify(bench.requests.at(-1));
      assert.ok(sent.includes("(An image of a result was cleared to save space.)"));
      assert.ok(sent.split('"aGk="').length - 1 < 12, sent);
    });
  });
}
