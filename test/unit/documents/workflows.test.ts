import assert from "node:assert/strict";
import * as v from "valibot";
import { readDocument, repositoryFiles } from "./documents.ts";

const manifestSchema = v.looseObject({ engines: v.object({ vscode: v.string() }) });

describe("what the repository's host is told", () => {
  const files = repositoryFiles();

  it("runs the tests on the newest editor and on the oldest that package.json allows", () => {
    const { engines } = v.parse(manifestSchema, JSON.parse(readDocument("package.json")));
    const workflow = readDocument(".github/workflows/test.yml");
    assert.ok(workflow.includes(`editor: [stable, ${engines.vscode.replace("^", "")}]`));
    for (const system of ["ubuntu", "macos", "windows"]) assert.ok(workflow.includes(`${system}-latest`));
  });

  it("hands tokens on by the environment, never as arguments", () => {
    const workflow = readDocument(".github/workflows/release.yml");
    for (const line of workflow.split("\n").filter((each) => each.includes("run:"))) {
      assert.doesNotMatch(line, /secrets\.|_PAT|--pat|TOKEN/, line);
    }
  });

  it("asks for the support report and warns of keys where a failure is told", () => {
    const templates = files.filter((name) => /^\.github\/ISSUE_TEMPLATE\/(?!config)/.test(name));
    assert.ok(templates.length > 0);
    for (const name of ["failure", "service"]) {
      const template = readDocument(`.github/ISSUE_TEMPLATE/${name}.yml`);
      assert.match(template, /Inference: Copy Support Report/);
      assert.match(template, /Do not paste an API key/);
    }
  });
});
