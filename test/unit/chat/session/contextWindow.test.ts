import assert from "node:assert/strict";
import fc from "fast-check";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import {
  answerCap,
  estimateTurns,
  fitConversation,
  roomForInput,
} from "../../../../src/chat/session/contextWindow.ts";
import type { ModelLimits } from "../../../../src/chat/session/contextWindow.ts";
import type { AnswerTurn, QuestionTurn, Turn } from "../../../../src/chat/transcript/transcript.ts";

function attached(name: string, characters: number): Attachment {
  const content = { type: "text", text: "x".repeat(characters), language: "" } as const;
  return { id: name, kind: "file", name, detail: name, characters, content };
}

function question(text: string, attachments?: readonly Attachment[]): QuestionTurn {
  return {
    kind: "question",
    id: `q ${text}`,
    parentId: null,
    text: text.padEnd(400, "."),
    at: "2026-01-02T03:04:05Z",
    ...(attachments === undefined ? {} : { attachments }),
  };
}

function answer(text: string): AnswerTurn {
  return {
    kind: "answer",
    id: `a ${text}`,
    parentId: `q ${text}`,
    text: text.padEnd(400, "."),
    reasoning: "",
    state: { kind: "complete", reason: "stop" },
    connection: "Test",
    model: "m",
    clientStyle: "messages",
    at: "2026-01-02T03:04:05Z",
  };
}

/** Each turn has 104 tokens plus its attachments. */
const turns: readonly Turn[] = [
  question("one", [attached("old.ts", 400)]),
  answer("one"),
  question("two", [attached("gone.ts", 400)]),
  answer("two"),
  question("three"),
  answer("three"),
  question("four", [attached("new.ts", 400)]),
];
const room = { maxTokens: 0, charactersPerToken: 4 };
const namesOf = (kept: readonly Turn[]) => kept.map(({ text }) => text.replaceAll(".", ""));

/** The average number of text reads per exchange when most exchanges don't fit. */
function readsIn(exchanges: number): number {
  let reads = 0;
  const watched = Array.from({ length: exchanges }, (_, index) => [question(`${index}`), answer(`${index}`)])
    .flat()
    .map((turn) =>
      Object.defineProperty({ ...turn }, "text", {
        get: () => {
          reads += 1;
          return turn.text;
        },
      }),
    );
  fitConversation(watched, { ...room, contextWindow: 1000 });
  return reads / exchanges;
}

