import assert from "node:assert/strict";
import { isActingFile } from "../../../src/chat/actingFiles.ts";
import { tellFigure } from "../../support/figures.ts";

describe("isActingFile", () => {
  let told = 0;

  after(() => tellFigure(`names of files that have something done by themselves: ${told} told`));

  for (const path of [
    ".git/hooks/pre-commit",
    ".git/config",
    ".vscode/tasks.json",
    ".VSCode/Settings.json",
    "packages/one/.vscode/launch.json",
    ".husky/pre-push",
    ".devcontainer/devcontainer.json",
    ".github/workflows/test.yml",
    ".github/prompts/form.prompt.md",
    ".github/copilot-instructions.md",
    "packages/one/AGENTS.md",
    "all.code-workspace",
    ".envrc",
    "vendor/one/.git",
    "home/.vscode/tasks.json",
    ".v\u017fcode/tasks.json",
    ".git./hooks/pre-commit",
    ".github/instructions/all.md",
    "prompts/form.prompt.md",
    ".claude/settings.json",
  ]) {
    it(`is true for ${path}`, () => {
      assert.ok(isActingFile(path));
      told += 1;
    });
  }

  for (const path of [
    "src/git/hooks.ts",
    "vscode/tasks.json",
    ".github/CODEOWNERS",
    "docs/agents.md.txt",
    "a.git",
  ]) {
    it(`is false for ${path}`, () => assert.ok(!isActingFile(path)));
  }
});
