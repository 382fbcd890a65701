import assert from "node:assert/strict";
import * as vscode from "vscode";
import { problemLine } from "../../src/editor/attachments/problemsContext.ts";
import { processorTime } from "../unit/processorTime.ts";

describe("the line of a problem", () => {
  const uri = vscode.Uri.file("/elsewhere/a.ts");
  const lineOf = (message: string): string =>
    problemLine(uri, new vscode.Diagnostic(new vscode.Range(2, 4, 2, 5), message));

  it("joins the lines of the message and keeps its other whitespace", () => {
    assert.match(lineOf("no  such \t\n\r\n  name\n"), /a\.ts:3:5 error: no {2}such name $/);
  });

  it("takes time linear in the length of the message", () => {
    const message = `${" ".repeat(200_000)}x`;
    const time = processorTime(() => assert.ok(lineOf(`a${message}`).endsWith(message)));
    assert.ok(time < 2000, `${time} ms`);
  });
});