describe("fitConversation", () => {
  it("keeps everything if the context window is unknown or large enough", () => {
    assert.deepEqual(fitConversation(turns, room).turns, turns);
    const fitted = fitConversation(turns, { ...room, contextWindow: 100_000 });
    assert.deepEqual(fitted, { turns, tokens: estimateTurns(turns, 4) });
  });

  it("leaves out the oldest exchanges after the first one, with their attachments", () => {
    const fitted = fitConversation(turns, { ...room, contextWindow: 1000 });
    assert.deepEqual(namesOf(fitted.turns), ["one", "one", "three", "three", "four"]);
    assert.deepEqual(fitted.leftOut, { turns: 2, attachments: 1, sentTokens: fitted.tokens });
    assert.ok(fitted.tokens <= 950);
  });

  it("leaves out the first question's answer and attachments only as a last resort", () => {
    const fitted = fitConversation(turns, { ...room, contextWindow: 400 });
    assert.deepEqual(namesOf(fitted.turns), ["one", "four"]);
    assert.deepEqual(fitted.leftOut, { turns: 5, attachments: 2, sentTokens: fitted.tokens });
    const [first, last] = fitted.turns;
    assert.ok(first?.kind === "question" && first.attachments === undefined);
    assert.ok(last?.kind === "question" && last.attachments?.length === 1);
  });

  it("keeps a single question with its attachments, however large they are", () => {
    const huge = [question("only", [attached("huge.ts", 1_000_000)])];
    const fitted = fitConversation(huge, { ...room, contextWindow: 1000 });
    assert.deepEqual(fitted.turns, huge);
    assert.equal(fitted.leftOut, undefined);
  });

  it("reserves room for the answer, at most half of the context window", () => {
    assert.equal(roomForInput({ ...room, maxTokens: 1000, contextWindow: 10_000 }), 8500);
    assert.equal(roomForInput({ ...room, maxTokens: 10_000, contextWindow: 10_000 }), 4500);
    assert.equal(roomForInput(room), undefined);
  });

  it("reads each turn only a few times, however long the chat", () => {
    assert.ok(readsIn(2000) <= readsIn(20) + 1, `${readsIn(20)}, then ${readsIn(2000)} reads an exchange`);
  });

  it("keeps the order, pairs, and first and last question, and counts the omitted turns", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2000), fc.nat(2000), fc.nat(3)), { minLength: 1, maxLength: 12 }),
        fc.nat(5000),
        (sizes, contextWindow) => {
          const conversation = sizes.flatMap(([asked, said, files], index) => [
            question(
              `${index}${"q".repeat(asked)}`,
              Array.from({ length: files }, (_, file) => attached(`${file}`, 50)),
            ),
            answer(`${index}${"a".repeat(said)}`),
          ]);
          conversation.pop();
          const fitted = fitConversation(conversation, { ...room, contextWindow });
          const ids = conversation.map(({ id }) => id);
          const kept = fitted.turns.map(({ id }) => id);
          assert.deepEqual(
            kept,
            ids.filter((id) => kept.includes(id)),
          );
          assert.equal(kept[0], ids[0]);
          assert.deepEqual(fitted.turns.at(-1), conversation.at(-1));
          assert.equal(fitted.tokens, estimateTurns(fitted.turns, room.charactersPerToken));
          assert.equal(fitted.leftOut?.turns ?? 0, conversation.length - fitted.turns.length);
          const first = fitted.turns[1]?.kind === "answer" ? 0 : 1;
          for (const [index, { kind }] of fitted.turns.slice(first).entries()) {
            assert.equal(kind, index % 2 === 0 ? "question" : "answer");
          }
        },
      ),
    );
  });

  it("counts images as left out, not as tokens, if the model accepts no images", () => {
    const content = { type: "image", mediaType: "image/png", data: "" } as const;
    const image = { ...attached("shot.png", 0), kind: "image", content } as const;
    const asked = [question("look", [image, attached("near.ts", 400)]), answer("look"), question("and now")];
    const blind = fitConversation(asked, { ...room, takesImages: false });
    assert.equal(blind.leftOut?.images, 1);
    assert.deepEqual([blind.leftOut.turns, blind.leftOut.attachments], [0, 0]);
    assert.equal(blind.turns, asked);
    const seeing = fitConversation(asked, room);
    assert.equal(seeing.leftOut, undefined);
    assert.ok(seeing.tokens - blind.tokens > 1000);
  });

  it("counts PDF files as left out unless the model passed the PDF test, and never as tokens", () => {
    const content = { type: "pdf", data: "JVBERi0=" } as const;
    const pdf = { ...attached("plan.pdf", 0), kind: "pdf", content } as const;
    const asked = [question("look", [pdf]), answer("look"), question("and now")];
    const [unknown, refused] = [room, { ...room, takesPdf: false }].map((each) =>
      fitConversation(asked, each),
    );
    assert.equal(unknown?.leftOut?.pdfs, 1);
    assert.deepEqual(refused, unknown);
    const reading = fitConversation(asked, { ...room, takesPdf: true });
    assert.equal(reading.leftOut, undefined);
    assert.equal(reading.tokens, unknown.tokens);
  });

  it("counts images and PDF files of messages during an answer like those of questions", () => {
    const image = {
      ...attached("shot.png", 0),
      kind: "image",
      content: { type: "image", mediaType: "image/png", data: "" },
    } as const;
    const pdf = {
      ...attached("plan.pdf", 0),
      kind: "pdf",
      content: { type: "pdf", data: "JVBERi0=" },
    } as const;
    const message = { by: "user", text: "and these", attachments: [image, pdf] } as const;
    const step = { textEnd: 0, reasoningEnd: 0, outline: [], calls: [], messages: [message] };
    const asked = [question("look"), { ...answer("look"), steps: [step] }, question("and now")];
    const blind = fitConversation(asked, { ...room, takesImages: false });
    assert.deepEqual(blind.leftOut, {
      turns: 0,
      attachments: 0,
      images: 1,
      pdfs: 1,
      sentTokens: blind.tokens,
    });
    const seeing = fitConversation(asked, { ...room, takesPdf: true });
    assert.equal(seeing.leftOut, undefined);
    assert.equal(seeing.tokens - blind.tokens, 1600);
    const small = fitConversation([...asked, answer("and now"), question("last")], {
      ...room,
      takesPdf: true,
      contextWindow: 600,
    });
    assert.equal(small.leftOut?.attachments, 2);
  });
});

const capped = (maxTokens: number, contextWindow?: number): ModelLimits => ({
  ...room,
  maxTokens,
  ...(contextWindow === undefined ? {} : { contextWindow }),
});

describe("the token limit of an answer", () => {
  it("is the model's limit if the context window is unknown or large enough", () => {
    assert.equal(answerCap(capped(4096), 1_000_000), 4096);
    assert.equal(answerCap(capped(4096, 100_000), 90_000), 4096);
  });

  it("leaves room for the question, however large the requested limit is", () => {
    assert.equal(answerCap(capped(4096, 4096), 100), 3791);
    assert.equal(answerCap(capped(1_000_000, 8000), 3600), 4000);
  });

  it("is at most 256 tokens if the question leaves no room, and the service decides whether to answer", () => {
    assert.equal(answerCap(capped(4096, 4096), 10_000), 256);
    assert.equal(answerCap(capped(100, 4096), 10_000), 100);
    assert.equal(answerCap(capped(4096, 2), 10_000), 1);
    assert.equal(answerCap(capped(0.5, 0.1), 0), 1);
  });
});
