import assert from "node:assert/strict";
import promises, { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { AnswerTools } from "../../src/chat/agent/answerTools.ts";
import type { CallReply, CallRequest, CallResult, ToolMode } from "../../src/chat/transcript/steps.ts";
import { type AgentServices, createAgentServices } from "../../src/editor/agent/agentServices.ts";
import { createAnswerTools } from "../../src/editor/agent/agentTools.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { OutgoingTexts } from "../../src/editor/service/outgoingTexts.ts";
import { SearchedKeys } from "../../src/editor/service/searchedKeys.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { readToolArguments } from "../../src/protocol/conversation/toolCalls.ts";
import { sealKey } from "../support/sealFor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { writeConnections } from "./testConnections.ts";
import { workspaceFolder } from "./withConnection.ts";

const home = "https://h.example";

/** A folder of the workspace for the files of these tests. */
export const ownFolder = "agent-tools";
/** The key that secret storage holds. */
export const storedKey = fakeKey("of-agent-tools-0123456789");

/** The tools of an answer, with the user's replies. */
class AgentBench {
  tools: AnswerTools | undefined;
  reply: CallReply | ((request: CallRequest) => Promise<CallReply>) = { type: "deny", why: "" };
  /** Requests to the user in this test. */
  readonly asked: CallRequest[] = [];
  /** Output of running calls in this test. */
  readonly output: string[] = [];
  readonly #shown = new vscode.EventEmitter<string>();
  background = new AbortController();
  answerId = "answer";
  root = "";
  /** A folder outside the workspace, with its links resolved. */
  outside = "";
  clean: (text: string) => Promise<string> = async (text) => text;
  cleanArriving: (text: string) => Promise<string> = async (text) => text;
  /** Number of attachments from outside, of the question and of messages during its answer. */
  attachedFromOutside = 0;
  /** Names of the environment variables that hold keys. */
  findKeyVariables: () => Promise<readonly string[]> = async () => [];
  /** State that stays over a reload. */
  readonly workspaceState = createMemento();
  #services: AgentServices | undefined;
  #copiesFolder = "";

  get services(): AgentServices {
    return this.#services ?? assert.fail("There are no services before a test.");
  }

  /** Absolute path of the folder for copies of files. */
  get copiesFolder(): string {
    return this.#copiesFolder;
  }

  /** Creates the services again, as after a reload of the window. */
  async load(): Promise<void> {
    if (this.#copiesFolder === "") this.#copiesFolder = await mkdtemp(path.join(tmpdir(), "copies-"));
    this.#services?.dispose();
    this.#services = createAgentServices({
      workspaceState: this.workspaceState,
      copiesFolder: this.#copiesFolder,
      findKeyVariables: () => this.findKeyVariables(),
    });
    this.tools = undefined;
  }

  async close(): Promise<void> {
    this.#services?.dispose();
    await rm(this.#copiesFolder, { recursive: true });
  }

  at(name: string): vscode.Uri {
    return vscode.Uri.file(path.join(this.root, name));
  }

  async write(name: string, content: string | Uint8Array, folder = this.root): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Replaces the tools by those of another answer. */
  startAnswer(timeoutMs?: number, mode: ToolMode = "plan"): AnswerTools {
    this.tools = createAnswerTools({
      mode,
      chatId: "chat",
      services: this.services,
      countAttachedFromOutside: () => this.attachedFromOutside,
      maySend: async () => true,
      clean: this.clean,
      cleanArriving: this.cleanArriving,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return this.tools;
  }

  /** Runs a call as an answer does. */
  call(name: string, given: unknown, signal = new AbortController().signal): Promise<CallResult> {
    const tools = this.tools ?? this.startAnswer();
    const ask = async (request: CallRequest): Promise<CallReply> => {
      this.asked.push(request);
      return typeof this.reply === "function" ? this.reply(request) : this.reply;
    };
    return tools.run(
      { type: "tool-call", id: "call_1", name, arguments: readToolArguments(given) },
      {
        answerId: this.answerId,
        signal,
        ask,
        showOutput: (output) => {
          this.output.push(output);
          this.#shown.fire(output);
        },
        background: this.background.signal,
      },
    );
  }

  /** Resolves once a running call shows this output. */
  untilShown(wanted: string): Promise<void> {
    return new Promise((resolve) => {
      const subscription = this.#shown.event((output) => {
        if (output !== wanted) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  async textOf(name: string, given: unknown): Promise<string> {
    const { outcome, text } = await this.call(name, given);
    assert.equal(outcome, "done", text);
    return text;
  }

  async faultOf(name: string, given: unknown): Promise<string> {
    const { outcome, text } = await this.call(name, given);
    assert.equal(outcome, "failed", text);
    return text;
  }
}

/** Adds hooks to the surrounding `describe`: its tools take the stored key out of their results as the product does. */
export function withAgentTools(): AgentBench {
  const bench = new AgentBench();
  const owned: vscode.Disposable[] = [];
  let keys: ApiKeyStore | undefined;

  before(async () => {
    await bench.load();
    bench.root = path.join(workspaceFolder().uri.fsPath, ownFolder);
    await mkdir(bench.root);
    bench.outside = await realpath(await mkdtemp(path.join(tmpdir(), "outside-")));
    const { secrets, globalState, workspaceState } = await companionStores();
    await writeConnections([{ name: "Agent", baseUrl: home }]);
    keys = new ApiKeyStore(secrets, {}, globalState);
    const connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    owned.push(connections, keys);
    await keys.store("Agent", sealKey(storedKey, home));
    const searched = new SearchedKeys(connections, keys);
    const outgoing = new OutgoingTexts(searched);
    bench.clean = (text) => outgoing.cleanText(text);
    bench.findKeyVariables = () => searched.variableNames(process.env);
    bench.cleanArriving = (text) => outgoing.cleanArrivingText(text);
  });
  beforeEach(() => {
    bench.tools = undefined;
    bench.reply = { type: "deny", why: "" };
    bench.attachedFromOutside = 0;
    bench.asked.length = 0;
    bench.output.length = 0;
    bench.background = new AbortController();
  });
  after(async () => {
    await keys?.remove("Agent");
    for (const each of owned) each.dispose();
    await writeConnections(undefined);
    await rm(bench.root, { recursive: true });
    await rm(bench.outside, { recursive: true });
    await bench.close();
  });
  return bench;
}

/** Replaces functions of VS Code's file system until it is disposed. */
export function replaceFileSystem(replaced: Partial<vscode.FileSystem>): Disposable {
  const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "fs");
  assert.ok(descriptor);
  const { fs } = vscode.workspace;
  Object.defineProperty(vscode.workspace, "fs", { configurable: true, value: { ...fs, ...replaced } });
  return { [Symbol.dispose]: () => Object.defineProperty(vscode.workspace, "fs", descriptor) };
}

/**
 * Replaces the functions that look for a local file and read it, until it is disposed.
 * Each gets the file's path, and the real function to go on with.
 */
export function replaceDiskReads(replaced: {
  readonly stat?: (file: string, real: () => Promise<unknown>) => Promise<unknown>;
  readonly readFile?: (file: string, real: () => Promise<unknown>) => Promise<unknown>;
}): Disposable {
  const { stat, readFile } = promises;
  if (replaced.stat !== undefined) {
    const { stat: replacing } = replaced;
    Object.assign(promises, { stat: (file: string) => replacing(file, () => stat(file)) });
  }
  if (replaced.readFile !== undefined) {
    const { readFile: replacing } = replaced;
    Object.assign(promises, { readFile: (file: string) => replacing(file, () => readFile(file)) });
  }
  return { [Symbol.dispose]: () => Object.assign(promises, { stat, readFile }) };
}

/** Replaces the folders of the workspace until it is disposed. */
export function replaceFolders(uris: readonly vscode.Uri[]): Disposable {
  const { getWorkspaceFolder } = vscode.workspace;
  const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "workspaceFolders");
  assert.ok(descriptor);
  const folders = uris.map((uri, index) => ({ uri, name: path.posix.basename(uri.path), index }));
  Object.defineProperty(vscode.workspace, "workspaceFolders", { configurable: true, get: () => folders });
  Object.assign(vscode.workspace, {
    getWorkspaceFolder: (uri: vscode.Uri) => folders.findLast((folder) => isIn(folder.uri, uri)),
  });
  return {
    [Symbol.dispose]: () => {
      Object.defineProperty(vscode.workspace, "workspaceFolders", descriptor);
      Object.assign(vscode.workspace, { getWorkspaceFolder });
    },
  };
}

function isIn(folder: vscode.Uri, uri: vscode.Uri): boolean {
  return uri.scheme === folder.scheme && (uri.path === folder.path || uri.path.startsWith(`${folder.path}/`));
}
