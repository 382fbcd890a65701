import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { ContextRequest } from "../../src/chat/page/protocol.ts";
import { picture } from "../../src/connection/compatibility/probes.ts";
import { AnsweredInputs, type ExpectedInput } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const code = "export function tide(hours: number) {\n  return hours % 12;\n}\nexport const HARBOUR = tide;\n";
const pictureBytes = Buffer.from(picture.data, "base64");

describe("attachments from the page of a chat", () => {
  const connection = withConnection();
  const { asks } = connection;
  const test = withChat(connection);
  const owned: vscode.Disposable[] = [];
  let root: string;
  let page: ChatsPage;
  let answer: string | undefined;
  let dialogues: ShownDialogues;

  const uriOf = (name: string): vscode.Uri => vscode.Uri.file(path.join(root, name));
  const names = (): readonly string[] => page.chat.attachments.map(({ name }) => name);

  before(async () => {
    root = path.join(workspaceFolder().uri.fsPath, "attached-by-page");
    const files: Readonly<Record<string, string | Uint8Array>> = {
      ".gitignore": ".env\n*.log\n",
      ".env": "PASSWORD=hunter2\n",
      "debug.log": "ignored\n",
      "program.bin": Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1),
      "settings.txt": `the key is ${connection.key}\n`,
      "flag.png": pictureBytes,
      "harbours.ts": code,
      // No other extension handles these files.
      "harbours.tides": code,
      "docs/.gitignore": "!kept.log\n*.draft\n",
      "docs/kept.log": "not ignored after all\n",
      "docs/idea.draft": "ignored\n",
      "docs/guide/first.md": "# First\n",
      "docs/guide/second.md": "# Second\n",
      "docs/secrets/customers.md": "Someone's address\n",
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), content);
    }
    await writeSetting("inference.chat.exclude", { "**/secrets": true });
  });
  beforeEach(() => {
    page = test.openPage();
    answer = undefined;
    dialogues = new ShownDialogues(() => answer);
    owned.push(dialogues);
  });
  afterEach(async () => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
  after(async () => {
    await writeSetting("inference.chat.exclude", undefined);
    await rm(root, { recursive: true });
  });

  /**
   * Resolves when the page has received the attachments. Does not wait for the focus, because it does not return after
   * a long operation.
   */
  async function choose(...expected: readonly ExpectedInput[]): Promise<void> {
    owned.push(new AnsweredInputs(...expected));
    await page.attached({ type: "choose" });
  }

  /** Drops files on the page; resolves with the first message about them. */
  async function told(request: ContextRequest): Promise<string> {
    const said = new Promise<string>((resolve) => {
      dialogues.dispose();
      dialogues = new ShownDialogues(({ message }) => {
        resolve(message);
        return answer;
      });
      owned.push(dialogues);
    });
    page.say({ type: "context", request });
    return said;
  }

  const drop = (...dropped: readonly string[]): ContextRequest => ({
    type: "attach-uris",
    uris: dropped.map((name) => uriOf(name).toString()),
  });

  it("include a file found by a part of its name", async () => {
    await choose(["Attach Context", "File..."], ["Attach a File", "harbours.ts"]);
    const [attached] = page.chat.attachments;
    assert.deepEqual([attached?.name, attached?.characters], ["harbours.ts", code.length]);
  });

  it("include a file with keys only if the user agrees", async () => {
    const asked = /\.env' might contain keys or passwords/;
    assert.match(await told(drop(".env")), asked);
    answer = "Attach";
    const attached = page.next("attachments");
    assert.match(await told(drop(".env")), asked);
    await attached;
    assert.deepEqual(names(), [".env"]);
  });

  it("include a dropped notebook with a name of files with keys only if the user agrees", async () => {
    const dropped: ContextRequest = {
      type: "attach-data",
      name: ".env.ipynb",
      mediaType: "",
      data: Buffer.from('{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}').toString("base64"),
    };
    const asked = /^'\.env\.ipynb' might contain keys or passwords/;
    assert.match(await told(dropped), asked);
    answer = "Attach";
    const attached = page.next("attachments");
    assert.match(await told(dropped), asked);
    await attached;
    assert.deepEqual(
      page.chat.attachments.map(({ detail }) => detail),
      [".env.ipynb (notebook, 0 cells)"],
    );
  });

  it("name the limit that a dropped file exceeds", async () => {
    const bytes = 12 * 1024 * 1024;
    const limits = { "a.ipynb": 10, "a.pdf": 10, "a.png": 5, "a.txt": 2 };
    for (const [name, limit] of Object.entries(limits))
      assert.ok(
        (await told({ type: "refuse-data", name, bytes })).startsWith(
          `'${name}' is too large to attach (12 MB, the limit is ${limit} MB).`,
        ),
      );
  });

  it("include no file that is in .gitignore, excluded by a setting, or binary, and a notice names each such file", async () => {
    assert.match(
      await told(drop("debug.log")),
      /debug\.log' was not attached because \.gitignore excludes it/,
    );
    assert.match(
      await told(drop("docs/secrets")),
      /secrets' was not attached because inference\.chat\.exclude/,
    );
    assert.match(
      await told(drop("program.bin")),
      /program\.bin' was not attached because it is not a text file/,
    );
    assert.match(await told({ type: "refuse-rest", count: 2 }), /^Attachments that didn't fit: 2\./);
    assert.deepEqual(names(), []);
  });

  it("include a folder as a tree, with the text of the selected files", async () => {
    owned.push(new AnsweredInputs(["Attach the folder 'docs'", ["second.md"]]));
    await page.attached(drop("docs"));
    await page.ask("What is there?");
    const text = asks.at(-1)?.messages.at(-1)?.text ?? "";
    assert.ok(
      text.includes("docs/\n  guide/\n    first.md\n    second.md\n  .gitignore\n  kept.log\n"),
      text,
    );
    assert.ok(text.includes("# Second") && !text.includes("# First"), text);
  });

  it("include a whole symbol of the open file, and lines that contain a text", async () => {
    const uri = uriOf("harbours.tides");
    owned.push(
      vscode.languages.registerDocumentSymbolProvider(
        { pattern: "**/attached-by-page/harbours.tides" },
        {
          provideDocumentSymbols: () => {
            const range = new vscode.Range(0, 0, 2, 1);
            return [new vscode.DocumentSymbol("tide", "", vscode.SymbolKind.Function, range, range)];
          },
        },
      ),
    );
    await vscode.window.showTextDocument(uri);
    await choose(["Attach Context", "Symbol..."], ["Attach a Symbol", "tide"]);
    await choose(["Attach Context", "Search Results..."], ["Text to search for", "HARBOUR = "]);
    await page.ask("What do they say?");
    const text = asks.at(-1)?.messages.at(-1)?.text ?? "";
    assert.match(text, /kind="symbol" name="tide"[^>]*>\n```\w*\nexport function tide[^`]*\n}\n```/);
    assert.ok(text.includes("attached-by-page/harbours.tides:4: export const HARBOUR = tide;"), text);
  });

  it("include no symbol if the list is closed before the language answers", async () => {
    const uri = uriOf("harbours.tides");
    const loaded = Promise.withResolvers<vscode.DocumentSymbol[]>();
    owned.push(
      vscode.languages.registerDocumentSymbolProvider(
        { pattern: "**/attached-by-page/harbours.tides" },
        { provideDocumentSymbols: () => loaded.promise },
      ),
    );
    await vscode.window.showTextDocument(uri);
    owned.push(new AnsweredInputs(["Attach Context", "Symbol..."], ["Attach a Symbol", undefined]));
    await page.answered({ type: "context", request: { type: "choose" } }, "focus-composer");
    loaded.resolve([]);
    assert.deepEqual(names(), []);
  });

  it("include the problems of the workspace, except in excluded files", async () => {
    const problems = vscode.languages.createDiagnosticCollection("by page");
    owned.push(problems);
    const problem = new vscode.Diagnostic(new vscode.Range(2, 0, 2, 1), "Not so good");
    for (const name of ["harbours.ts", "docs/secrets/customers.md"]) problems.set(uriOf(name), [problem]);
    await choose(["Attach Context", "Problems in the Workspace"]);
    await page.ask("What is wrong?");
    const text = asks.at(-1)?.messages.at(-1)?.text ?? "";
    assert.match(text, /^attached-by-page\/harbours\.ts:3:1 error: Not so good$/m);
    assert.ok(!text.includes("customers"), text);
  });

  it("include images if the user agrees, byte for byte, also with the next question", async () => {
    const unknown = /unknown whether 'service-core' accepts images/;
    assert.match(await told(drop("flag.png")), unknown);
    answer = "Attach";
    const attached = page.next("attachments");
    assert.match(await told(drop("flag.png")), unknown);
    await attached;
    await page.attached({
      type: "attach-data",
      name: "image.png",
      mediaType: picture.mediaType,
      data: picture.data,
    });
    assert.deepEqual(names(), ["flag.png", "image.png"]);
    for (const question of ["What is on them?", "And once more?"]) {
      await page.ask(question);
      const images = asks.at(-1)?.messages[0]?.images ?? [];
      assert.equal(images.length, 2);
      for (const image of images) assert.ok(image.equals(pictureBytes));
    }
  });

  it("precede the question, without the key and absolute paths, and are removed after sending", async () => {
    const document = await vscode.workspace.openTextDocument(uriOf("harbours.ts"));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 3, 0);
    await choose(["Attach Context", "Selection"]);
    await page.attached(drop("settings.txt"));
    await page.ask("What do you make of this?");
    const text = asks.at(-1)?.messages.at(-1)?.text ?? "";
    assert.ok(text.endsWith("</attachment>\n\nWhat do you make of this?"), text.slice(-200));
    assert.ok(
      text.includes(
        '<attachment kind="selection" name="harbours.ts" source="attached-by-page/harbours.ts:1-3">\n```typescript\n',
      ),
      text,
    );
    assert.ok(text.includes("the key is [API key]") && !text.includes(connection.key), text);
    assert.ok(!text.includes(root), "no absolute path is sent");
    assert.match(dialogues.messages.join("\n"), /Removed the API key for 'Acme' from your message/);
    assert.deepEqual(page.chat.attachments, []);
    const [question] = page.chat.session.transcript.turns;
    assert.ok(question?.kind === "question");
    assert.deepEqual(
      question.attachments?.map(({ name }) => name),
      ["harbours.ts", "settings.txt"],
    );
  });

  it("open at their lines from the question that they were sent with", async () => {
    const document = await vscode.workspace.openTextDocument(uriOf("harbours.ts"));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 2, 1);
    await choose(["Attach Context", "Selection"]);
    await page.ask("What is this?");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const [question] = page.chat.session.transcript.turns;
    assert.ok(question?.kind === "question");
    const [attachment] = question.attachments ?? [];
    const selected = new Promise<vscode.Selection | undefined>((resolve) => {
      owned.push(
        vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
          if (textEditor.document.uri.path.endsWith("/harbours.ts") && !textEditor.selection.isEmpty)
            resolve(selections[0]);
        }),
      );
    });
    const id = attachment?.id ?? assert.fail();
    page.say({ type: "context", request: { type: "open", id, turnId: question.id } });
    const selection = await selected;
    assert.deepEqual([selection?.start.line, selection?.end.line], [1, 3]);
  });
});
