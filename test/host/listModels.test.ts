import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { withConnection } from "./withConnection.ts";

type Work = Parameters<typeof vscode.window.withProgress>[1];

describe("List Models", () => {
  const connection = withConnection({ name: "Busy" });
  const { withProgress } = vscode.window;
  /** Titles and messages of the progress. */
  const told: string[] = [];

  const show = (options: vscode.ProgressOptions, work: Work) =>
    withProgress(options, (progress, token) => {
      told.push(options.title ?? "");
      const report = (step: { message?: string; increment?: number }): void => {
        told.push(step.message ?? "");
        progress.report(step);
      };
      return work({ report }, token);
    });

  before(() => Object.assign(vscode.window, { withProgress: show }));
  after(() => Object.assign(vscode.window, { withProgress }));

  it("lists the models after a refusal, and shows the retry in the progress", async () => {
    connection.service.failNext({ of: "models", status: 503, headers: { "retry-after-ms": "50" } });
    const inputs = new AnsweredInputs([/3 models/, undefined]);
    await vscode.commands.executeCommand(commandIds.listModels);
    inputs.dispose();
    assert.equal(told[0], "Loading models from 'Busy'");
    assert.match(told[1] ?? "", /Trying again in \d+ s \(2 of 3\)$/);
    assert.deepEqual(
      connection.service.journal.entries.map(({ path, status }) => [path, status]),
      [
        ["/v1/models", 503],
        ["/v1/models", 200],
      ],
    );
  });
});
