import assert from "node:assert/strict";
import {
  commitMessageText,
  editText,
  isPromptName,
  promptNames,
  promptSubject,
  promptText,
} from "../../../../src/chat/prompts/promptTemplates.ts";

describe("the prompts that come along", () => {
  for (const name of promptNames) {
    it(`says what /${name} asks for, in few words`, () => {
      const text = promptText(name);
      assert.ok(text.length > 80 && text.length < 700, String(text.length));
      assert.match(text, /attached/);
    });
  }

  it("puts what the user adds behind the prompt, on its own", () => {
    assert.equal(promptText("fix", "  in Python "), `${promptText("fix")}\n\nin Python`);
    assert.equal(promptText("fix", " \n"), promptText("fix"));
  });

  it("asks for nothing but code where it goes into the file, and for a word beside it in a chat", () => {
    for (const name of ["fix", "docs"] as const) {
      assert.doesNotMatch(editText(name), /sentence|path|attached|code block|say so/);
      assert.match(editText(name, "line 3: wrong"), /\n\nline 3: wrong$/);
    }
    assert.match(promptText("fix"), /a sentence or two.*file's path/);
  });

  it("asks for a bare commit message where it goes into the commit's box", () => {
    assert.match(commitMessageText("in German"), /no code block.*\n\nin German$/su);
    assert.match(promptText("commit"), /one code block/);
  });

  it("knows what each prompt is about", () => {
    assert.deepEqual(promptNames.map(promptSubject), [
      "code",
      "code-with-problems",
      "code",
      "code",
      "code",
      "changes",
    ]);
    assert.equal(isPromptName("fix"), true);
    assert.equal(isPromptName("toString"), false);
  });
});
