import assert from "node:assert/strict";
import {
  commitMessageText,
  editText,
  isPromptName,
  promptNames,
  promptSubject,
  promptText,
} from "../../../../src/chat/prompts/promptTemplates.ts";

describe("the built-in prompts", () => {
  for (const name of promptNames) {
    it(`describe the task of /${name} in 80 to 700 characters`, () => {
      const text = promptText(name);
      assert.ok(text.length > 80 && text.length < 700, String(text.length));
      assert.match(text, promptSubject(name) === "chat" ? /conversation/ : /attached/);
    });
  }

  it("end with the user's text in its own paragraph", () => {
    assert.equal(promptText("fix", "  in Python "), `${promptText("fix")}\n\nin Python`);
    assert.equal(promptText("fix", " \n"), promptText("fix"));
  });

  it("ask for nothing but code in an edit, and for a short explanation in a chat", () => {
    for (const name of ["fix", "docs"] as const) {
      assert.doesNotMatch(editText(name), /sentence|path|attached|code block|say so/);
      assert.match(editText(name, "line 3: wrong"), /\n\nline 3: wrong$/);
    }
    assert.match(promptText("fix"), /a sentence or two.*file's path/);
  });

  it("ask for a bare commit message in the input box, and for a code block in a chat", () => {
    assert.match(commitMessageText("in German"), /no code block.*\n\nin German$/su);
    assert.match(promptText("commit"), /one code block/);
  });

  it("have a subject each", () => {
    assert.deepEqual(promptNames.map(promptSubject), [
      "code",
      "code-with-problems",
      "code",
      "code",
      "code",
      "changes",
      "chat",
    ]);
    assert.equal(isPromptName("fix"), true);
    assert.equal(isPromptName("toString"), false);
  });
});
