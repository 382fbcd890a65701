import assert from "node:assert/strict";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import { Desk, nothingAdded, questionsOf, WorkingAnswer } from "./questionDesk.ts";

const pdf: Attachment = {
  id: "p",
  kind: "pdf",
  name: "plan.pdf",
  detail: "plan.pdf, 1 KB",
  characters: 0,
  content: { type: "pdf", data: "JVBERi0=" },
};

describe("a question with a PDF file", () => {
  let told: string[];
  /** Whether each model passed the PDF test. */
  let seen: Readonly<Record<string, boolean>>;
  let desk: Desk;

  beforeEach(() => {
    told = [];
    seen = { "service-core": true };
    desk = new Desk({
      takesPdf: (_chat, choice) => seen[choice?.model ?? "service-core"],
      dialogs: {
        showPdfRefused: (_chat, takesPdf, choice) =>
          told.push(`${choice?.model ?? "chat's model"}: ${takesPdf ?? "not seen"}`),
      },
    });
  });

  it("does not keep the chat from being compacted, and stays in the composer", async () => {
    const own = new Desk({
      prepare: async (text) =>
        text.startsWith("/")
          ? { prompt: { name: "compact", text: "Summarize." }, added: nothingAdded }
          : { added: nothingAdded },
    });
    await own.questions.send("What is planned?");
    own.chat.attach([pdf]);
    await own.questions.send("/compact the plan");
    assert.deepEqual(questionsOf(own.chat), ["What is planned?", "/compact the plan"]);
    assert.equal(own.sentMessages.length, 2);
    assert.deepEqual(own.chat.attachments, [pdf]);
  });

  const another = { connection: "Acme", model: "service-mini", clientStyle: "messages" } as const;

  for (const state of [undefined, false])
    it(`is not sent if the model's state is ${state}, and the text and the file stay`, async () => {
      seen = state === undefined ? {} : { "service-core": state };
      desk.chat.attach([pdf]);
      await desk.questions.send("What is planned?");
      assert.deepEqual(told, [`chat's model: ${state ?? "not seen"}`]);
      assert.deepEqual(desk.sentMessages, []);
      assert.deepEqual(desk.restored, ["What is planned?"]);
      assert.deepEqual(desk.chat.attachments, [pdf]);
      assert.deepEqual(questionsOf(desk.chat), []);
    });

  it("is sent if the model passed the PDF test", async () => {
    desk.chat.attach([pdf]);
    await desk.questions.send("What is planned?");
    assert.equal(desk.sentMessages.length, 1);
    assert.deepEqual(desk.chat.attachments, []);
    assert.deepEqual(told, []);
  });

  it("is not asked again, edited or resumed with a model that was not seen to read PDF files", async () => {
    desk.chat.attach([pdf]);
    await desk.questions.send("What is planned?");
    const { turns } = desk.chat.session.transcript;
    const [question, answer] = [turns[0] ?? assert.fail(), turns[1] ?? assert.fail()];
    await desk.questions.retry(answer.id, another);
    assert.deepEqual(told, ["service-mini: not seen"]);
    seen = {};
    await desk.questions.retry(answer.id);
    await desk.questions.send("And what is not?", question.id);
    await desk.questions.resume(answer.id);
    assert.deepEqual(told.slice(1), [
      "chat's model: not seen",
      "chat's model: not seen",
      "service-core: not seen",
    ]);
    assert.deepEqual(desk.reopened, [question.id]);
    assert.equal(desk.sentMessages.length, 1);
  });

  it("does not keep later questions without a PDF file from any model", async () => {
    desk.chat.attach([pdf]);
    await desk.questions.send("What is planned?");
    seen = {};
    await desk.questions.send("Thanks. And what is a plan?");
    assert.deepEqual(told, []);
    assert.equal(desk.sentMessages.length, 2);
    assert.match(JSON.stringify(desk.sentMessages[1]), /The PDF file was not sent\./);
    assert.doesNotMatch(JSON.stringify(desk.sentMessages[1]), /JVBERi0=/);
  });

  it("is not added to an answer whose model was not seen to read PDF files", async () => {
    const answer = new WorkingAnswer(desk);
    const answered = desk.questions.send("Explain");
    await answer.called.promise;
    seen = {};
    desk.chat.attach([pdf]);
    await desk.questions.send("and the plan");
    assert.deepEqual(told, ["service-core: not seen"]);
    assert.deepEqual(desk.restored, ["and the plan"]);
    assert.deepEqual(desk.chat.attachments, [pdf]);
    answer.finish.resolve(undefined);
    await answered;
    assert.doesNotMatch(JSON.stringify(desk.sentMessages), /JVBERi0=|plan/);
  });
});
