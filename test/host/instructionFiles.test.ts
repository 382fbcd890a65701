import assert from "node:assert/strict";
import * as vscode from "vscode";
import { createTextAttachment } from "../../src/editor/attachments/textAttachment.ts";
import { placeOf } from "../../src/editor/files/workspacePaths.ts";
import { readInstructions } from "../../src/editor/prompts/instructions.ts";

async function write(folder: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(
    vscode.Uri.joinPath(folder, "AGENTS.md"),
    new TextEncoder().encode(text),
  );
}

describe("instructions above an attached file", () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
  const top = vscode.Uri.joinPath(root, "instructed");

  afterEach(async () => {
    await vscode.workspace.fs.delete(top, { recursive: true });
  });

  it("are found across folders without instructions, and at most twenty files are read", async () => {
    const folders = Array.from({ length: 30 }, (_, depth) =>
      vscode.Uri.joinPath(top, ...Array.from({ length: depth + 1 }, (_each, index) => `d${index}`)),
    );
    const deepest = folders.at(-1) ?? assert.fail();
    await write(deepest, "Be brief, down here.");
    const place = placeOf(vscode.Uri.joinPath(deepest, "a.ts"));
    const attached = createTextAttachment({ kind: "file", name: "a.ts", text: "let a;", place });
    const nearest = async (): Promise<readonly string[]> => {
      const { attachments } = await readInstructions([attached]);
      return attachments.flatMap(({ content, name }) =>
        content?.type === "text" && name.includes("instructed") ? [content.text] : [],
      );
    };
    assert.deepEqual(await nearest(), ["Be brief, down here."]);
    for (const [depth, folder] of folders.entries()) await write(folder, `Depth ${depth}`);
    assert.ok((await nearest()).length <= 20);
  });
});
