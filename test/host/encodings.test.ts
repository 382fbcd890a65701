import assert from "node:assert/strict";
import * as vscode from "vscode";
import { CodeBlockActions } from "../../src/editor/edits/codeBlockActions.ts";
import { Exclusions } from "../../src/editor/files/exclusions.ts";
import { gatherFiles } from "../../src/editor/attachments/fileContext.ts";
import type { Gathered } from "../../src/editor/attachments/gathered.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import type { Hunk } from "../../src/chat/edits/proposedEdit.ts";
import type { Proposal } from "../../src/editor/edits/proposal.ts";
import { legacyBytes } from "../support/legacyBytes.ts";
import { ShownDialogues } from "./shownDialogues.ts";

const japanese = "// 設定を読み込む\nint value = 1;\n";

const all = (hunks: readonly Hunk[]): readonly Hunk[] => hunks;

/** The detail, the text and the guessed encoding of each attachment. */
const shown = ({ attachments }: Gathered) =>
  attachments.map(({ detail, content, guessedEncoding }) => [
    detail.replace(/^encodings-[^/]*\//, ""),
    content?.type === "text" && content.text,
    guessedEncoding,
  ]);

describe("a file in an encoding other than UTF-8", () => {
  let last: LastTextEditor;
  let actions: CodeBlockActions;
  let dialogues: ShownDialogues;
  let folder: vscode.Uri;
  let file: vscode.Uri;
  const { executeCommand } = vscode.commands;

  beforeEach(() => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    folder = vscode.Uri.joinPath(first.uri, `encodings-${crypto.randomUUID()}`);
    file = vscode.Uri.joinPath(folder, "old.c");
    last = new LastTextEditor();
    actions = new CodeBlockActions(last);
    dialogues = new ShownDialogues(() => undefined);
  });
  afterEach(async () => {
    dialogues.dispose();
    Object.assign(vscode.commands, { executeCommand });
    await executeCommand("workbench.action.revertAndCloseActiveEditor");
    await executeCommand("workbench.action.closeAllEditors");
    actions.dispose();
    last.dispose();
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", undefined, vscode.ConfigurationTarget.Global);
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  const write = (bytes: Uint8Array, uri = file): Thenable<void> => vscode.workspace.fs.writeFile(uri, bytes);
  const read = async (): Promise<string> =>
    Buffer.from(await vscode.workspace.fs.readFile(file)).toString("hex");

  async function propose(document: vscode.TextDocument, text: string): Promise<Proposal> {
    const proposal = await actions.proposals.create({ uri: document.uri, exists: true, cursor: 0 });
    proposal.edit.propose(text);
    return proposal;
  }

  it("keeps its bytes and warns the user if it was opened as UTF-8", async () => {
    await write(legacyBytes("shift_jis", japanese));
    const before = await read();
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.encoding, "utf8");
    const proposal = await propose(document, document.getText().replace("= 1", "= 2"));
    assert.equal(await actions.proposals.make(proposal, all), false);
    assert.equal(document.isDirty, false);
    assert.equal(await read(), before);
    assert.deepEqual(dialogues.messages, [
      "'old.c' was not changed. VS Code opened the file as UTF-8, but the file has a different encoding, so saving would damage it. Select Reopen with Encoding, and then try again.",
    ]);
    assert.deepEqual(dialogues.all[0]?.buttons, ["Change Encoding..."]);
  });

  it("is refused before changes are shown or text is inserted", async () => {
    await write(legacyBytes("gb18030", "// 读取配置\nint a;\n"));
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const block = { text: "int b;\n", info: "c", language: "c", above: "" };
    await actions.run("apply", block, () => undefined);
    await actions.run("insert", block, () => undefined);
    await actions.applyAnswer(`\`\`\`c title="${vscode.workspace.asRelativePath(file)}"\nint b;\n\`\`\`\n`);
    assert.equal(dialogues.messages.length, 3);
    assert.ok(
      dialogues.messages.every((message) =>
        message.startsWith("'old.c' was not changed. VS Code opened the file as UTF-8"),
      ),
    );
    assert.equal(document.isDirty, false);
    assert.equal(vscode.window.activeTextEditor?.document, document);
  });

  it("gets its encoding changed by VS Code's own command", async () => {
    await write(legacyBytes("shift_jis", japanese));
    const document = await vscode.workspace.openTextDocument(file);
    dialogues.dispose();
    dialogues = new ShownDialogues();
    const ran = new Promise<string | undefined>((resolve) => {
      Object.assign(vscode.commands, {
        executeCommand: async (id: string) => {
          assert.equal(id, "workbench.action.editor.changeEncoding");
          resolve(vscode.window.activeTextEditor?.document.uri.toString());
        },
      });
    });
    const proposal = await propose(document, "int value = 2;\n");
    assert.equal(await actions.proposals.make(proposal, all), false);
    assert.equal(await ran, file.toString());
  });

  it("is changed in its own encoding if it was opened with that encoding", async () => {
    await write(legacyBytes("shift_jis", japanese));
    const document = await vscode.workspace.openTextDocument(file, { encoding: "shiftjis" });
    assert.equal(document.getText(), japanese);
    const changed = japanese.replace("= 1", "= 2; // 追加");
    assert.equal(await actions.proposals.make(await propose(document, changed), all), true);
    assert.ok(await document.save());
    assert.equal(await read(), Buffer.from(legacyBytes("shift_jis", changed)).toString("hex"));
    assert.deepEqual(dialogues.messages, []);
  });

  it("is not changed if its encoding lacks a character, while other changes can be accepted", async () => {
    await write(legacyBytes("shift_jis", japanese));
    const before = await read();
    const document = await vscode.workspace.openTextDocument(file, { encoding: "shiftjis" });
    const proposal = await propose(document, `// 😀\n${japanese}int b;\n`);
    assert.equal(await actions.proposals.make(proposal, all), false);
    assert.deepEqual([document.isDirty, await read()], [false, before]);
    assert.deepEqual(dialogues.messages, [
      "'old.c' was not changed because its encoding Shift JIS has no character '😀' (U+1F600). Select Save with Encoding, select UTF-8, and then try again.",
    ]);
    assert.equal(await actions.proposals.make(proposal, (hunks) => hunks.slice(1)), true);
    assert.equal(document.getText(), `${japanese}int b;\n`);
  });

  it("is changed if it is UTF-16 with a byte order mark, like a UTF-8 file and a new file", async () => {
    const text = "a = 1\nn = 名\n";
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), legacyBytes("utf-16le", text)]);
    const kinds = [utf16, Buffer.from(text), Buffer.from(`\ufeff${text}`)];
    for (const [index, bytes] of kinds.entries()) {
      const uri = vscode.Uri.joinPath(folder, `${index}.txt`);
      await write(bytes, uri);
      const document = await vscode.workspace.openTextDocument(uri);
      const proposal = await propose(document, text.replace("1", "😀"));
      assert.equal(await actions.proposals.make(proposal, all), true, document.encoding);
      assert.ok(await document.save());
    }
    const untitled = await vscode.workspace.openTextDocument({ content: text });
    assert.equal(await actions.proposals.make(await propose(untitled, "😀\n"), all), true);
    await vscode.window.showTextDocument(untitled);
    assert.deepEqual(dialogues.messages, []);
  });

  async function create(text: string): Promise<boolean> {
    const proposal = await actions.proposals.create({ uri: file, exists: false, cursor: 0 });
    proposal.edit.propose(text);
    return actions.proposals.make(proposal, all);
  }

  it("is created in the encoding of the settings if that encoding has all its characters", async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", "shiftjis", vscode.ConfigurationTarget.Global);
    await vscode.workspace.fs.createDirectory(folder);
    assert.equal(await create("// 😀\n"), false);
    assert.match(
      dialogues.messages.join(),
      /^'old\.c' was not created because .* has no character '😀' \(U\+1F600\)/,
    );
    assert.equal(await create(japanese), true);
    assert.equal(await read(), Buffer.from(legacyBytes("shift_jis", japanese)).toString("hex"));
  });

  async function attach(): Promise<Gathered> {
    const [gathered] = await gatherFiles([file], new Exclusions());
    return gathered ?? assert.fail();
  }

  it("is attached with its decoded text, and a guessed encoding is named", async () => {
    await write(legacyBytes("shift_jis", japanese));
    assert.deepEqual(shown(await attach()), [["old.c, read as Shift JIS (guessed)", japanese, "Shift JIS"]]);
    // Opened as UTF-8, the file shows replacement characters.
    await vscode.workspace.openTextDocument(file);
    assert.deepEqual(shown(await attach()), [["old.c, read as Shift JIS (guessed)", japanese, "Shift JIS"]]);
    await vscode.workspace.openTextDocument(file, { encoding: "shiftjis" });
    assert.deepEqual(shown(await attach()), [["old.c", japanese, undefined]]);
  });

  it("is attached in the encoding of the settings, without a guess", async () => {
    // Too few bytes to guess from: alone, they look like French.
    await write(legacyBytes("windows-1251", "// й\n"));
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", "windows1251", vscode.ConfigurationTarget.Global);
    assert.deepEqual(shown(await attach()), [["old.c", "// й\n", undefined]]);
    await files.update("encoding", undefined, vscode.ConfigurationTarget.Global);
    assert.notDeepEqual(shown(await attach()), [["old.c", "// й\n", undefined]]);
  });

  it("is attached in the encoding of its language's settings, or as VS Code guesses if our guess fails", async () => {
    const cyrillic = legacyBytes("windows-1251", "// й\n");
    await write(cyrillic);
    const languages = vscode.workspace.getConfiguration(undefined, { languageId: "c" });
    const encoding = "files.encoding";
    await languages.update(encoding, "windows1251", vscode.ConfigurationTarget.Global, true);
    assert.deepEqual(shown(await attach()), [["old.c", "// й\n", undefined]]);
    await languages.update(encoding, undefined, vscode.ConfigurationTarget.Global, true);
    const greek = "// το σχόλιο\n";
    await write(legacyBytes("windows-1253", greek));
    assert.deepEqual(shown(await attach()), []);
    const files = vscode.workspace.getConfiguration("files");
    await files.update("autoGuessEncoding", true, vscode.ConfigurationTarget.Global);
    const [first] = shown(await attach());
    await files.update("autoGuessEncoding", undefined, vscode.ConfigurationTarget.Global);
    assert.equal(first?.[1], greek);
    assert.match(String(first?.[0]), /^old\.c, read as .+ \(guessed\)$/);
  });

  it("is attached with its readable text, or refused with a remedy", async () => {
    await write(Buffer.concat([Buffer.from("ログ: 接続\n"), Buffer.from([0xff, 0x0a])]));
    assert.deepEqual(shown(await attach()), [
      ["old.c (unreadable characters: 1)", "ログ: 接続\n\ufffd\n", undefined],
    ]);
    await write(Buffer.from([0xff, 0xff, 0xff, 0xfd]));
    assert.deepEqual((await attach()).refusals, [
      "'old.c' was not attached because its encoding is unknown. Open the file and select Reopen with Encoding, or set files.encoding.",
    ]);
  });
});
