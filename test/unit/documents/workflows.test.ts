import assert from "node:assert/strict";
import * as v from "valibot";
import { readDocument, repositoryFiles } from "./documents.ts";

const manifestSchema = v.looseObject({ engines: v.object({ vscode: v.string() }) });

const scriptsSchema = v.looseObject({ scripts: v.record(v.string(), v.string()) });

const toolsSchema = v.looseObject({ devDependencies: v.record(v.string(), v.string()) });

describe("the repository's workflows and issue templates", () => {
  const files = repositoryFiles();

  it("run the tests on the newest VS Code and the oldest that package.json allows", () => {
    const { engines } = v.parse(manifestSchema, JSON.parse(readDocument("package.json")));
    const workflow = readDocument(".github/workflows/test.yml");
    assert.ok(workflow.includes(`editor: [stable, ${engines.vscode.replace("^", "")}]`));
    for (const system of ["ubuntu", "macos", "windows"]) assert.ok(workflow.includes(`${system}-latest`));
  });

  it("run the nightly tests and the fuzz tests each night", () => {
    const { scripts } = v.parse(scriptsSchema, JSON.parse(readDocument("package.json")));
    const workflow = readDocument(".github/workflows/nightly.yml");
    assert.match(workflow, /schedule:\n {4}- cron: /);
    const suites = /suite: \[(.*)\]/.exec(workflow)?.[1]?.replaceAll('"', "").split(", ") ?? [];
    assert.deepEqual(suites, ["test:nightly", "fuzz"]);
    for (const suite of suites) assert.ok(scripts[suite] !== undefined, suite);
  });

  it("run the README's test command at every push and before a release", () => {
    assert.match(readDocument("README.md"), /^npm test\b/m);
    assert.match(readDocument(".ci/run"), /^npm test --silent$/m);
    for (const name of ["test", "release"])
      assert.match(readDocument(`.github/workflows/${name}.yml`), /^ {6}- run: \.ci\/run$/m);
  });

  it("pass tokens in the environment, never as arguments", () => {
    const workflow = readDocument(".github/workflows/release.yml");
    for (const line of workflow.split("\n").filter((each) => each.includes("run:"))) {
      assert.doesNotMatch(line, /secrets\.|_PAT|--pat|TOKEN/, line);
    }
  });

  it("publish with tools of a fixed version", () => {
    const workflow = readDocument(".github/workflows/release.yml");
    const { devDependencies } = v.parse(toolsSchema, JSON.parse(readDocument("package.json")));
    const tools = [...workflow.matchAll(/npx (\S+) publish/g)].map(([, tool = ""]) => tool);
    assert.deepEqual(tools, ["vsce", "ovsx"]);
    for (const name of ["@vscode/vsce", "ovsx"]) assert.match(devDependencies[name] ?? "", /^\d/, name);
  });

  it("ask for the support report and warn about keys in failure reports", () => {
    const templates = files.filter((name) => /^\.github\/ISSUE_TEMPLATE\/(?!config)/.test(name));
    assert.ok(templates.length > 0);
    for (const name of ["failure", "service"]) {
      const template = readDocument(`.github/ISSUE_TEMPLATE/${name}.yml`);
      assert.match(template, /Inference Chat: Copy Support Report/);
      assert.match(template, /Do not paste an API key/);
    }
  });
});
