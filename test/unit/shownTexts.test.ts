import assert from "node:assert/strict";
import { type CodeText, readTexts } from "./shownTexts.ts";

/** Calls, attributes, and properties whose text is shown to users. */
const shownBy =
  /^(?:show(?:Error|Warning|Information)Message\(\)|setStatusBarMessage\(\)|(?:aria-label|title|placeholder|alt|label|placeHolder|prompt|detail|description|tooltip|message|ariaLabel)[:=])$/;

/** Sources whose English texts users never see, and the reason. */
const inEnglish: Readonly<Record<string, string>> = {
  "src/chat/commit/commitRequest.ts": "said to the model",
  "src/chat/agent/commandLine.ts": "said to the model",
  "src/chat/agent/commandOutput.ts": "said to the model",
  "src/chat/agent/textEdit.ts": "said to the model",
  "src/chat/agent/loopGuard.ts": "said to the model",
  "src/chat/agent/toolParameters.ts": "said to the model",
  "src/chat/agent/otherTools.ts": "said to the model",
  "src/chat/session/clearedResults.ts": "said to the model",
  "src/chat/agent/fileLines.ts": "said to the model",
  "src/chat/session/agentLoop.ts": "said to the model",
  "src/chat/session/chatSession.ts": "said to the model",
  "src/chat/transcript/compaction.ts": "said to the model",
  "src/chat/transcript/steps.ts": "said to the model",
  "src/protocol/conversation/toolCalls.ts": "said to the model",
  "src/editor/agent/agentTool.ts": "said to the model",
  "src/editor/agent/agentTools.ts": "said to the model",
  "src/editor/agent/askUser.ts": "said to the model",
  "src/editor/agent/fetchUrl.ts": "said to the model",
  "src/editor/agent/findFiles.ts": "said to the model",
  "src/editor/agent/getChanges.ts": "said to the model",
  "src/editor/agent/getProblems.ts": "said to the model",
  "src/editor/agent/listFolder.ts": "said to the model",
  "src/editor/agent/otherTools.ts": "said to the model",
  "src/editor/agent/readFile.ts": "said to the model",
  "src/editor/agent/runCommand.ts": "said to the model",
  "src/editor/agent/searchText.ts": "said to the model",
  "src/editor/agent/toolPlaces.ts": "said to the model",
  "src/editor/agent/writeFiles.ts": "said to the model",
  "src/editor/agent/writeRules.ts": "said to the model",
  "src/files/actingFiles.ts": "names of fields",
  "src/files/fileDiff.ts": "said to the model, as git says it",
  "src/chat/session/buildMessages.ts": "said to the model",
  "src/chat/edits/editMessages.ts": "said to the model",
  "src/chat/edits/completion.ts": "said to the model",
  "src/text/encodingNames.ts": "names of encodings",
  "src/chat/session/languageModelMessages.ts": "said to the model",
  "src/chat/prompts/promptTemplates.ts": "said to the model",
  "src/chat/edits/reviewComments.ts": "said to the model",
  "src/chat/code/shellCommand.ts": "names of languages",
  "src/text/cutText.ts": "said to the model",
  "src/connection/exposedKeys/keyInText.ts": "names of keys in code",
  "src/connection/compatibility/probes.ts": "said to the model",
  "src/editor/attachments/uriContext.ts": "said to the model",
  "src/editor/attachments/gitContext.ts": "said to the model",
  "src/editor/attachments/problemsContext.ts": "said to the model",
  "src/editor/attachments/searchContext.ts": "said to the model",
  "src/connection/check/supportReport.ts": "for the service's support, which reads English",
  "src/connection/exposedKeys/incidentRecord.ts": "records are filed, in one language",
  "src/connection/exposedKeys/referenceEdit.ts": "code",
  "src/webview/markdown/formulaRendering.ts": "names of MathML",
  "src/webview/code/codeLanguages.ts": "words of programming languages",
  "src/client/failure/causeTranslations.ts": "what services say",
  "src/client/failure/causeMessages.ts": "what services say",
  "src/client/request/refusedField.ts": "what services say",
  "src/client/failure/causeRules.ts": "what services say",
  "src/text/elisionMarks.ts": "what models write in code",
};

/** Names of products and formats. They are the same in every language. */
const names =
  /^(?:Inference|Inference Chat|Markdown|JSON|POST|Bearer|Basic|INFERENCE_API_KEY|git diff(?: --cached)?|\$\(\w+\))$/;

describe("texts shown to users", () => {
  const { texts, translations } = readTexts("src");

  it("are found by this test", () => {
    assert.ok(texts.length > 4000, `${texts.length} texts`);
    assert.ok(translations.length > 600, `${translations.length} translations`);
    assert.ok(
      isEnglish("Nothing has arrived.") && isEnglish("Scroll to Bottom") && !isEnglish("code-block wide"),
    );
  });

  it("are translated everywhere in the code", () => {
    const bare = texts.filter((each) => !isTranslated(each) && !isForNobody(each) && isShown(each));
    assert.deepEqual(bare.map(place), []);
  });

  it("are literals, so that they can be translated", () => {
    const made = translations.filter(({ text }) => text === undefined || text.trim() === "");
    assert.deepEqual(made.map(place), []);
  });

  it("have exactly one value for each placeholder", () => {
    const wrong = translations.filter(({ text = "", values }) => {
      const places = [...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number)))];
      return values !== undefined && (places.length !== values || places.some((number) => number >= values));
    });
    assert.deepEqual(wrong.map(place), []);
  });

  it("build no plural forms from a number", () => {
    const glued = translations.filter(({ text = "" }) => /\{\d+\}s\b|\(s\)/.test(text));
    assert.deepEqual(glued.map(place), []);
  });
});

function isTranslated({ around }: CodeText): boolean {
  return around[0] === "t()" || around[0] === "translate()";
}

/** Whether no user reads the text: `editor/shared/notices` translates errors of the code, and tools read the rest. */
function isForNobody({ file, text, around }: CodeText): boolean {
  const [inner = ""] = around;
  return (
    Object.hasOwn(inEnglish, file) ||
    names.test(text.trim()) ||
    /^(?:Type|Range)?Error\(\)$|^RegExp\(\)$|^super\(\)$|^key$|^class=$|^ALLOWED_/.test(inner) ||
    around.includes("BinaryExpression") ||
    inner === "SwitchCase" ||
    inner === "TSLiteralType"
  );
}

function isShown({ text, around, file }: CodeText): boolean {
  const isWord = /\p{L}{2,}/u.test(text);
  const isSaid =
    around.slice(0, 2).some((each) => shownBy.test(each)) && isWord && /^src.(?:editor|webview)/.test(file);
  return isEnglish(text) || (isSaid && /\p{Lu}|\s/u.test(text));
}

/** Whether the text is a sentence or a label in title case. */
function isEnglish(text: string): boolean {
  return (
    /^\s*\p{Lu}\p{Ll}+(?:['’]\p{Ll}+)?[ .,:]\s*(?:\p{L}|$)/u.test(text) ||
    /^\s*\p{L}\p{Ll}+ \p{Ll}+ \p{Ll}+ \p{Ll}+/u.test(text)
  );
}

function place({
  file,
  line,
  text,
}: {
  readonly file: string;
  readonly line: number;
  readonly text?: string | undefined;
}): string {
  return `${file}:${line} ${JSON.stringify(text)}`;
}
