import assert from "node:assert/strict";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import { estimateTurns, fitConversation } from "../../../../src/chat/session/contextWindow.ts";
import { convertInstructions, convertTurns } from "../../../../src/chat/session/buildMessages.ts";
import {
  convertConversationToJson,
  convertJsonToConversation,
} from "../../../../src/chat/history/export/portableConversation.ts";
import {
  convertConversationToMarkdown,
  convertMarkdownToConversation,
} from "../../../../src/chat/history/export/conversationMarkdown.ts";
import { firstQuestionLine } from "../../../../src/chat/history/log/conversationSummary.ts";
import { withoutContents } from "../../../../src/chat/page/eventBatcher.ts";
import type { QuestionTurn } from "../../../../src/chat/transcript/transcript.ts";

const at = "2026-01-02T03:04:05.000Z";

function instructions(name: string, text: string): Attachment {
  return {
    id: name,
    kind: "instructions",
    name,
    detail: name,
    characters: text.length,
    content: { type: "text", text, language: "markdown" },
  };
}

const question: QuestionTurn = {
  kind: "question",
  id: "q",
  parentId: null,
  text: "/form Login",
  at,
  prompt: {
    name: "form",
    text: "Make a form: Login -->",
    place: { path: ".github/prompts/form.prompt.md" },
    ignored: ["tools"],
  },
  instructions: [instructions("AGENTS.md", "Be brief.\n"), instructions('a"<b>', "Use tabs.")],
};
const conversation = {
  title: null,
  pinned: false,
  createdAt: at,
  transcript: { turns: [question], arriving: null, leafId: "q" },
};

describe("the prompt and instructions of a question", () => {
  it("replace the typed text with the prompt's text", () => {
    assert.deepEqual(convertTurns([question]), [
      { role: "user", content: [{ type: "text", text: "Make a form: Login -->" }] },
    ]);
  });

  it("include only the newest question's instructions, as system text with their names", () => {
    const older = { ...question, id: "o", instructions: [instructions("OLD.md", "Old.")] };
    const [message, ...more] = convertInstructions([older, question]);
    assert.equal(more.length, 0);
    assert.equal(message?.role, "system");
    const [part] = message?.content ?? [];
    assert.ok(part?.type === "text");
    assert.match(part.text, /<instructions source="AGENTS\.md">\nBe brief\.\n<\/instructions>/);
    assert.match(part.text, /source="a__b_"/);
    assert.ok(!part.text.includes("Old."));
    assert.deepEqual(convertInstructions([{ ...question, instructions: [] }]), []);
  });

  it("count in the estimate, and the instructions are never left out", () => {
    const long = { ...question, instructions: [instructions("AGENTS.md", "x".repeat(4000))] };
    const room = { maxTokens: 100, charactersPerToken: 4 };
    const { tokens } = fitConversation([long], room);
    assert.equal(tokens, estimateTurns([long], 4) + 1030);
    const earlier = Array.from({ length: 4 }, (_, index): QuestionTurn => ({
      kind: "question",
      id: `e${index}`,
      parentId: null,
      text: "y".repeat(400),
      at,
    }));
    const fitted = fitConversation([...earlier, long], { ...room, contextWindow: 1400 });
    assert.ok(fitted.leftOut !== undefined && fitted.leftOut.turns > 0);
    assert.deepEqual(fitted.turns.at(-1), long);
    assert.equal(convertInstructions(fitted.turns).length, 1);
  });

  it("are sent to the page with the prompt's text but without the instructions' texts", () => {
    const [turn] = withoutContents(conversation.transcript).turns;
    assert.ok(turn?.kind === "question");
    assert.deepEqual(turn.prompt, question.prompt);
    assert.deepEqual(
      turn.instructions?.map(({ name, content }) => [name, content]),
      [
        ["AGENTS.md", undefined],
        ['a"<b>', undefined],
      ],
    );
  });

  it("are exported and imported", () => {
    assert.deepEqual(convertJsonToConversation(convertConversationToJson(conversation)), conversation);
    const markdown = convertConversationToMarkdown(conversation, "A form");
    assert.match(
      markdown,
      /^## You \(prompt: \.github\/prompts\/form\.prompt\.md; instructions: AGENTS\.md, a"<b>\)$/m,
    );
    const [turn] = convertMarkdownToConversation(markdown, () => "n")?.transcript.turns ?? [];
    assert.ok(turn?.kind === "question");
    assert.deepEqual([turn.text, turn.prompt], [question.text, question.prompt]);
  });
});

describe("the title of a chat", () => {
  it("is the prompt and the attachment's name if the question has no other text", () => {
    const bare = { ...question, text: "/form", attachments: [instructions("login.ts", "x")] };
    assert.equal(firstQuestionLine({ ...conversation.transcript, turns: [bare] }), "/form login.ts");
    assert.equal(firstQuestionLine(conversation.transcript), "/form Login");
  });
});
