import assert from "node:assert/strict";
import { isActingFile, isGitPath } from "../../../src/files/actingFiles.ts";
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
    "package.json::$DATA",
    ".git::$INDEX_ALLOCATION/hooks/pre-commit",
    "VSCODE~1/tasks.json",
    "PACKAG~1.JSO",
    ".github/instructions/all.md",
    "prompts/form.prompt.md",
    ".claude/settings.json",
    ..."x/.cursorrules .windsurfrules .clinerules .clinerules/a.md .roo/rules.md .mcp.json .cursor/rules/a.mdc".split(
      " ",
    ),
    ..."CLAUDE.local.md .kiro/steering/a.md .continue/config.json copilot-instructions.md opencode.json".split(
      " ",
    ),
    ..."home/.zprofile .bash_login .zlogin .inputrc Microsoft.PowerShell_profile.ps1 .vimrc .tmux.conf mise.toml".split(
      " ",
    ),
    ..."eslint.config.mts .eslintrc.js .eslintrc.json vite.config.ts webpack.prod.js babel.config.cjs".split(
      " ",
    ),
    ..."jest.config.json prettier.config.js .prettierrc vitest.workspace.ts next.config.mjs gulpfile.js".split(
      " ",
    ),
    ..."Makefile sub/GNUmakefile conftest.py setup.py build.rs CMakeLists.txt build.gradle.kts Gemfile justfile".split(
      " ",
    ),
    ..."lefthook.yml .pre-commit-config.yaml .lintstagedrc.json .yarnrc.yml .pnpmfile.cjs Jenkinsfile".split(
      " ",
    ),
    ..."azure-pipelines.yml .gitlab-ci.yml .devcontainer.json .idea/runConfigurations/a.xml .ESLINTRC.JS".split(
      " ",
    ),
    ...".gitignore sub/.gitignore .npmrc package.json app/PACKAGE.json composer.json deno.json pyproject.toml".split(
      " ",
    ),
    ..."pom.xml app/App.csproj a.targets Directory.Build.props Dockerfile Dockerfile.dev Cargo.toml".split(
      " ",
    ),
    ..."docker-compose.yml docker-compose.dev.yaml compose.yaml angular.json nx.json project.json".split(" "),
    ..."binding.gyp .vscode-test.mjs .vscode-test.json".split(" "),
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
    ..."app.config.ts src/site.config.ts tsconfig.json src/mcp.ts profile.ts eslint.md".split(" "),
    ..."src/makefile/readme.md src/webpack/index.ts tasks.py my.config.json claude.ts src/compose.ts .env".split(
      " ",
    ),
  ]) {
    it(`is false for ${path}`, () => assert.ok(!isActingFile(path)));
  }
});

describe("isGitPath", () => {
  it("is true for the folder of a repository, however it is written", () => {
    for (const path of [
      ".git/config",
      "sub/.git/hooks/x",
      ".git",
      ".GIT/a",
      ".git./a",
      "git~1/a",
      ".g\u200cit/a",
      ".git::$INDEX_ALLOCATION/config",
    ])
      assert.ok(isGitPath(path), path);
  });

  it("is false for other names", () => {
    for (const path of [".gitignore", ".github/a", "a.git/b", "git/a", ".git-hooks/a"])
      assert.ok(!isGitPath(path), path);
  });
});
