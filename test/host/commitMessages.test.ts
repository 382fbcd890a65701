import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { CommitBox, type CommitRepository } from "../../src/editor/commit/commitBox.ts";
import { GitRepositoryOnDisk } from "../support/gitRepository.ts";
import { soon } from "../unit/service/fixture.ts";
import { openRepository } from "./openRepository.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeDailyCap, writeMaxTokens } from "./testConnections.ts";
import { untilFound } from "./untilFound.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";

const message = "readings: add the station by the lake\n\nIt was asked for by the people who live there.";
const subjects = ["readings: tidy the columns", "summary: count the nights", "readings: note the frost"];
const guide = "# Guide\n\nUse tabs.\n\n## Commit messages\n\nName the station first.\n";
const { executeCommand } = vscode.commands;

describe("a commit message", () => {
  let answer = message;
  const connection = withConnection({
    name: "Writing commits",
    service: { answers: () => answer },
  });
  const { asks } = connection;
  const { setStatusBarMessage } = vscode.window;
  let disk: GitRepositoryOnDisk;
  let repository: CommitRepository;
  let box: CommitBox;
  let dialogues: ShownDialogues;
  /** The button to press in a notice. */
  let button: string | undefined;

  before(async () => {
    disk = await GitRepositoryOnDisk.create(workspaceFolder().uri.fsPath);
    await disk.write("AGENTS.md", guide);
    await disk.write("readings.csv", "hill-station,2.5\n");
    await disk.write("convert.py", "# nothing yet\n");
    for (const subject of subjects) await disk.commit(subject);
    repository = await openRepository(disk.folder);
    box = new CommitBox(repository);
  });
  beforeEach(async () => {
    answer = message;
    button = undefined;
    dialogues = new ShownDialogues(() => button);
    await disk.git("reset", "--quiet", "--hard");
    await disk.git("clean", "--quiet", "--force", "-d");
    await disk.write("readings.csv", "lake-station,4.5\n");
    await disk.git("add", "readings.csv");
    await fill("");
  });
  afterEach(async () => {
    dialogues.dispose();
    connection.service.pace = 0;
    Object.assign(vscode.window, { setStatusBarMessage });
    await writeMaxTokens(undefined);
    await writeDailyCap(undefined);
  });
  after(() => disk[Symbol.asyncDispose]());

  const generate = (): Thenable<void> =>
    executeCommand(commandIds.generateCommitMessage, { rootUri: repository.rootUri });
  const asked = (): string => asks.at(-1)?.messages.at(-1)?.text ?? "";

  /** Writes into the box as a user does. */
  async function fill(text: string): Promise<void> {
    assert.ok(await box.replace(box.text, text));
  }

  /** Resolves with the text of the box when the text matches. */
  function boxHolds(words: RegExp): Promise<string> {
    const find = (): string | undefined => (words.test(box.text) ? box.text : undefined);
    return untilFound(find, vscode.workspace.onDidChangeTextDocument);
  }

  it("describes the staged changes by the rules and the style of the last commits, and commits nothing", async () => {
    await disk.write("convert.py", "# an unstaged line\n");
    const before = await disk.git("log", "--oneline");
    await generate();
    assert.equal(box.text, message);
    for (const subject of subjects) assert.ok(asked().includes(subject), asked());
    assert.match(asked(), /Follow the style of the last commits/);
    assert.match(asked(), /Name the station first\.[^]*\+lake-station,4\.5/);
    assert.doesNotMatch(asked(), /unstaged line|Use tabs/);
    assert.equal(await disk.git("log", "--oneline"), before);
    assert.deepEqual(dialogues.messages, []);
  });

  it("replaces an earlier generated message, even if both begin with the same surrogate", async () => {
    for (answer of ["🐛 readings: mend a line", "📝 readings: write it down"]) {
      await generate();
      assert.equal(box.text, answer);
    }
  });

  it("is added below the user's text, and replaces it or is removed on request", async () => {
    await fill("my own words");
    button = "Undo";
    await generate();
    await dialogues.until(/was added below your text/);
    await boxHolds(/^my own words$/);
    button = "Use Only the New Message";
    await generate();
    assert.equal(await boxHolds(/^readings: add/), message);
  });

  it("does not overwrite what the user types while it arrives, and is inserted below on request", async () => {
    answer = `readings: a slow one\n\n${"with a body that takes its time ".repeat(3)}`;
    connection.service.pace = 60;
    button = "Insert Below";
    const generating = generate();
    await boxHolds(/a slow one/);
    await fill("MINE");
    await generating;
    await dialogues.until(/^You edited the commit message box/);
    assert.equal(await boxHolds(/time$/), `MINE\n\n${answer.trim()}`);
  });

  it("keeps the text that arrived when it is stopped, and aborts its request", async () => {
    answer = `readings: a long one\n\n${"and then another sentence of it ".repeat(100)}`;
    connection.service.pace = 60;
    const generating = generate();
    await boxHolds(/a long one\s+and then/);
    await executeCommand(commandIds.stopCommitMessage);
    await generating;
    assert.match(box.text, /^readings: a long one\n\nand then/);
    assert.ok(box.text.length < answer.length / 2);
    await connection.service.journal.next(({ state }) => state === "aborted", soon());
  });

  it("leaves the box unchanged when it fails or is withheld, and says why", async () => {
    const index = 0;
    const choice = { index, message: { role: "assistant", content: null }, finish_reason: "content_filter" };
    await fill("kept");
    for (const failure of [{ status: 401 }, { status: 200, body: { choices: [choice] } }]) {
      connection.service.failNext(failure);
      await generate();
      assert.equal(box.text, "kept");
    }
    const reasons = dialogues.all.map(({ message: said, buttons }) => [said, buttons.length > 0] as const);
    assert.equal(new Set(reasons.map(([said]) => said)).size, 2);
    for (const [said, hasButtons] of reasons)
      assert.ok(said.startsWith("Writing commits: ") && hasButtons, said);
  });

  it("says that the token limit cut it", async () => {
    await writeMaxTokens(4);
    await generate();
    await dialogues.until(/reached its token limit/);
  });

  it("says what it waits for, and can be stopped then", async () => {
    const told = Promise.withResolvers<string>();
    const show = (text: string): vscode.Disposable => {
      told.resolve(text);
      return new vscode.Disposable(() => undefined);
    };
    Object.assign(vscode.window, { setStatusBarMessage: show });
    connection.service.failNext({ status: 529, headers: { "retry-after": "50" } });
    const generating = generate();
    assert.match(await told.promise, /Trying again in \d+ seconds/);
    await executeCommand(commandIds.stopCommitMessage);
    await generating;
    assert.equal(box.text, "");
  });

  it("is not requested if it would exceed the daily cap and the user declines", async () => {
    await writeDailyCap(10);
    await generate();
    assert.match(dialogues.messages.join(), /would exceed your daily token cap of 10/);
    assert.deepEqual(asks, []);
  });

  it("sends no key and no excluded file, and names the changes that it does not cover", async () => {
    await disk.write("large-one.txt", "a line of the first large file\n".repeat(3000));
    await disk.write("large-two.txt", "a line of the second large file\n".repeat(3000));
    await disk.write(".env", "PASSWORD=hunter2\n");
    await disk.write("keyed.txt", `the key ${connection.key}\n`);
    await disk.git("add", "--all");
    await generate();
    assert.match(asked(), /the key \[API key\]/);
    assert.match(asked(), /\[\d+ characters left out\]/);
    assert.doesNotMatch(asked(), /hunter2|\.env/);
    const { message: told } = await dialogues.until(/doesn't cover all changes/);
    assert.match(told, /keys: \.env\. .*only partly sent because.*: large-one\.txt, large-two\.txt\./);
  });
});
